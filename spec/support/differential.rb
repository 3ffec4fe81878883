# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require "rspec"
require "tmpdir"
require "yaml"
require_relative "../differential/settings"

# Runs the same calls through real Puppet and through puppetfn, each once in a process of its own, and
# compares what they answer. See spec/differential/README.md.
module Differential
  DIRECTORY = File.expand_path("../differential", __dir__)
  # Suggestions and source excerpts in Ruby's own messages depend on what else is loaded.
  RUBY = [RbConfig.ruby, "--disable-did_you_mean", "--disable-error_highlight"].freeze
  SIDES = %w[puppet puppetfn].freeze
  TIME_LIMIT = 300

  # What an answer that is an error begins with.
  ERROR_CLASSES = /\A[A-Z][\w:]*(?: < [A-Z][\w:]*)*: /

  # A call and what each side answered.
  Comparison = Struct.new(:code, :puppet, :puppetfn) do
    def same?
      puppet == puppetfn
    end

    # Whether the answers are the same but for the class of an error.
    def same_words?
      [puppet, puppetfn].map { |answer| answer.sub(ERROR_CLASSES, "") }.uniq.one?
    end

    def to_s
      ["  #{code}", "    puppet:   #{indent(puppet)}", "    puppetfn: #{indent(puppetfn)}"].join("\n")
    end

    private

    def indent(text)
      text.gsub("\n", "\n              ")
    end
  end

  # A difference that is meant: what it looks like, and the reason. Without a pattern for one of the
  # three texts, every text will do; with +only+, it is one from that version of Puppet.
  Deviation = Struct.new(:reason, :call, :puppet, :puppetfn, :only, keyword_init: true) do
    # Those from the Puppet at hand.
    def self.all
      @all ||= YAML.load_file(File.join(DIRECTORY, "deviations.yaml")).map { |entry| new(**entry.transform_keys(&:to_sym)) }
        .select { |deviation| [nil, Differential.puppet7? ? 7 : 8].include?(deviation.only) }
    end

    def covers?(comparison)
      [[call, comparison.code], [puppet, comparison.puppet], [puppetfn, comparison.puppetfn]].all? do |pattern, text|
        pattern.nil? || Regexp.new(pattern).match?(text)
      end
    end
  end

  # All calls with their answers. Made once, when the first spec asks; what goes wrong then fails every
  # spec at once.
  class Run
    def self.shared
      raise @failure if @failure

      @shared ||= new
    rescue RuntimeError => e
      @failure = e
      raise
    end

    def initialize
      Dir.mktmpdir("differential") do |dir|
        @calls = generate(File.join(dir, "calls.json"))
      end
      comparisons = Differential.compare(@calls.values.flat_map(&:values).flatten.uniq)
      @comparisons = comparisons.to_h { |comparison| [comparison.code, comparison] }
    end

    # @param part [String] "modules", "legacy", "signatures", "aliases", "dispatch" or "values"
    def topics(part)
      @calls.fetch(part).keys
    end

    def comparisons(part, topic)
      @calls.fetch(part).fetch(topic).map { |code| @comparisons.fetch(code) }
    end

    # Everything that differs, whether it is meant or not.
    def differences
      @differences ||= @comparisons.values.reject(&:same?)
    end

    def size
      @comparisons.size
    end

    private

    def generate(path)
      Differential.execute("generate.rb", path) { |log| raise "The calls could not be made; is Puppet installed?\n#{log}" }
      JSON.parse(File.read(path))
    end
  end

  # Whether Puppet is of version 7, which Debian 12 has: differences from Puppet 8 are expected of it alone.
  def self.puppet7?
    @puppet_version ||= Open3.capture2(*RUBY, "-e", 'require "puppet/version"; print Puppet.version').first
    @puppet_version.start_with?("7.")
  end

  # What both sides answer to calls, in the order of these.
  def self.compare(codes)
    Dir.mktmpdir("differential") do |dir|
      answers = SIDES.map { |side| Thread.new { run(side, codes, dir) } }.map(&:value)
      codes.zip(*answers).map { |code, puppet, puppetfn| Comparison.new(code, puppet, puppetfn) }
    end
  end

  # The answers of one side.
  def self.run(side, codes, dir)
    calls = File.join(dir, "#{side}.calls")
    outcomes = File.join(dir, "#{side}.outcomes")
    File.write(calls, codes.map { |code| "#{JSON.generate(code)}\n" }.join)
    execute("runner.rb", side, calls, outcomes) do |log|
      answered = File.exist?(outcomes) ? File.foreach(outcomes).count : 0
      raise "#{side} ended before it answered\n  #{codes[answered]}\n#{log}"
    end
    File.foreach(outcomes).map { |line| JSON.parse(line) }
  end
  private_class_method :run

  # Runs a program of the directory; yields what it printed when it failed or took too long.
  def self.execute(program, *arguments)
    command = [*RUBY, File.join(DIRECTORY, program), *arguments]
    Open3.popen2e(*command) do |stdin, output, process|
      stdin.close
      killer = Thread.new { sleep(TIME_LIMIT) && Process.kill(:KILL, process.pid) }
      log = output.read
      killer.kill
      yield log unless process.value.success?
    end
  end

  # The differences that no deviation explains.
  def self.unexplained(comparisons)
    comparisons.reject(&:same?).reject { |c| Deviation.all.any? { |deviation| deviation.covers?(c) } }
  end
end

RSpec::Matchers.define :agree do
  match { |comparisons| comparisons.any? && Differential.unexplained(comparisons).empty? }

  failure_message do |comparisons|
    differing = Differential.unexplained(comparisons)
    more = differing.size > 10 ? ["  ... and #{differing.size - 10} more"] : []
    ["#{differing.size} of #{comparisons.size} calls differ:", *differing.first(10), *more].join("\n")
  end
end
