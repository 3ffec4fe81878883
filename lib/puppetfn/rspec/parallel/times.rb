# frozen_string_literal: true

require "digest"
require "json"
require "tmpdir"
require_relative "../../cache_directory"

module Puppetfn
  module RSpec
    # How long an example of each outermost group took when it was last run, kept for the next run of the module.
    #
    # @api private
    class Times
      class << self
        # @return [String] the file for the module in the working directory
        def path
          directory = CacheDirectory.path || File.join(Dir.tmpdir, "puppetfn")
          File.join(directory, "test", "#{Digest::SHA256.hexdigest(Dir.pwd)[0, 16]}.json")
        end
      end

      # @param path [String] the file of the times
      def initialize(path = Times.path)
        @path = path
        @known = read
        @taken = Hash.new { |taken, id| taken[id] = [0.0, 0] }
      end

      # A group that was never run is taken to have examples like the other groups.
      #
      # @param groups [Array<Class>]
      # @return [Array<Float>] their expected durations, in seconds; without any times, numbers of examples
      def expected(groups)
        counts = groups.map { |group| ::RSpec.world.example_count([group]) }
        usual = mean(groups.zip(counts).select { |group, _| @known.key?(group.id) })
        groups.zip(counts).map { |group, count| count * @known.fetch(group.id, usual) }
      end

      # @param job [Job]
      # @param seconds [Float] its duration
      # @return [void]
      def note(job, seconds)
        return if job.size.zero?

        taken = @taken[job.group.id]
        taken[0] += seconds
        taken[1] += job.size
        @known[job.group.id] = (taken[0] / taken[1]).round(6)
      end

      # Keeps them for the next run, without times of files that are gone.
      #
      # @return [void]
      def save
        kept = @known.select { |id, _| File.file?(id[/\A(.+)\[/, 1].to_s) }
        CacheDirectory.replace(@path) { |file| file.write(JSON.generate(kept)) }
      rescue SystemCallError => e
        warn "puppetfn test: cannot save the times of the examples: #{e.message}"
      end

      private

      # A file that cannot be read is replaced at the end of this run.
      def read
        known = JSON.parse(File.read(@path))
        known.is_a?(Hash) ? known.select { |_, seconds| seconds.is_a?(Numeric) } : {}
      rescue SystemCallError, JSON::ParserError
        {}
      end

      def mean(counted)
        total = counted.sum { |_, count| count }
        total.zero? ? 1.0 : counted.sum { |group, count| count * @known[group.id] } / total
      end
    end
  end
end
