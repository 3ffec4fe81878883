# frozen_string_literal: true

require_relative "../support/differential"

RSpec.describe "The lists of the comparison with real Puppet", :differential do
  let(:run) { Differential::Run.shared }
  let(:functions) { Differential.function_files.keys }
  let(:legacy_functions) { Differential.legacy_function_names }

  Differential::Deviation.all.each do |deviation|
    it "still needs the deviation: #{deviation.reason}" do
      expect(run.differences.any? { |difference| deviation.covers?(difference) }).to be(true)
    end
  end

  it "names only functions that exist as uncalled" do
    uncalled = ->(*headings) { headings.flat_map { |heading| Differential.uncalled(heading).keys } }
    expect(uncalled.("refused_only", "strict_only") - functions).to be_empty
    expect(uncalled.("legacy", "legacy_written_only") - legacy_functions).to be_empty
  end

  it "names only functions that exist in the calls written by hand" do
    written = ->(file) { YAML.load_file(File.join(Differential::DIRECTORY, file)).keys }
    expect(written.("calls.yaml") - functions).to be_empty
    expect(written.("legacy_calls.yaml") - legacy_functions).to be_empty
  end
end
