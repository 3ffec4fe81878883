# frozen_string_literal: true

# Makes instances on one side: a program of JSON a line comes in (see InstanceProgram), and an answer of JSON a line goes
# out, as soon as it is known.
#
#     ruby spec/differential/instances/runner.rb puppet|puppetfn

require_relative "program"

side = ARGV.fetch(0)
require_relative "side/#{side}"

answers = $stdout.dup
answers.sync = true
# What code of types prints is no answer.
$stdout.reopen($stderr)

Differential::InstanceSide.const_get(side.capitalize).open do |opened|
  $stdin.each_line do |line|
    answers.puts(JSON.generate(opened.answer(Differential::InstanceProgram.load(line))))
  end
end
