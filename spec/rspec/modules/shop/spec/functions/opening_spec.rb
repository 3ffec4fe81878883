# frozen_string_literal: true

require "spec_helper"

describe "shop::opening" do
  hieradata = File.expand_path("../fixtures/hieradata", __dir__)

  it { is_expected.to run.and_return(8) }
  it { expect(call_function("lookup", "shop::name")).to eq("The shop") }

  context "with data of its own" do
    let(:hiera_config) { File.join(hieradata, "hiera.yaml") }

    it { is_expected.to run.and_return(9) }
    it { expect(call_function("lookup", "shop::closing")).to eq("9:30") }
    it { expect(call_function("lookup", "shop::holidays")).to eq(["Sunday"]) }
    it { expect(call_function("lookup", "shop::name")).to eq("The shop") }
    it { expect { call_function("lookup", "shop::nothing") }.to raise_error(Puppet::DataBinding::LookupError, /did not find a value for the name 'shop::nothing'/) }

    context "for a fact" do
      let(:facts) { {"weekday" => "Monday"} }

      it { is_expected.to run.and_return(10) }
      it { expect(call_function("lookup", "shop::holidays")).to eq(["Monday", "Sunday"]) }
      it { expect(scope.call_function("hiera", ["shop::opening"])).to eq(10) }
    end

    context "in code that comes first" do
      let(:pre_condition) { "$opening = lookup('shop::opening')" }

      it { expect(scope["opening"]).to eq(9) }
    end
  end

  context "with other data" do
    let(:hiera_config) { File.join(hieradata, "other.yaml") }

    it { is_expected.to run.and_return(23) }
  end

  context "with data that is not there" do
    let(:hiera_config) { File.join(hieradata, "nothing.yaml") }

    # As without, but that data beside it counts.
    it { is_expected.to run.and_return(9) }
  end

  context "with settings about the data of modules" do
    before do |example|
      example.metadata[:settings].each do |name, value|
        allow(RSpec.configuration).to receive(name).and_return(value)
      end
    end

    it("can be without", settings: {disable_module_hiera: true}) { is_expected.to run.and_return(0) }
    it("can be elsewhere", settings: {fixture_hiera_configs: {"shop" => File.join(hieradata, "other.yaml")}}) { is_expected.to run.and_return(23) }
    it("can be that of specs", settings: {use_fixture_spec_hiera: true}) { is_expected.to run.and_return(9) }
  end
end
