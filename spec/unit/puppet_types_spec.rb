# frozen_string_literal: true

require "json"
require "puppetfn/doc/own_types"

RSpec.describe "Puppet's own resource types" do
  let(:descriptions) { Puppetfn::Doc::OwnTypes.descriptions }
  let(:runtime) { Puppetfn::Runtime.new }

  it "are described to the core as their files are read" do
    written = File.join(__dir__, "../../crates/runtime/src/catalog/puppet_types.json")
    expect(JSON.parse(File.read(written))).to eq(JSON.parse(JSON.generate(descriptions))), "run `rake puppet_types`"
  end

  it "are read without running them to the attributes that they have" do
    descriptions.each do |description|
      names, keys, isomorphic = runtime.type_outline(description[:name])
      attributes = description[:attributes]
      expect(attributes.map { |one| one[:name] } + Puppetfn::Puppet::Type.metaparams.map(&:to_s)).to match_array(names.map(&:to_s))
      expect(attributes.select { |one| one[:namevar] }.map { |one| one[:name] }).to match_array(keys.map(&:to_s))
      expect([description[:isomorphic] || false, description[:open] || false]).to eq([isomorphic, false])
    end
  end
end
