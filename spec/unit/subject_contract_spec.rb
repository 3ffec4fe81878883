# frozen_string_literal: true

require "json"
require_relative "../support/module_tree"

# Which values are instances of which types, on Ruby's values. The core runs the same cases on its
# own (tests/subject_contract.rs).
RSpec.describe "the contract of a subject" do
  include ModuleTree

  def self.contract(name)
    File.join(__dir__, "../vectors/contract", name)
  end

  def self.rows(name)
    File.readlines(contract(name)).map { |line| JSON.parse(line) }
  end

  aliases = File.readlines(contract("aliases.pp")).to_h do |line|
    ["test/types/#{line[/\Atype Test::(\w+)/, 1].downcase}.pp", line]
  end
  expressions = rows("values.jsonl").map { |value| value.fetch("ruby") }

  rows("instance.jsonl").each do |row|
    it "decides #{row.fetch("type")} as Puppet does" do
      with_runtime(aliases) do |runtime|
        type = runtime.type(row.fetch("type"))
        answers = expressions.zip(row.fetch("result").chars).filter_map do |ruby, expected|
          next if expected == "E"

          actual = type.instance?(eval(ruby, TOPLEVEL_BINDING.dup)) ? "1" : "0" # The expressions are the contract's.
          "#{ruby}: #{actual}" if actual != expected
        end
        expect(answers).to be_empty
      end
    end
  end
end
