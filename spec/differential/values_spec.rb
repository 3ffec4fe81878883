# frozen_string_literal: true

require_relative "../support/differential"
require_relative "value_calls"

RSpec.describe "The methods of values, compared with real Puppet", :differential do
  let(:run) { Differential::Run.shared }

  Differential::ValueCalls.topics.each do |topic|
    it "agree on #{topic}" do
      expect(run.comparisons("values", topic)).to agree
    end
  end
end
