# frozen_string_literal: true

require_relative "../support/drop_in"

# What the drop-in holds, and what it keeps from one question to the next.
RSpec.describe "garbage collection in Puppet", :differential do
  it "leaves the answers of each piece as they are, at any moment, be objects moved or not" do
    run = DropIn.run("on", File.join(DropIn::DIRECTORY, "stress.rb"))

    expect(run.output).to eq("42 questions\n")
    pieces = run.report.except("differences").select { |_, piece| piece["state"] == "on" }
    taken = pieces.transform_values { |piece| piece["taken"] }
    expect(taken.size).to eq(6)
    expect(taken.select { |_, times| times < 10 }).to be_empty
  end
end
