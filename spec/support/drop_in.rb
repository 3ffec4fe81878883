# frozen_string_literal: true

require "json"
require "open3"
require "tmpdir"
require_relative "differential"

# Runs programs that use real Puppet without the drop-in, with it, and with both sides compared.
module DropIn
  MODES = %w[off on shadow].freeze
  LIBRARY = File.expand_path("../../lib", __dir__)
  DIRECTORY = File.join(Differential::DIRECTORY, "drop_in")
  TIME_LIMIT = 300

  # What a program printed, and what the drop-in reports at its end.
  Run = Struct.new(:output, :errors, :report, keyword_init: true) do
    # How often the pieces answered.
    def taken
      report.except("differences").sum { |_, piece| piece["taken"] }
    end
  end

  # @param mode [String] `PUPPETFN`
  # @param arguments [Array<String>] of Ruby
  def self.run(mode, *arguments)
    Dir.mktmpdir("drop_in") do |dir|
      report = File.join(dir, "report.json")
      environment = {"PUPPETFN" => mode, "DROP_IN_REPORT" => report,
                     "RUBYOPT" => "-I#{LIBRARY} -r#{DIRECTORY}/report_at_exit -rpuppetfn/puppet"}
      output, errors, status = Open3.capture3(environment, "timeout", TIME_LIMIT.to_s, *Differential::RUBY, *arguments)
      raise "#{arguments.join(" ")} with PUPPETFN=#{mode}: #{errors}" unless status.success?

      Run.new(output: output, errors: errors, report: JSON.parse(File.read(report)))
    end
  end

  # The runs of a program in all modes. It is given the path of a file to write, which then is its output.
  def self.runs(*arguments)
    MODES.to_h { |mode| [mode, run(mode, *arguments)] }
  end
end

RSpec::Matchers.define :be_the_same_in_all_modes do
  match do |runs|
    @off, @on, @shadow = DropIn::MODES.map { |mode| runs.fetch(mode) }
    @off.output == @on.output && @off.output == @shadow.output && @shadow.report["differences"].empty?
  end

  # Where two lines begin to differ.
  def excerpts(one, other)
    at = [one, other].map(&:to_s).then { |texts| (0..texts.map(&:size).max).find { |index| texts.map { |text| text[index] }.uniq.size > 1 } }
    [one, other].map { |text| text.to_s[[at - 200, 0].max, 400] }
  end

  failure_message do
    lines = [@on, @shadow].map { |run| @off.output.lines.zip(run.output.lines).find { |pair| pair.uniq.size > 1 } }
    ["with and without the drop-in, these lines differ:", *lines.compact.flat_map { |pair| excerpts(*pair) },
     *@shadow.report["differences"].first(10).map { |difference| difference[0, 500] }].join("\n")
  end
end
