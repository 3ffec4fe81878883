# frozen_string_literal: true

require_relative "../support/drop_in"

# What the drop-in holds, and what it keeps from one question to the next.
RSpec.describe "garbage collection in Puppet", :differential do
  it "leaves the answers of each piece as they are, at any moment, be objects moved or not" do
    run = DropIn.run("on", File.join(DropIn::DIRECTORY, "stress.rb"))

    expect(run.output).to eq("42 questions\n")
    pieces = run.report.except("differences").select { |_, piece| piece["state"] == "on" }
    taken = pieces.transform_values { |piece| piece["taken"] }
    expect(taken.except("catalog").size).to eq(6)
    expect(taken.except("catalog").select { |_, times| times < 10 }).to be_empty
  end

  it "leaves catalogs as they are, also those of several threads" do
    run = DropIn.run("on", File.join(DropIn::DIRECTORY, "stress_catalogs.rb"))

    expect(run.output).to eq("10 resources\nby threads: {true=>40}\n")
    expect(run.report["catalog"]).to include("taken" => 44, "declined" => {})
  end
end
