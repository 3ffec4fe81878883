# frozen_string_literal: true

require "json"
require "rbconfig"
require "tmpdir"
require_relative "record"

module Differential
  # Compiles records with plain Puppet and with the drop-in, each in a process that forks for each record.
  class DropInAnswers
    SIDE = File.expand_path("side.rb", __dir__)
    LIBRARY = File.expand_path("../../../lib", __dir__)
    # Suggestions and source excerpts in Ruby's own messages depend on other loaded code.
    RUBY = [RbConfig.ruby, "-W0", "--disable-did_you_mean", "--disable-error_highlight"].freeze

    # Differences of a record, and its compiler in each round: `puppetfn`, or the reason for declining.
    Result = Struct.new(:record, :difference, :compiled_by) do
      def same? = difference.nil?

      # @return [String, nil] why Puppet had to compile it in one of the rounds
      def declined = compiled_by.find { |by| by != "puppetfn" }
    end

    # @param puppet [String, nil] the directory with Puppet's library; nil for the installed one
    # @yieldparam comparison [DropInAnswers]
    # @return [Object] the block's result
    def self.open(puppet = nil)
      Dir.mktmpdir("drop_in_answers") do |directory|
        comparison = new(File.join(File.realpath(directory), "record"), puppet)
        yield comparison
      ensure
        comparison&.close
      end
    end

    # @return [String] of Puppet
    attr_reader :version

    # @param directory [String] where the files of the current record are
    # @param puppet [String, nil] see {open}
    def initialize(directory, puppet)
      @directory = directory
      load_path = puppet ? ["-I", puppet] : []
      @sides = [[], [LIBRARY]].map { |drop_in| IO.popen([{"PUPPETFN" => nil}, *RUBY, *load_path, SIDE, directory, *drop_in], "r+") }
      @version, with_drop_in = @sides.map { |side| side.gets&.chomp }
      raise "Puppet of the directory #{puppet} did not start" unless version && version == with_drop_in
    end

    # @param record [AnswerRecord]
    # @return [Result]
    def result(record)
      plain, with_drop_in = @sides.map do |side|
        record.write(@directory)
        side.puts(JSON.generate(record.opts))
        JSON.parse(side.gets || raise("Puppet ended at #{record.id}"))
      end
      compiled_by = with_drop_in.map { |answer| answer["by"] || "unknown" }
      Result.new(record, difference(*[plain, with_drop_in].map { |answers| answers.map { |answer| answer.except("by") } }), compiled_by)
    end

    # @return [void]
    def close
      @sides.each(&:close)
    end

    private

    # Returns where two answers begin to differ.
    def difference(plain, with_drop_in, place = "")
      return if plain == with_drop_in

      steps = steps_of(plain, with_drop_in)
      return "#{place}: plain #{JSON.generate(plain)[0, 600]}, with the drop-in #{JSON.generate(with_drop_in)[0, 600]}" unless steps

      steps.lazy.filter_map { |step| difference(plain[step], with_drop_in[step], "#{place}/#{step}") }.first
    end

    def steps_of(plain, other)
      return plain.keys | other.keys if plain.is_a?(Hash) && other.is_a?(Hash)

      (0...[plain.size, other.size].max) if plain.is_a?(Array) && other.is_a?(Array)
    end
  end

  # Report of a comparison.
  class DropInAnswerReport
    # @param results [Array<DropInAnswers::Result>]
    def initialize(results)
      @results = results
    end

    # @return [Boolean]
    def same?
      @results.all?(&:same?)
    end

    # @param declined [Boolean] whether to name the records that were left to Puppet
    # @return [String]
    def to_s(declined: false)
      differing, left = @results.reject(&:same?), @results.select(&:declined)
      lines = differing.map { |result| "#{result.record.id}: #{result.difference} [#{result.compiled_by.uniq.join("; ")}]" }
      lines << "#{@results.size - left.size} compiled by puppetfn, #{left.size} left to Puppet:"
      left.group_by(&:declined).sort_by { |reason, group| [-group.size, reason] }.each do |reason, group|
        lines << "#{group.size.to_s.rjust(5)} #{reason}#{": #{group.map { |result| result.record.id }.join(", ")}" if declined}"
      end
      lines << "#{@results.size - differing.size} the same, #{differing.size} differ"
      lines.join("\n")
    end
  end
end
