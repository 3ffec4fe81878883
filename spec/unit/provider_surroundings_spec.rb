# frozen_string_literal: true

require_relative "../support/module_tree"

# What the code of types and providers finds around it. All answers are Puppet 8.11's.
RSpec.describe Puppetfn::Runtime, "and the surroundings of providers" do
  include ModuleTree

  it "have the constants of versions that Puppet's providers of packages leave at the top level" do
    provider = <<~RUBY
      Puppet::Type.type(:package).provide(:shelf) do
        def self.ranges = [GEM_VERSION_RANGE.parse('>=1', GEM_VERSION), VersionRange, DebianVersion.parse('1:2').epoch]
        def self.missing = NO_VERSION
      end
    RUBY
    with_runtime({"shop/lib/puppet/provider/package/shelf.rb" => provider}) do |runtime|
      runtime.activate do
        shelf = runtime.resource_type("package").provider(:shelf)

        range, *others = shelf.ranges
        expect([range.to_s, others]).to eq([">=1", [Puppet::Util::Package::Version::Range, 1]])
        expect { shelf.missing }.to raise_error(NameError, /NO_VERSION/)
      end
    end
    expect(Object.const_defined?(:GEM_VERSION_RANGE)).to be(false)
  end

  it "have features of modules in place of those that Puppet has in a file of its own" do
    files = {
      "shop/lib/puppet/feature/telnet.rb" => "Puppet.features.add(:telnet, libs: [])",
      "shop/lib/puppet/feature/openssl.rb" => "Puppet.features.add(:openssl) { raise 'never asked' }"
    }
    features = Puppetfn::Puppet::Features.new
    allow(features).to receive(:require).and_call_original
    allow(features).to receive(:require).with("net/telnet").and_raise(LoadError)
    expect(features.telnet?).to be(false)
    with_runtime(files) do |runtime|
      allow(Puppet).to receive(:features).and_return(features)

      expect(runtime.activate { [features.telnet?, features.openssl?] }).to eq([true, true])
    end
  end

  it "have values shown with each container within another on a line of its own" do
    {
      [[1], [2]] => "[\n  [1],\n  [2]]", [{"a" => ["b"]}] => "[\n  {\n    'a' => ['b']\n  }]", [1, "x"] => "[1, 'x']",
      {"a" => {"b" => 1}} => "{\n  'a' => {\n    'b' => 1\n  }\n}", {} => "{\n\n}", "x" => "'x'", 5 => "5"
    }.each { |value, shown| expect(Puppet::Parameter.format_value_for_display(value)).to eq(shown) }
  end
end
