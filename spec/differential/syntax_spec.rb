# frozen_string_literal: true

require_relative "../support/syntax_differential"

RSpec.describe "Code of real modules, compared with real Puppet", :differential do
  # Files that Puppet 7 reads otherwise, with the reason.
  other_in_puppet7 = {
    "apache/types/oidcsettings.pp" => "Puppet 8 takes Optional['a'] for a literal key, so the file declares one twice"
  }

  # Small texts that are read otherwise, with the reason.
  other_snippets_in_puppet7 = {
    "$a = { File => 1, File => 2," => "Puppet 7 takes no type for a literal key",
    "class a(Integer[$x] $y) { }" => "Puppet 8 deprecates types of a class's parameters that are no literals",
    "class a(Foo[Bar] $y, Integer[1+1] $z) { }" => "the same"
  }
  other_snippets = {
    "0x7FFFFFFFFFFFFFFF 0xFFFFFFFFFFFFFFFFF" => "an integer of more than 64 bits is an error of syntax, found before all others"
  }

  let(:run) { Differential::SyntaxRun.shared }

  def listed(comparisons)
    comparisons.first(10).join("\n")
  end

  it "is all of the modules' code" do
    expect(run.files.size).to be > 1_900
  end

  it "has the same trees, errors and warnings" do
    differing = run.files.reject(&:same?)
    meant, others = differing.partition { |c| other_in_puppet7.keys.any? { |name| c.text.name.end_with?(name) } }
    expect(others).to be_empty, -> { "#{others.size} of #{run.files.size} files differ:\n#{listed(others)}" }
    expect(meant.size).to eq(Differential.puppet7? ? other_in_puppet7.size : 0), "a listed file does not differ any more"
  end

  it "is taken or refused alike when it is changed a little, at the same place" do
    differing = run.mutants.reject(&:same_verdict?)
    expect(run.mutants.size).to be >= 5_000
    expect(differing.size).to be <= run.mutants.size / 100, -> { "#{differing.size} texts differ:\n#{listed(differing)}" }
  end

  it "is refused in Puppet's words, unless those are Ruby's" do
    refused = run.mutants.select { |c| c.puppet.start_with?("error: ") }
    differing = refused.reject(&:same?)
    expect(refused.size).to be > 4_000
    expect(differing).to be_empty, -> { "#{differing.size} errors differ:\n#{listed(differing)}" }
  end

  it "is read alike where it is written for a rule of the language" do
    differing = run.snippets.reject { |c| c.same? || c.crashed? }
    known = other_snippets.keys + (Differential.puppet7? ? other_snippets_in_puppet7.keys : [])
    meant, others = differing.partition { |c| known.any? { |start| c.text.code.start_with?(start) } }
    expect(run.snippets.size).to be > 700
    expect(others).to be_empty, -> { "#{others.size} texts differ:\n#{listed(others)}" }
    unneeded = known.reject { |start| meant.any? { |c| c.text.code.start_with?(start) } }
    expect(unneeded).to be_empty, -> { "these do not differ any more: #{unneeded}" }
  end
end
