# frozen_string_literal: true

require_relative "../support/differential"

RSpec.describe "The lists of the comparison with real Puppet", :differential do
  let(:run) { Differential::Run.shared }
  let(:functions) { Differential.function_files.keys }

  Differential::Deviation.all.each do |deviation|
    it "still needs the deviation: #{deviation.reason}" do
      expect(run.differences.any? { |difference| deviation.covers?(difference) }).to be(true)
    end
  end

  it "names only functions that exist as uncalled" do
    uncalled = YAML.load_file(File.join(Differential::DIRECTORY, "uncalled.yaml"))
    expect(uncalled.values.flat_map(&:keys) - functions).to be_empty
  end

  it "names only functions that exist in the calls written by hand" do
    written = YAML.load_file(File.join(Differential::DIRECTORY, "calls.yaml"))
    expect(written.keys - functions).to be_empty
  end
end
