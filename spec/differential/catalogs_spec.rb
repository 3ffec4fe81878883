# frozen_string_literal: true

require "json"
require "open3"
require_relative "../support/differential"
require_relative "catalog_side/describe"

# Each manifest is compiled by real Puppet and by puppetfn, in one process each.
RSpec.describe "Catalogs, compared with real Puppet", :differential do
  before(:all) do
    @puppet, @puppetfn = Differential::SIDES.map do |side|
      file = File.join(Differential::DIRECTORY, "catalog_side", "#{side}.rb")
      output, errors, status = Open3.capture3(*Differential::RUBY, file)
      raise "#{side}: #{errors}" unless status.success?

      JSON.parse(output)
    end
  end

  written = Differential::CatalogSide::WRITTEN
  written.each_with_index do |manifest, index|
    it "has the same resources, parameters, tags, edges and errors: #{manifest.lines.first.chomp}" do
      expect(@puppetfn["written"][index]).to eq(@puppet["written"][index])
    end
  end

  it "is about catalogs and errors" do
    failed = @puppet["written"].count { |answer| answer.key?("error") }
    expect([failed, @puppet["written"].size - failed]).to eq([11, written.size - 11])
  end

  # Puppet stumbles over what it does not expect; what puppetfn says then is in docs/compatibility.md.
  stumbled = /undefined method|no implicit conversion|Invalid tag 'sensitive /
  # What is realized at the end has no place any more, and what a text declares has a file without a name.
  words = ->(answer) do
    error = answer["error"]&.sub(/\APuppet::Parser::Compiler failed with error ArgumentError: /, "")
    error&.sub(/\AEvaluation Error: Error while evaluating a Function Call, (.*) \(line: 6, column: \d+\)\z/m, '\1')
      &.gsub("file: unknown, ", "")
  end

  Differential::CatalogCalls.all.each do |name, manifests|
    it "are the same after calls of #{name} with all kinds of arguments" do
      answers = manifests.zip(@puppet["calls"][name], @puppetfn["calls"][name])
      differing = answers.reject do |_, theirs, ours|
        theirs == ours || stumbled.match?(theirs["error"]) || (theirs["error"] && words.(theirs) == words.(ours))
      end

      expect(differing.map { |answer| answer.join("\n  ") }).to eq([])
      expect(answers.count { |_, theirs, _| theirs.key?("resources") }).to be > 0
    end
  end
end
