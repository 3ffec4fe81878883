# frozen_string_literal: true

require_relative "../support/differential"
require_relative "catalog_programs/comparison"

# Each program is compiled by real Puppet and by puppetfn, in one process each.
RSpec.describe "Catalog programs, compared with real Puppet", :differential do
  # PUPPETFN_PROGRAMS=5000 PUPPETFN_SEED=1 rspec spec/differential/catalog_programs_spec.rb
  count = Integer(ENV.fetch("PUPPETFN_PROGRAMS", "200"))
  seed = Integer(ENV.fetch("PUPPETFN_SEED", "4"))

  before(:all) { @session = Differential::ProgramSession.new }
  after(:all) { @session.close }

  let(:comparison) { Differential::ProgramComparison.new(@session) }

  it "have the same resources, edges, tags, errors and messages: #{count} programs from number #{seed} on" do
    results = comparison.results(seed.step(by: 1).first(count).map { |number| Differential::CatalogPrograms.of(number) })
    differing = results.reject(&:same?)

    expect(differing).to be_empty, -> { "#{differing.size} programs differ:\n#{differing.first(5).join("\n")}" }
    expect(results.count(&:made_catalog)).to be > count * 0.6
  end

  # What programs drawn at random have shown to differ, and does no more.
  found = File.read(File.join(__dir__, "catalog_programs.pp.txt"), encoding: "UTF-8").sub(/\A#.*\n/, "").split(/^-+\n/)
  found.each do |code|
    it "have the same resources, edges, tags, errors and messages: #{code.lines.first.chomp}" do
      program = Differential::CatalogProgram.new(
        number: 0, code: code, files: {}, node: "web12.example.com", in_file: false, settings: {"strict" => "error", "strict_variables" => true}
      )
      expect(comparison.results([program]).first).to be_same
    end
  end

  it "are the same each time" do
    expect(Differential::CatalogPrograms.of(seed)).to eq(Differential::CatalogPrograms.of(seed))
  end

  it "are made smaller as long as they differ" do
    program = Differential::CatalogPrograms.of(seed)
    program.code += "class odd {\n  if true {\n    notify { 'odd': message => [1, 2] }\n  }\n}\n"
    smaller = Differential::ProgramShrinker.new { |candidate| candidate.code.include?("notify { 'odd'") }.shrink(program)

    expect(smaller.files).to be_empty
    expect(smaller.code).to eq("    notify { 'odd': }\n").or eq("    notify { 'odd'}\n")
  end
end
