# frozen_string_literal: true

require_relative "../support/differential"
require_relative "instances/comparison"

# Each program is made instances and a graph by real Puppet and by puppetfn, in one process each.
RSpec.describe "Instances of resource types, compared with real Puppet", :differential do
  # PUPPETFN_PROGRAMS=5000 PUPPETFN_SEED=1 rspec spec/differential/instances_spec.rb
  count = Integer(ENV.fetch("PUPPETFN_PROGRAMS", "25"))
  seed = Integer(ENV.fetch("PUPPETFN_SEED", "4"))

  before(:all) { @session = Differential::ProgramSession.new(Differential::InstanceComparison::RUNNER) }
  after(:all) { @session.close }

  let(:comparison) { Differential::InstanceComparison.new(@session) }
  let(:numbers) { seed...(seed + count) }

  def expect_same(results)
    differing = results.reject { |result| result.differences.empty? }
    expect(differing).to be_empty, -> { "#{differing.size} programs differ:\n#{differing.first(5).flat_map(&:differences).join("\n")}" }
  end

  it "have the same values, titles, tags, errors and messages: #{count} programs from number #{seed} on" do
    results = comparison.results(numbers.map { |number| Differential::InstancePrograms.of(number) })

    expect_same(results)
    expect(results.sum(&:errors)).to be_between(results.sum(&:compared) * 0.2, results.sum(&:compared) * 0.8)
  end

  it "are related in the same way, with the same cycles: #{count} programs from number #{seed} on" do
    results = comparison.results(numbers.map { |number| Differential::InstancePrograms.graph(number) })

    expect_same(results)
    expect(results.sum(&:errors)).to be < count * 0.3
  end

  it "are drawn in the same way each time" do
    expect(Differential::InstancePrograms.of(seed)).to eq(Differential::InstancePrograms.of(seed))
    expect(Differential::InstancePrograms.graph(seed)).to eq(Differential::InstancePrograms.graph(seed))
  end
end
