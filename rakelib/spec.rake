# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require "tempfile"

# Runs each spec file in a process of its own, one per processor at a time. No file depends on memory or libraries of another.
class SpecRun
  COUNTS = %w[example_count failure_count pending_count errors_outside_of_examples_count].freeze
  private_constant :COUNTS

  # @param files [Array<String>]
  # @param options [Array<String>] of RSpec
  def initialize(files, options)
    @files, @options = files, options
    @output = Mutex.new
  end

  # Runs the files, prints the output of failing files and the totals.
  #
  # @return [Boolean] whether all examples passed
  def passed?
    require "parallel"
    counts = Parallel.map(@files, in_threads: Parallel.processor_count) { |file| run(file) }
    examples, failures, pending, errors = COUNTS.map { |name| counts.sum { |count| count.fetch(name) } }
    puts
    counts.zip(@files).map { |count, file| [count.fetch("duration", 0), file] }.max_by(10, &:first).each { |slow| puts format("%6.1f s %s", *slow) }
    puts "#{examples} examples, #{failures} failures, #{pending} pending#{", #{errors} errors occurred outside of examples" if errors.positive?}"
    failures.zero? && errors.zero? && examples.positive?
  end

  private

  # @return [Hash{String=>Object}] the summary of a file
  def run(file)
    Tempfile.create("puppetfn-spec") do |report|
      command = [RbConfig.ruby, "-S", "rspec", *@options, "--format", "progress", "--format", "json", "--out", report.path, file]
      output, status = Open3.capture2e(*command, in: File::NULL)
      summary = JSON.parse(report.read).fetch("summary") unless File.empty?(report.path)
      summary ||= COUNTS.to_h { |name| [name, 0] }
      # A process that was killed has written no report, or not failed in an example.
      summary[COUNTS.last] += 1 if !status.success? && summary.values_at(COUNTS[1], COUNTS.last).sum.zero?
      show(file, output, status)
      summary
    end
  end

  def show(file, output, status)
    @output.synchronize do
      status.success? ? print(".") : puts("\n#{file} (#{status})", output)
    end
  end
end

desc "Run the core's Rust tests"
task :cargo_test do
  # The extension needs a Ruby around it, and is tested from there; the runner is run.
  sh "cargo", "test", "--workspace", "--exclude", "puppetfn-ext", "--exclude", "puppetfn-vectors"
end

desc "Run the specs; SPEC=FILES runs those, SPEC_OPTS has options of RSpec"
task spec: :compile do
  files = FileList[ENV.fetch("SPEC", "spec/**/*_spec.rb")].exclude("spec/rspec/modules/**/*")
  # The largest first, so that no long one is left to the end.
  files = files.sort_by { |file| -File.size(file) }
  SpecRun.new(files, ENV.fetch("SPEC_OPTS", "").split).passed? || abort("rake spec: examples failed; their output is above")
end
