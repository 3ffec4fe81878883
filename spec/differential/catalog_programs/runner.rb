# frozen_string_literal: true

# Compiles catalog programs on one side: a program of JSON a line comes in (see CatalogProgram), and an answer of JSON a
# line goes out, as soon as it is known.
#
#     ruby spec/differential/catalog_programs/runner.rb puppet|puppetfn

require "json"
require "fileutils"
require "tmpdir"
require_relative "program"

side = ARGV.fetch(0)
require_relative "side/#{side}"

answers = $stdout.dup
answers.sync = true
# What functions print is no answer.
$stdout.reopen($stderr)

Dir.mktmpdir("programs") do |directory|
  Differential::CatalogProgram.link_modules(directory)
  Differential::ProgramSide.const_get(side.capitalize).open do |compiler|
    $stdin.each_line do |line|
      program = Differential::CatalogProgram.load(line)
      answers.puts(JSON.generate(program.within(directory) { |placed| Differential::CatalogProgram.answer(compiler, placed) }))
    end
  end
end
