# frozen_string_literal: true

require_relative "../support/differential"
require_relative "pal_calls"

# Puppet::Pal of `puppetfn/pal` gives the answers of real Puppet's.
RSpec.describe "Puppet::Pal" do
  def answers(side)
    Dir.mktmpdir("differential") do |directory|
      outcomes = File.join(directory, "outcomes")
      Differential.execute("pal_runner.rb", side, outcomes) { |log| raise "#{side} ended before all was answered\n#{log}" }
      JSON.parse(File.read(outcomes))
    end
  end

  # The calls that are answered differently, with the reasons; docs/pal.md has them.
  deviations = {
    'script(set_local_facts: false) { |c| c.evaluate_string("$trusted") }' => "these variables always have a value",
    'script(variables: {"n::x" => 1, "::y" => 2}) { |c| c.evaluate_string("[$n::x, $y]") }' =>
      "Puppet sets a variable that no code can name"
  }

  let(:comparisons) do
    Differential::PAL_CALLS.zip(answers("puppet"), answers("puppetfn")).map { |values| Differential::Comparison.new(*values) }
  end

  it "answers as Puppet does" do
    expect(comparisons.reject { |comparison| deviations.key?(comparison.code) }).to agree
    expect(comparisons.select { |comparison| deviations.key?(comparison.code) && comparison.same? }).to be_empty
  end
end
