# frozen_string_literal: true

require_relative "../support/differential"

RSpec.describe "Functions of real modules, compared with real Puppet", :differential do
  let(:run) { Differential::Run.shared }

  it "are found" do
    expect(Differential.function_files).not_to be_empty
  end

  Differential.function_files.each_key do |name|
    describe name do
      it "shows the same signatures" do
        expect(run.comparisons("signatures", name)).to agree
      end

      it "gives the same answers" do
        expect(run.comparisons("modules", name)).to agree
      end
    end
  end

  it "are given thousands of calls" do
    expect(run.topics("modules").sum { |name| run.comparisons("modules", name).size }).to be > 3_000
  end
end
