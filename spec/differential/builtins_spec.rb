# frozen_string_literal: true

require_relative "../support/differential"

RSpec.describe "Built-in functions, compared with real Puppet", :differential do
  let(:run) { Differential::Run.shared }

  Differential::BUILTINS.each do |name|
    it "#{name} shows the same signatures" do
      expect(run.comparisons("signatures", name)).to agree
    end
  end

  (Differential::BUILTINS + Differential::OLD_BUILTINS).each do |name|
    # Code in the Puppet language sees the words of an error, not its class.
    it "#{name} gives the same answers" do
      comparisons = run.comparisons("builtins", name)
      expect(comparisons).not_to be_empty
      expect(Differential.unexplained(comparisons.reject(&:same_words?)).map(&:to_s)).to be_empty
    end
  end

  it "are given thousands of calls" do
    expect(run.topics("builtins").sum { |name| run.comparisons("builtins", name).size }).to be > 5_000
  end
end
