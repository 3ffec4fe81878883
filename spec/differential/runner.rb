# frozen_string_literal: true

# Runs calls on one side and writes their outcomes.
#
#     ruby spec/differential/runner.rb puppet|puppetfn CALLS OUTCOMES
#
# CALLS holds one JSON string of Ruby code a line (see world.rb), and OUTCOMES gets one JSON string a
# line, in the same order. A line is written as soon as it is known: when the process dies, the first
# missing line is the call that killed it.

require "json"
require "uri"
require_relative "settings"
require_relative "world"
require_relative "outcome"

side_name, calls, outcomes = ARGV
require_relative "side/#{side_name}"
side_class = Differential::Side.const_get(side_name.capitalize)

File.open(outcomes, "w") do |out|
  out.sync = true
  side_class.boot do |side|
    side.strict = :error
    world = Differential::World.new(side)
    outcome = Differential::Outcome.new(side)
    File.foreach(calls) do |line|
      code = JSON.parse(line)
      # Functions may use Ruby's random numbers.
      srand(1)
      out.puts(JSON.generate(outcome.of { world.evaluate(code) }))
    end
  end
end
