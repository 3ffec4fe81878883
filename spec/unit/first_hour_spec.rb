# frozen_string_literal: true

require_relative "../support/module_tree"

# What a program is told that is new to puppetfn.
RSpec.describe Puppetfn::Runtime do
  include ModuleTree

  it "is not made with a modulepath that is not there" do
    expect { described_class.new(modulepath: ["/nope"]) }.to raise_error(ArgumentError, "modulepath: /nope does not exist")
    expect { described_class.new(modulepath: [Dir.tmpdir, __FILE__]) }
      .to raise_error(ArgumentError, "modulepath: #{__FILE__} is not a directory")
  end

  it "is not made with facts and variables that are no hashes" do
    %i[facts variables trusted server_facts settings].each do |name|
      expect { described_class.new(name => "x") }.to raise_error(ArgumentError, "#{name}: expected a Hash, got String \"x\"")
    end
    expect { described_class.new(facts: nil) }.to raise_error(ArgumentError, "facts: expected a Hash, got NilClass nil")
  end

  it "says which type there is not, and what was probably meant", :misuse do
    files = {"mod/types/port.pp" => "type Mod::Port = Integer[1]", "mod/types/part.pp" => "type Mod::Part = Nowhere"}
    with_runtime(files) do |runtime|
      {
        "Integr[1]" => "unknown type 'Integr'; did you mean 'Integer'?",
        "Array[Optional[Mod::Prot]]" => "unknown type 'Mod::Prot'; did you mean 'Mod::Port'?",
        "Struct[{a => Stdlib::Fqdn}]" => "unknown type 'Stdlib::Fqdn': there is no module 'stdlib' on the modulepath",
        "Mod::Something" => "unknown type 'Mod::Something'"
      }.each do |text, message|
        expect { expect(runtime.type(text)).not_to be_instance(1) }.to output(/\A#{Regexp.escape(__FILE__)}:\d+: warning: #{Regexp.escape(message)}\n\z/).to_stderr
        expect { runtime.create(text, 1) }.to raise_error(Puppet::ParseError, message)
        expect { runtime.lookup("x", type: text) }.to raise_error(Puppet::ParseError, message)
      end
      # The module says what its types are of.
      expect(runtime.type("Mod::Part").instance?(1)).to be(false)
      runtime.evaluate_string("type Mine = Integer")
      expect(runtime.type("Array[Mine]").instance?([1])).to be(true)
      # As in Puppet, functions that parse types get what is written.
      expect(runtime.compiler.type("Integr").to_s).to eq("TypeReference['Integr']")
    end
  end

  it "says what to use instead of Symbols" do
    runtime = described_class.new
    runtime.define_function("sum") { dispatch(:sum) { param "Hash[String, Integer]", :of }; define_method(:sum) { |of| of.values.sum } }
    runtime.define_function("two") do
      dispatch(:one) { param "Hash[String, String]", :of }
      dispatch(:other) { param "Integer", :of; param "Integer", :more }
      define_method(:one) { |of| of }
      define_method(:other) { |of, _more| of }
    end
    runtime.define_function("own") { define_method(:own) { |of| raise ArgumentError, "no #{of}" } }

    expect { runtime.call_function("sum", {a: 1}) }
      .to raise_error(ArgumentError, /got Hash\[Runtime\[ruby, 'Symbol'\], Integer.* \(use String keys: Puppet has no Symbols\)\z/) { |error|
        expect(error.explain).to include("sum")
      }
    expect { runtime.call_function("two", {a: 1}) }.to raise_error(ArgumentError, /\nuse String keys: Puppet has no Symbols\z/)
    expect { runtime.type("Hash[String, Integer]").assert("it", {a: 1}) }
      .to raise_error(Puppet::Pops::Types::TypeAssertionError, /\(use String keys: Puppet has no Symbols\)\z/)
    expect { runtime.call_function("own", {a: 1}) }.to raise_error(ArgumentError, /\Ano \{.*\}\z/)
    expect { runtime.call_function("sum", {"a" => "b"}) }.to raise_error(ArgumentError, /got Hash\[String, String\]|got String/)
  end

  it "looks up data", :misuse do
    data = {"environment/data/common.yaml" => "port: 80\nusers: {a: {x: 1}}\n", "environment/data/Debian.yaml" => "users: {a: {y: 2}}\n",
            "environment/hiera.yaml" => "{version: 5, hierarchy: [{name: x, paths: ['%{facts.family}.yaml', common.yaml]}]}"}
    with_modules(data) do |root|
      runtime = described_class.new(environment: "#{root}/environment", facts: {"family" => "Debian"})

      expect(runtime.lookup("port")).to eq(80)
      expect(runtime.lookup(%w[nothing port], type: "Integer")).to eq(80)
      expect(runtime.lookup("users", merge: "deep")).to eq("a" => {"x" => 1, "y" => 2})
      expect(runtime.lookup("users")).to eq("a" => {"y" => 2})
      expect(runtime.lookup("nothing", default: nil)).to be_nil
      expect { runtime.lookup("nothing") }.to raise_error(Puppet::DataBinding::LookupError, /did not find a value for the name 'nothing'/)
      expect { runtime.lookup("port", type: runtime.type("String")) }.to raise_error(StandardError, /expects a String value, got Integer/)
      expect { runtime.lookup("port", defualt: 1) }.to raise_error(ArgumentError, "unknown keyword: :defualt, expected merge, type or default")
    end
  end

  it "tells where the report of the drop-in is from" do
    expect { Puppet.report }.to raise_error(Puppetfn::UnavailableError, /`require "puppetfn\/puppet"` puts that under a real Puppet/)
  end
end
