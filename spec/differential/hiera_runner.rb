# frozen_string_literal: true

# Looks up data on one side and writes the answers.
#
#     ruby spec/differential/hiera_runner.rb puppet|puppetfn QUESTIONS ANSWERS
#
# QUESTIONS holds a question a line, as JSON: `["evaluate", CODE]`, or `["explain", KEYS, MERGE, ONLY_OPTIONS]`.
# ANSWERS gets a text a line, as JSON.

require "json"

side, questions, answers = ARGV
require_relative "hiera_side/#{side}"

File.open(answers, "w") do |out|
  Differential::HieraSide.open(File.expand_path("fixtures/hiera", __dir__)) do |data|
    File.foreach(questions) do |line|
      what, *arguments = JSON.parse(line)
      answer = data.answer { data.public_send(what, *arguments) }
      out.puts(JSON.generate(answer))
      out.flush
    end
  end
end
