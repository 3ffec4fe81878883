# frozen_string_literal: true

require "spec_helper"

describe "shop::line" do
  context "with code that declares resources of defined types" do
    let(:pre_condition) do
      <<~PUPPET
        class shelf($size = 3) { }
        define drawer($label) { notify { "drawer ${label}": } }
        include shelf
        drawer { 'a': label => 'pens' }
        Notify <| |> { withpath => true }
      PUPPET
    end

    it { expect(catalogue).to contain_notify("drawer pens").with_withpath(true) }
    it { expect(catalogue.resource("Class[shelf]").parameters[:size].value).to eq(3) }
    it { expect(catalogue.resource("Drawer[a]")[:label]).to eq("pens") }
  end

  context "with code that does not compile" do
    let(:pre_condition) { "define broken { fail('broken') }\nbroken { 'a': }" }

    it { expect { subject }.to raise_error(Puppet::Error, /broken/) }
  end

  context "with a fact that is undef" do
    let(:facts) { {"shelf" => {"size" => nil}} }

    it { expect(scope["facts"]["shelf"]).to eq("size" => nil) }
  end

  context "with a template that names variables of the function" do
    let(:pre_condition) { "function shop::shown($pen) { inline_template('<%= @pen %> <%= scope[\"pen\"] %>') }" }

    it { expect(call_function("shop::shown", "red")).to eq("red red") }
  end

  context "with a context of a lookup" do
    let(:context) { Puppet::Pops::Lookup::Context.new("rp_env", "shop") }

    it { expect(call_function("assert_type", Puppet::Pops::Types::TypeParser.singleton.parse("Puppet::LookupContext"), context)).not_to be_nil }
  end
end
