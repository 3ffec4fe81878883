# frozen_string_literal: true

require "json"

RSpec.describe "Puppet's own resource types" do
  let(:descriptions) { JSON.parse(File.read(File.join(__dir__, "../../crates/catalog/src/puppet_types.json"))) }
  let(:runtime) { Puppetfn::Runtime.new }

  it "are read without running them to the attributes that they have" do
    descriptions.reject { |description| description["name"].empty? }.each do |description|
      names, keys, isomorphic = runtime.type_outline(description["name"])
      attributes = description["attributes"]
      expect(attributes.map { |one| one["name"] } + Puppetfn::Puppet::Type.metaparams.map(&:to_s)).to match_array(names.map(&:to_s))
      expect(attributes.select { |one| one["namevar"] }.map { |one| one["name"] }).to match_array(keys.map(&:to_s))
      expect([description["isomorphic"] || false, description["open"] || false]).to eq([isomorphic, false])
    end
  end

  it "have default providers, and only those are asked whether their libraries are installed" do
    asked = []
    allow(Puppetfn::Puppet.features).to receive(:cfpropertylist?) { asked << Facter.value("os.name") }
    chosen = %w[Debian Darwin].map do |name|
      Puppetfn::Runtime.new(facts: {"os" => {"name" => name, "family" => name}}).activate do
        %w[package user].map do |type|
          Puppetfn::Runtime.current.resource_types.type(type).tap { |one| one.defaultprovider = nil }.defaultprovider.name
        end
      end
    end
    expect([chosen, asked]).to eq([[%i[apt useradd], %i[pkgdmg directoryservice]], %w[Darwin Darwin]])
  end

  it "all have the metaparameters, which have no type of their own" do
    names = descriptions.last["attributes"].map { |attribute| attribute["name"].to_sym }
    expect(names).to eq(Puppetfn::Puppet::Type.metaparams)
  end
end
