# frozen_string_literal: true

# Reads texts on one side and writes what comes of them.
#
#     ruby spec/differential/syntax_runner.rb puppet|puppetfn TEXTS OUTCOMES
#
# TEXTS holds a JSON object a line, and OUTCOMES gets one JSON string a line, in the same order.

require "json"
require_relative "settings"
require_relative "syntax_side/#{ARGV[0]}"

side = Differential::SyntaxSide.const_get(ARGV[0].capitalize).new(Differential::MODULEPATH)
File.open(ARGV[2], "w") do |out|
  out.sync = true
  File.foreach(ARGV[1]) do |line|
    text = JSON.parse(line, symbolize_names: true)
    read = begin
      side.read(text[:code], text[:file], tasks: text[:tasks], epp: text[:epp])
    rescue SystemExit, Interrupt, NoMemoryError
      raise
    rescue Exception => e # rubocop:disable Lint/RescueException -- SystemStackError and friends are answers too
      side.error?(e) ? "error: #{e.message}" : "crash: #{e.class}: #{e.message}"
    end
    out.puts(JSON.generate([read, *side.logged].join("\n").dup.force_encoding(Encoding::UTF_8).scrub))
  end
end
