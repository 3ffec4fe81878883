# frozen_string_literal: true

require_relative "../support/differential"
require_relative "outcome"

RSpec.describe "Functions of the 3.x API in real modules, compared with real Puppet", :differential do
  let(:run) { Differential::Run.shared }

  called = Differential.legacy_function_names - Differential.uncalled("legacy").keys

  it "are found" do
    expect(called.size).to be > 100
  end

  it "load, all but one that needs a library" do
    runtime = Puppetfn::Runtime.new(modulepath: Differential::MODULEPATH)
    failed = Differential.legacy_function_names.reject do |name|
      runtime.activate { Puppet::Parser::Functions.function(name) }
    rescue Puppet::Error
      false
    end

    expect(failed - ["redisget"]).to be_empty
  end

  called.each do |name|
    it "#{name} gives the same answers" do
      expect(run.comparisons("legacy", name)).to agree
    end
  end

  it "show the same signatures" do
    signatures = run.topics("signatures") & called

    expect(signatures.flat_map { |name| run.comparisons("signatures", name) }).to agree
  end

  it "give a result to most calls" do
    comparisons = called.flat_map { |name| run.comparisons("legacy", name) }

    expect(comparisons.size).to be > 2_500
    expect(comparisons.count { |comparison| comparison.puppet.match?(Differential::Outcome::RAISED) }).to be < comparisons.size / 2
  end
end
