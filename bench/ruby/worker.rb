# frozen_string_literal: true

# One side of the benchmark, in a process of its own.
#
#     ruby bench/ruby/worker.rb puppet|puppetfn
#
# Reads the name of a case a line, and answers each with a line: the seconds that one repetition took.

require_relative "side"
require_relative "cases"

# How long a sample takes, about.
SAMPLE_SECONDS = 0.04

side = Bench::SIDES.fetch(ARGV.fetch(0))
side.prepare
$stdout.sync = true

prepared = Hash.new do |cache, name|
  run = Bench::Cases::ALL.find { |c| c.name == name }.setup.call(side)
  n = 1
  n *= 2 until run.call(n) > SAMPLE_SECONDS / 2
  cache[name] = [run, 2 * n]
end

$stdin.each_line(chomp: true) do |name|
  run, n = prepared[name]
  GC.start
  puts run.call(n) / n
end
