# frozen_string_literal: true

require "spec_helper"

describe "shop::where" do
  context "with parameters of the node" do
    let(:node_params) { {"shelf" => "from the node"} }

    it { expect(scope["shelf"]).to be_nil }
    it { is_expected.to run.with_params("shelf").and_return(nil) }
  end

  context "with a scope of its own" do
    let(:scope) { double("a scope", call_function: "of the scope") }

    it { expect(call_function("shop::where")).to eq("of the scope") }
    it { expect(scope.call_function("x", [])).to eq("of the scope") }
  end

  context "with code before and after" do
    let(:pre_condition) { ["$a = 1", "notify { 'before': }"] }
    let(:post_condition) { "notify { 'after': }" }

    it { expect(scope["a"]).to eq(1) }
    it { expect(catalogue.resource("Notify[before]")).not_to be_nil }
    it { expect(catalogue).to contain_notify("before") }
    it { expect(catalogue.resource("Notify[after]")).to be_nil }
  end

  context "with parameters that mean nothing" do
    let(:params) { {"a" => 1} }
    let(:title) { "x" }

    it { is_expected.to run.with_params("a") }
  end

  context "with modules elsewhere" do
    let(:module_path) { File.expand_path("../fixtures", __dir__) }

    it { expect(Puppet[:modulepath]).to eq(module_path) }
  end

  context "with external facts that are trusted" do
    let(:trusted_external_data) { {"asset" => {"tag" => 7}} }

    it { expect(scope["trusted"]["external"]).to eq({}) }
  end

  context "without anything" do
    it { expect(scope.to_s).to eq("Scope(Class[main])") }
    it { expect(scope.compiler.catalog).to equal(catalogue) }
    it { expect(scope.compiler.topscope).to equal(scope) }
    it { expect(scope.call_function("shop::where", ["environment"])).to eq("rp_env") }
    it { expect(scope.environment.to_s).to eq("rp_env") }
    it { expect(subject.execute("hostname")).to eq(Puppet[:certname].split(".").first) }
    it { expect(subject.func_name).to eq("shop::where") }
    it { expect(environment).to eq("rp_env") }
    it { expect(Puppet[:strict_variables]).to be(true) }
    it { expect(Puppet.lookup(:current_environment).name).to eq(:rp_env) }
  end
end
