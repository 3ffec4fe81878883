# frozen_string_literal: true

# Measures puppetfn and real Puppet in one run, and prints what to make of it.
#
#     script/bench [--check] [FILTER]
#
# FILTER is a part of the names of the cases to run. Times depend on the machine and are never
# judged, ratios are; with --check, the exit status is 1 when one is missed. Where puppetfn is not
# built, Puppet's times are printed alone.

require "open3"
require "rbconfig"
require_relative "side"
require_relative "cases"
require_relative "duration"

module Bench
  RUBY = [RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__)].freeze
  # The sides take turns, so that both meet the same load; of several samples, the fastest counts.
  ROUNDS = 9
  PROCESS_ROUNDS = 5
  START_ROUNDS = 15
  # A process of Ruby alone, and how much longer one may take that compiles the files of the library, too, and calls a function.
  EMPTY = "require 'rbconfig'; require 'monitor'"
  START_AT_MOST = 2.2

  # A side's worker.
  class Worker
    def initialize(side)
      @input, @output, = Open3.popen2(*RUBY, File.join(__dir__, "worker.rb"), side)
    end

    def sample(name)
      @input.puts(name)
      Float(@output.gets || abort("The worker ended while it measured: #{name}"))
    end
  end

  # Runs a whole program, and returns its seconds and its peak memory in megabytes.
  def self.process(program)
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    output, status = Open3.capture2(*RUBY, "-e", "#{program}\nprint File.read('/proc/self/status')[/VmHWM:\\s+(\\d+)/, 1]")
    abort("This failed:\n#{program}") unless status.success?
    [Process.clock_gettime(Process::CLOCK_MONOTONIC) - start, Integer(output) / 1024.0]
  end

  # Prints rows, and remembers whether one missed what it has to reach.
  class Table
    LAYOUT = "%-44s %10s %10s %8s  %s\n"

    attr_reader :missed

    def initialize(sides)
      @sides = sides
      @missed = false
      printf(LAYOUT, "", *columns(sides), "ratio", "")
    end

    # @param values [Array<Float>] one for each side
    def row(name, values, faster: nil, within: nil, floor: nil, &format)
      ratio = values[0] / values[1] if values[1]
      verdicts = [(verdict("#{faster}x faster", ratio >= faster) if faster && ratio),
                  (verdict("#{within} sends at most, is #{(values[1] / floor).round(1)}", values[1] <= within * floor) if within && ratio)]
      printf(LAYOUT, name, *columns(values.map(&format)), ratio ? "#{ratio.round(1)}x" : "", verdicts.compact.join("; "))
    end

    # @param values [Array<Float>] of an empty Ruby process, and of puppetfn's
    def start(name, values, at_most:, &format)
      ratio = values[1] / values[0]
      verdict = verdict("#{at_most}x at most, is #{ratio.round(2)}", ratio <= at_most)
      printf(LAYOUT, name, *columns(@sides.size > 1 ? values.map(&format) : [format.call(values[1])]), "", verdict)
    end

    private

    def columns(values)
      [values[0], values[1] || ""]
    end

    def verdict(text, reached)
      @missed ||= !reached
      "#{text}: #{reached ? "ok" : "MISSED"}"
    end
  end

  def self.sides
    return SIDES.keys if system(*RUBY, "-e", 'require "puppetfn"', err: File::NULL)

    puts "puppetfn is not built (script/setup builds it): only Puppet is measured.", ""
    ["puppet"]
  end

  def self.main(filter)
    sides = self.sides
    table = Table.new(sides)
    measure_cases(sides, table, filter)
    measure_processes(sides, table) if PROCESS.include?(filter)
    table.missed
  end

  def self.measure_cases(sides, table, filter)
    workers = sides.map { |side| Worker.new(side) }
    floor = nil
    Cases::ALL.each do |c|
      next unless c.name == FLOOR || c.name.include?(filter)

      values = Array.new(ROUNDS) { workers.map { |worker| worker.sample(c.name) } }.transpose.map(&:min)
      floor ||= values.last
      table.row(c.name, values, faster: c.faster, within: c.within, floor: floor) { |value| duration(value) }
    end
  end

  # The time that processors spent on a program. The clock on the wall says more about what else runs.
  def self.work(program)
    before = Process.times
    process(program)
    after = Process.times
    after.cutime + after.cstime - before.cutime - before.cstime
  end

  # Compares the start with that of Ruby alone, with the libraries that puppetfn requires.
  def self.measure_start(table)
    programs = [EMPTY, SIDES.fetch("puppetfn")::FIRST_CALL]
    values = Array.new(START_ROUNDS) { programs.map { |program| work(program) } }.transpose.map(&:min)
    table.start("... beside an empty Ruby (processor time)", values, at_most: START_AT_MOST) { |value| duration(value) }
  end

  def self.measure_processes(sides, table)
    programs = sides.map { |side| SIDES.fetch(side)::FIRST_CALL }
    samples = Array.new(PROCESS_ROUNDS) { programs.map { |program| process(program) } }.transpose
    times, memory = samples.map(&:transpose).map { |pair| pair.map(&:min) }.transpose
    table.row(PROCESS, times, faster: PROCESS_FASTER) { |value| duration(value) }
    table.row("... and its peak memory", memory) { |value| format("%.0f MB", value) }
    measure_start(table) if sides.include?("puppetfn")
  end
end

check = ARGV.delete("--check")
missed = Bench.main(ARGV.fetch(0, ""))
exit(1) if check && missed
