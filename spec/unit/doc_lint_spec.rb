# frozen_string_literal: true

require_relative "../support/module_tree"

# The rules of the function API that Puppet does not enforce.
RSpec.describe Puppetfn::Doc, "#findings" do
  include ModuleTree

  # What is found in a file, without its path, and without what is about comments.
  def findings(text)
    with_modules("f.rb" => text) do |root|
      found = described_class.read("#{root}/f.rb").findings
      expect(found.map(&:file).uniq - ["#{root}/f.rb"]).to be_empty
      found.reject { |finding| finding.rule.start_with?("undocumented") }.map { |finding| [finding.line, finding.rule] }
    end
  end

  # The same for the block of a function; its first line is line 1.
  def found(body, base = "")
    findings("Puppet::Functions.create_function(:f#{base}) do #{body}\nend")
  end

  def in_method(code, types: {x: "Any"})
    parameters = types.map { |name, type| "param #{type.inspect}, :#{name}" }.join("; ")
    found("dispatch(:run) { #{parameters} }\ndef run(#{types.keys.join(", ")})\n  #{code}\nend")
  end

  def internal
    ", Puppet::Functions::InternalFunction"
  end

  it "says file, line, what is wrong, and the rule" do
    with_modules("f.rb" => "# Does.\nPuppet::Functions.create_function(:f) do\n  X = 1\n  # @return it\n  def f = X\nend") do |root|
      finding = described_class.read("#{root}/f.rb").findings.first
      expect(finding.to_s).to eq("#{root}/f.rb:3: the constant X is defined outside of the function, for all of Ruby, and stays " \
                                 "when the file is loaded again; use a method that returns the value [constant]")
      expect(finding.to_a).to eq(["#{root}/f.rb", 3, :constant, finding.message])
    end
  end

  it "The function may not define Ruby constants" do
    expect(found("\nX = 1\nX ||= 2\nA::B, y = 1, 2\n::C = 3\nx = X\nX == 1\ndef f(x = X) = 1")).to eq([2, 3, 4, 5].map { |line| [line, :constant] })
    expect(found("\nX = 1\ndef f = 1", internal)).to eq([])
    expect(findings("X = 1\nPuppet::Functions.create_function(:f) { def f = 1 }")).to eq([])
  end

  it "The function may not contain nested classes or modules" do
    expect(found("\nclass A; X = 1; end\nmodule B::C; end\nclass << self; end\ndef f = 1")).to eq(
      [[2, :constant], [2, :nested_class], [3, :nested_class]]
    )
  end

  it "The function may not implement any of the reserved methods" do
    expect(found("\ndef loader = 1\ndef f = 1\nattr_reader :x, :closure_scope\ndefine_method(:call_function) { }\nalias loader f\nprivate def closure_scope = 1"))
      .to eq([2, 4, 5, 6, 7].map { |line| [line, :reserved_method] })
    expect(found("def f = loader\ndef loaders = call_function('x')")).to eq([])
  end

  it "it is forbidden to bind the function in a fashion that prevents reloading" do
    expect(findings("F = Puppet::Functions.create_function(:f) do\ndef f = 1\nend")).to eq([[1, :kept_function]])
    expect(findings("f = Puppet::Functions.create_function(:f) do\ndef f = 1\nend")).to eq([])
  end

  it "if initialization is required, the super version must be called" do
    expect(found("\ndef initialize(scope, loader) = @x = 1\ndef f = 1")).to eq([[2, :initialize_without_super]])
    expect(found("def initialize(scope, loader)\nsuper\n@x = 1\nend\ndef f = 1")).to eq([])
  end

  it "a function can implement call, and either relay to the super version or dispatch" do
    expect(found("\ndef call(scope, *args) = 1\ndef f = 1")).to eq([[2, :call_without_dispatch]])
    expect(found("def call(scope, *args) = self.class.dispatcher.dispatch(self, scope, args)\ndef f = 1")).to eq([])
    expect(found("def call(scope, *args)\nif true then super(scope, *args) end\nend\ndef f = 1")).to eq([])
  end

  it "The function should not mutate the state of the system directly" do
    expect(found("def f\n$x = 1\nENV['x'] = 'y'\nclosure_scope['x'] = 1\nclosure_scope.compiler.add_resource(1)\nend").map(&:first)).to eq([2, 3, 4, 5])
    expect(found("def f\ny = $x\nENV['x']\nclosure_scope['facts']['x']\n@cache = 1\nend")).to eq([])
  end

  it "It is not allowed to follow optional arguments with a required argument" do
    expect(found("\ndef f(a, b = 1, c) = 1")).to eq([[2, :required_after_optional]])
    expect(found("\ndef f(*a, b) = 1")).to eq([[2, :required_after_optional]])
    expect(found("def f(a, b, c = 10, *d) = 1\ndef helper(a = 1, b) = 1")).to eq([])
  end

  it "local_types must be placed before all dispatchers" do
    types = "local_types { type 'A = Any' }"
    dispatch = "dispatch(:f) { param 'A', :a }"
    expect(found("\n#{dispatch}\n#{types}\ndef f(a) = a")).to eq([[3, :late_local_types]])
    expect(found("\n#{types}\n#{dispatch}\ndef f(a) = a")).to eq([])
  end

  it "care must be taken to specify parameters that are compatible with the method being called" do
    wrong = {"def g(a) = 1" => "param 'Any', :a; param 'Any', :b", "def g(a, b) = 1" => "param 'Any', :a; optional_param 'Any', :b",
             "def g(a, b = 1) = 1" => "repeated_param 'Any', :a", "def g(*a, b:) = 1" => "param 'Any', :a",
             "def g = 1" => "scope_param", "def g(a, *b, c) = 1" => "required_repeated_param 'Any', :a"}
    right = {"def g(*a) = 1" => "param 'Any', :a; repeated_param 'Any', :b", "def g(a, b = 1) = 1" => "param 'Any', :a; optional_param 'Any', :b",
             "def g(a, b: 1, &c) = 1" => "param 'Any', :a; block_param", "def g(s, a) = 1" => "scope_param; param 'Any', :a",
             "def g(a, *b) = 1" => "required_repeated_param 'Any', :a", "def g(...) = 1" => "param 'Any', :a",
             "def g((a, b), c) = 1" => "param 'Any', :a; param 'Any', :c"}
    wrong.each { |method, declared| expect([method, found("\ndispatch(:g) { #{declared} }\n#{method}", internal)]).to eq([method, [[2, :wrong_method]]]) }
    right.each { |method, declared| expect([method, found("\ndispatch(:g) { #{declared} }\n#{method}", internal)]).to eq([method, []]) }
    expect(found("\ndispatch(:g) { }\nargument_mismatch(:h) { }")).to eq([[2, :missing_method], [3, :missing_method]])
    expect(found("\ndispatch(:g) { }\ninclude Enumerable")).to eq([])
  end

  it "functions of the 3.x API that define methods share their names with all others" do
    expect(findings("Puppet::Parser::Functions.newfunction(:f, doc: 'Does.') do |args|\n  def g = 1\nend")).to eq([[2, :legacy_method]])
    expect(findings("Puppet::Parser::Functions.newfunction(:f, doc: 'Does.') do |args|\n  args.shift\n  X = 1\nend")).to eq([])
  end

  describe "The function may not mutate the arguments given to it" do
    it "finds calls of methods that change their receiver" do
      ["x.merge!('a' => 1)", "x.push 1", "x.concat([1])", "x&.clear", "x << 'a'", "(x).pop", "y = x.sort!", "x['a'] = 1", "x['a'] ||= 1",
       "x.default = 1", "x['a']['b'] << 'c'", "x.first.upcase!", "x.dig('a', 'b').push(1)", "[1].each { |y| x.unshift(y) }",
       "x.store(1, 2) if y", "x = x.gsub!('a', 'b')", "x.force_encoding('UTF-8')", "-> { x.shift }"].each do |code|
        expect([code, in_method(code)]).to eq([code, [[3, :mutated_argument]]])
      end
      expect(found("\ndef f(x, y = {}, *z)\n  x.pop\n  y['a'] = 1\n  z[0] << 'a'\n  z.pop\nend").map(&:first)).to eq([3, 4, 5])
    end

    it "leaves alone what changes nothing, or something else" do
      ["x = x.dup\n  x << 'a'", "x += [1]\n  x.push(1)", "x ||= []\n  x << 'a'", "y = x.dup\n  y.push(1)", "x.merge('a' => 1)", "x == 1",
       "x.map { |x| x.upcase! }", "x != 1", "[x].push(x)", "x.to_a.push(1)", "x << 1", "x.delete('a')", "x, y = x.dup, 1\n  x.pop",
       "->(x) { x.pop }", "x.sort.reverse!", "y['a'] = x", "x[0, 1].inspect", "foo(x).clear", "x = [] unless x\n  x.push 1"].each do |code|
        expect([code, in_method(code)]).to eq([code, []])
      end
      expect(found("def helper(x) = x.pop\ndef f(x) = helper(x.dup)")).to eq([])
      expect(in_method("x.pop").size).to eq(1)
      expect(found("dispatch(:f) { param 'Any', :x }\ndef f(x) = x.pop", internal)).to eq([])
    end

    it "knows by the types of parameters what a method does" do
      {"String" => %w[<<], "Array[Integer]" => %w[<< delete], "Hash" => %w[<< delete], "Integer" => [], "Variant[Integer, Float[1, 2]]" => [],
       "Optional[Variant[Array[Any], Hash[String, Any]]]" => %w[<< delete], "Variant[String, Integer]" => [], "Stdlib::Port" => [],
       "Variant[String, Array]" => %w[<<], "Enum['a, b]', c]" => %w[<<]}.each do |type, methods|
        changing = {"<<" => "x << y", "delete" => "x.delete(y)"}.select { |_, code| in_method(code, types: {x: type, y: "Any"}).any? }
        expect([type, changing.keys]).to eq([type, methods])
      end
    end

    it "does not take what is injected for an argument" do
      text = "dispatch(:run) { injected_param 'Hash', :cache; param 'Hash', :x }\ndef run(cache, x)\n  cache['a'] = 1\n  x['a'] = 1\nend"
      expect(found(text)).to eq([[4, :mutated_argument]])
    end
  end

  describe "of comments" do
    # What is found in one file of this name: lines and rules.
    def found_in(name, text)
      with_modules(name => text) do |root|
        described_class.read("#{root}/#{name}").findings.map { |finding| [finding.line, finding.rule, finding.message] }
      end
    end

    it "finds mistakes in examples, where they are" do
      text = "# A.\n#\n# @example Of it\n#\n#   class { 'a':\n#\n#\n#     b => 1\n#     c => 2,\n#   }\n#\n# @example\n#   class { 'a': b => 1 }\nclass a { }\n"
      expect(found_in("init.pp", text)).to eq([[9, :example, "the example 'Of it' is not valid Puppet code: Syntax error at 'c'"]])
    end

    it "passes over examples that are no code, or not all of it" do
      ["a::b:\n  - c: {d: 'e'}", "puppet apply -e 'include a' | grep {", "class { 'a':\n  ...\n}", "class { 'a':\n  b => {\n    <Your settings>\n  }\n}",
       "$a = f(1)\nWould return: 2 3", "class A\n  include B\nend", "it { is_expected.to contain_file('/a') }", "{ \"a\": { \"b\": 1 } }"].each do |example|
        text = "# A.\n# @example\n#{example.gsub(/^/, "#   ")}\nclass a { }\n"
        expect([example, found_in("init.pp", text)]).to eq([example, []])
      end
    end

    it "finds resource types and attributes that nothing is said about" do
      text = "\nPuppet::Type.newtype(:a) do\n  ensurable\n  newparam(:name)\n  newproperty(:b) { desc 'Bee.' }\n  newproperty(:c)\nend\n"
      expect(found_in("a.rb", text).map { |line, rule, message| [line, rule, message[/\A.*?(?= has| is not)/]] }).to contain_exactly(
        [2, :undocumented, "resource type a"], [2, :undocumented_param, "parameter name of the resource type a"],
        [2, :undocumented_param, "property c of the resource type a"]
      )
      documented = "Puppet::Type.newtype(:a) do\n  desc 'A.\n  @example It\n    a { \"b\": c => }\n'\n  newparam(:name) { desc 'Its name.' }\nend\n"
      expect(found_in("a.rb", documented)).to eq([[1, :example, "the example 'It' is not valid Puppet code: Syntax error at '}'"]])
    end

    it "finds data types and attributes that nothing is said about" do
      text = "Puppet::DataTypes.create_type('A') do\n  interface <<-PUPPET\n    attributes => { b => String, c => Integer }\n  PUPPET\nend\n"
      expect(found_in("a.rb", text).map { |line, rule, _| [line, rule] }).to eq([[1, :undocumented]])
      expect(found_in("a.rb", "# A.\n# @param b Bee.\n# @param x None.\n#{text}")).to contain_exactly(
        [3, :unknown_param, "@param x names no attribute of the data type A"],
        [4, :undocumented_param, "attribute c is not documented; add `@param c text`"]
      )
    end
  end
end
