# frozen_string_literal: true

require_relative "../support/differential"
require_relative "../differential/programs"

RSpec.describe "Programs drawn at random, compared with real Puppet", :differential do
  # PUPPETFN_PROGRAMS=5000 PUPPETFN_SEED=1 rspec spec/differential/programs_spec.rb
  count = Integer(ENV.fetch("PUPPETFN_PROGRAMS", "300"))
  seed = Integer(ENV.fetch("PUPPETFN_SEED", "4"))

  it "have the same values, errors and messages: #{count} programs from number #{seed} on" do
    numbers = seed.step(by: 1).first(count)
    comparisons = Differential.compare(numbers.map { |number| "program(#{Differential::Programs.of(number).inspect})" })

    expect(comparisons).to agree
    # Most of them have a value.
    expect(comparisons.count { |comparison| !comparison.puppet.match?(Differential::ERROR_CLASSES) }).to be > count / 2
  end

  it "are the same each time" do
    expect(Differential::Programs.of(seed)).to eq(Differential::Programs.of(seed))
  end
end
