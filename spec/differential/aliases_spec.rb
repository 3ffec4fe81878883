# frozen_string_literal: true

require_relative "../support/differential"

RSpec.describe "Type aliases of real modules, compared with real Puppet", :differential do
  let(:run) { Differential::Run.shared }

  it "are found" do
    expect(Differential.alias_names.size).to be > 100
  end

  Differential.alias_names.each do |name|
    it "#{name} accepts the same values, and refuses others with the same words" do
      expect(run.comparisons("aliases", name)).to agree
    end
  end

  it "are given thousands of values" do
    expect(run.topics("aliases").sum { |name| run.comparisons("aliases", name).size }).to be > 8_000
  end
end
