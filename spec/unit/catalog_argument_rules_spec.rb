# frozen_string_literal: true

require_relative "../support/module_tree"

# Accepted parameters of classes, defined types and resources. All answers are Puppet 8.11's.
RSpec.describe "Parameters, as Puppet checks them" do
  include ModuleTree

  files = {
    "own/lib/puppet/functions/own/pick.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::pick') do
        dispatch(:text) { param 'String', :x; return_type 'String' }
        dispatch(:number) { param 'Integer', :x; return_type 'Optional[Integer]' }
        dispatch(:anything) { param 'Array', :x }
        def text(x) = x
        def number(x) = x
        def anything(x) = x
      end
    RUBY
    "own/lib/puppet/parser/functions/own_old.rb" =>
      "Puppet::Parser::Functions.newfunction(:own_old, type: :rvalue, arity: 1) { |_| 'x' }",
    "own/manifests/init.pp" => <<~PUPPET
      class own(
        $missing = lookup('own::nowhere'),
      ) { }
    PUPPET
  }.freeze

  define_method(:outcome) do |code|
    with_runtime(files, node: "web1") do |runtime|
      runtime.compile(code)
      runtime.logs.to_a.map(&:last)
    rescue Puppet::Error => e
      e.message
    end
  end

  untyped = lambda do |name|
    ["Deferred function #{name} has no return_type, unable to guarantee value type during compilation.\n   " \
     "(file & line not available)"]
  end

  describe "a Deferred call of a function in Ruby" do
    statement = "Evaluation Error: Error while evaluating a Resource Statement,"
    {
      "'own::pick', ['a']" => [],
      "'own::pick', [1]" => "#{statement} Class[C]: parameter 'x' expects a String value, got Optional[Integer] " \
                            "(line: 1, column: 24) on node web1",
      "'own::pick', [[1]]" => untyped.call("own::pick"),
      "'own::pick', [{}]" => "#{statement} No matching arity found for own::pick with arguments [{}] " \
                             "(line: 1, column: 24) on node web1",
      "'own::pick'" => "#{statement} No matching arity found for own::pick with arguments  (line: 1, column: 24) on node web1",
      "'own_old', [1]" => untyped.call("own_old"),
      "'own_old', []" => "#{statement} No matching arity found for own_old with arguments [] " \
                         "(line: 1, column: 24) on node web1"
    }.each do |call, answer|
      it "#{call} has the type that its signature states" do
        expect(outcome("class c(String $x) { } class { 'c': x => Deferred(#{call}) }")).to eq(answer)
      end
    end

    it "is checked in the order of the parameters' declarations" do
      code = "class c(String $x, String $y) { } class { 'c': y => Deferred('own::pick', [{}]), x => Deferred('own::pick', [[]]) }"
      expect(outcome(code)).to start_with("#{statement} No matching arity found for own::pick with arguments [{}]")
      expect(outcome("class c(String $x = Deferred('own::pick', [1])) { } include c")).to include("got Optional[Integer]")
    end

    it "is an unforeseen error of the compiler where resources of defined types are evaluated" do
      expect(outcome("define d($x) { } d { 'a': x => Deferred('own::pick', [{}]) }")).to eq(
        "Puppet::Parser::Compiler failed with error ArgumentError: No matching arity found for own::pick with arguments " \
        "[{}] on node web1"
      )
      expect(outcome("define d($x) { } @d { 'a': x => Deferred('own::pick', [{}]) }"))
        .to eq("No matching arity found for own::pick with arguments [{}] on node web1")
    end

    it "is not checked for types in Ruby" do
      expect(outcome("notify { 'a': message => Deferred('own::pick', [{}]) }")).to eq([])
    end

    it "cannot be of a variable, or of a function that does not exist" do
      expect(outcome("class c($x) { } class { 'c': x => Deferred('$facts') }")).to include("Deferred of the variable '$facts'")
      expect(outcome("class c($x) { } class { 'c': x => Deferred('nosuch') }")).to include("unknown function 'nosuch'")
    end
  end

  describe "create_resources" do
    call = "Evaluation Error: Error while evaluating a Function Call,"
    {
      "'notify', {'a' => undef}" => "#{call} no implicit conversion of nil into Hash",
      "'notify', {'a' => 'b'}" => "#{call} no implicit conversion of String into Hash",
      "'notify', {'a' => [1]}" => "#{call} no implicit conversion of Array into Hash",
      "'notify', {'a' => {undef => 1}}" => "#{call} 'name' is a required option for Puppet::Parser::Resource::Param",
      "'notify', {undef => {}}" => "#{call} No title provided and :notify is not a valid resource reference",
      "'::notify', {'a' => {}}" => "#{call} Unknown resource type: '::notify'"
    }.each do |arguments, answer|
      it "(#{arguments}) fails" do
        expect(outcome("create_resources(#{arguments})")).to eq("#{answer} (line: 1, column: 1) on node web1")
      end
    end

    it "places the error of a virtual class at the line, as a problem of its own" do
      expect(outcome("class a { }\n create_resources('@class', {'a' => {}})"))
        .to eq("Evaluation Error: Classes are not virtualizable (file: unknown, line: 2) on node web1")
    end

    it "needs the name of a type" do
      expect(outcome("create_resources(Notify, {'a' => {}})")).to include("first argument must be a String")
    end
  end

  it "refuses types that are no reference to a resource" do
    place = "(line: 1, column: 15) on node web1"
    expect(outcome("notify { 'a': message => CatalogEntry }")).to eq(
      "Evaluation Error: Error while evaluating a '=>' expression, Cannot split the type Puppet::Pops::Types::PCatalogEntryType, it " \
      "represents neither a PClassType, nor a PResourceType. #{place}"
    )
    # Puppet fails with an error of Ruby's.
    expect(outcome("notify { 'a': message => [Resource] }")).to eq(
      "Evaluation Error: Error while evaluating a '=>' expression, Resource names no type, so it is no reference to a resource #{place}"
    )
  end

  it "reports a JSON file of data that is empty as Ruby's library does" do
    data = {"own/hiera.yaml" => "{version: 5, hierarchy: [{name: a, path: a.json, data_hash: json_data}]}", "own/data/a.json" => "\n"}
    with_runtime(files.merge(data), node: "web1") do |runtime|
      expect { runtime.compile("notice(lookup('own::x'))") }
        .to raise_error(%r{\AUnable to parse \(.*/own/data/a.json\): unexpected token at '' on node web1\z})
    end
  end

  it "places data that is missing for a default value at the definition" do
    expect(outcome("include own")).to match(
      %r{\AFunction lookup\(\) did not find a value for the name 'own::nowhere' \(file: .*own/manifests/init.pp, line: 1\) on node web1\z}
    )
    expect(outcome("\ndefine d($x = lookup('nowhere')) { }\n d { 'a': }")).to eq(
      "Evaluation Error: Error while evaluating a Resource Statement, Function lookup() did not find a value for the name " \
      "'nowhere' (line: 2) (line: 3) on node web1"
    )
  end
end
