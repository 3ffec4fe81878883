# frozen_string_literal: true

require_relative "../support/differential"
require_relative "dispatch_calls"

RSpec.describe "Dispatch and its errors, compared with real Puppet", :differential do
  let(:run) { Differential::Run.shared }

  # The generator is free of Puppet, so that its topics can name the examples.
  Differential::DispatchCalls.topics.each do |topic|
    it "agrees on #{topic}" do
      expect(run.comparisons("dispatch", topic)).to agree
    end
  end
end
