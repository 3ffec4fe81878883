# frozen_string_literal: true

require_relative "../support/module_tree"

# Parameters with capitals: code is particular about their case, finished catalogs have them in lower case. All answers are
# Puppet 8.11's.
RSpec.describe "Parameters with capitals" do
  include ModuleTree

  files = {
    "own/lib/puppet/functions/own/seen.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::seen') do
        def seen(reference)
          resource = closure_scope.catalog.resource(reference)
          [resource[:fooBar], resource[:foobar], resource.to_hash.keys]
        end
      end
    RUBY
    "own/lib/puppet/type/own_camel.rb" => "Puppet::Type.newtype(:own_camel) { newparam(:Id, namevar: true); newparam(:fooBar) }"
  }.freeze

  define_method(:catalog) do |code|
    with_runtime(files, node: "web1") { |runtime| runtime.compile(code).to_data_hash }
  end

  def resource(code, reference)
    catalog(code)["resources"].find { |found| "#{found["type"]}[#{found["title"]}]" == reference }
  end

  definitions = {
    "define d($fooBar = 1) { } d { 't': }" => {"foobar" => 1},
    "define d($fooBar = 1) { } d { 't': fooBar => 2 }" => {"foobar" => 2},
    "define d($fooBar = 1) { } create_resources('d', {'t' => {'fooBar' => 2}})" => {"foobar" => 2},
    "define d($fooBar = 1) { } d { 't': fooBar => 1 } D <| fooBar == 1 |> { fooBar => 3 }" => {"foobar" => 3},
    "define d($fooBar = 1) { } d { 't': fooBar => 1 } D <| foobar == 1 |> { fooBar => 3 }" => {"foobar" => 1},
    "define d($xY = 1, $xy = 2) { } d { 't': }" => {"xy" => 2},
    "define d($xY = 1, $xy = 2) { } d { 't': xY => 3 }" => {"xy" => 2},
    "define d($xy = 1, $xY = undef) { } d { 't': }" => {"xy" => 1},
    "define d($nAme = 'other') { } d { 't': }" => {"name" => "other"},
    "define d($nAme = 't') { } d { 't': }" => nil,
    "define d($befOre = [[1], undef]) { } d { 't': }" => {"before" => [[1], nil]}
  }

  definitions.each do |code, parameters|
    it "has #{parameters.inspect} in the catalog of #{code}" do
      expect(resource(code, "D[t]")["parameters"]).to eq(parameters)
    end
  end

  it "has those of classes in lower case, and names what is sensitive as code does" do
    found = resource("class c($fooBar = Sensitive('s'), $plain = 1) { } include c", "Class[C]")
    expect(found).to include("parameters" => {"foobar" => "s", "plain" => 1}, "sensitive_parameters" => ["fooBar"])
  end

  it "has them for code and its functions as they are written" do
    code = "define d($fooBar = 1) { } d { 't': fooBar => 2 } " \
           "notify { 'n': message => [D['t']['fooBar'], own::seen('D[t]')] } "
    expect(resource(code, "Notify[n]").dig("parameters", "message")).to eq([2, [2, nil, %w[name fooBar]]])
  end

  {
    "own_camel { 't': fooBar => 1 }" => /\Ano parameter named 'fooBar'/,
    "file { '/t': oWner => 'me' }" => /\Ano parameter named 'oWner'/,
    "define d($fooBar = 1) { } d { 't': foobar => 2 }" => /D\[t\]: has no parameter named 'foobar'/
  }.each do |code, message|
    it "fails for #{code}" do
      expect { catalog(code) }.to raise_error(Puppet::Error, message)
    end
  end

  it "has those of types in Ruby in lower case" do
    expect(resource("own_camel { 't': foobar => 1 }", "Own_camel[t]")["parameters"]).to eq("foobar" => 1)
    expect(resource("own_camel { 't': name => 'u' }", "Own_camel[t]")["parameters"]).to eq("id" => "u")
  end
end
