# frozen_string_literal: true

require_relative "../support/border"
require_relative "../support/regexes"

# A few inputs of script/verify fuzz-ruby-api and script/verify differential-regexes.
RSpec.describe "What is drawn at random" do
  it "ends in an answer or a clear error, whatever Ruby's values are" do
    outcome = Border.run(seconds: 5, seed: 7_000)
    expect(outcome.wrong).to eq([])
    expect(outcome.answers).to be_positive
  end

  it "is matched by regular expressions as in Ruby" do
    outcome = Regexes.run(seconds: 60, seed: 50, count: 1_500)
    expect(outcome.different).to eq([])
    expect(outcome).to have_attributes(compared: (1_000..), matched: (1_000..))
  end
end
