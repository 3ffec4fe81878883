# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe Puppetfn::Error, :misuse do
  include ModuleTree

  def raised
    yield
    nil
  rescue StandardError => e
    e
  end

  runtime = Puppetfn::Runtime.new(node: "web1")
  {
    "an unknown function" => -> { runtime.call_function("nosuch") },
    "an unknown function in code" => -> { runtime.evaluate_string("nosuch()") },
    "arguments of a function" => -> { runtime.call_function("upcase", 1, 2) },
    "no name of a function" => -> { runtime.call_function },
    "a name that is no text" => -> { runtime.call_function(1) },
    "a syntax error" => -> { runtime.evaluate_string("$a = ") },
    "a failing evaluation" => -> { runtime.evaluate_string("fail('no')") },
    "a failing compilation" => -> { runtime.compile("fail('no')") },
    "a duplicate declaration" => -> { runtime.compile("notify { 'a': } notify { 'a': }") },
    "a script's catalog" => -> { Puppetfn::Runtime.new(node: nil).compile("") },
    "an unknown type" => -> { Puppetfn::Type.parse("Integer[") },
    "a failing assertion" => -> { Puppetfn::Type.parse("Integer").assert("it", "a") },
    "a failing conversion" => -> { runtime.create("Integer", "a") },
    "a file that does not exist" => -> { runtime.evaluate_file("/nosuch.pp") },
    "a modulepath that does not exist" => -> { Puppetfn::Runtime.new(modulepath: ["/nosuch"]) },
    "facts that are no hash" => -> { Puppetfn::Runtime.new(facts: 1) },
    "an unknown permission" => -> { Puppetfn::Runtime.new(allow: [:x]) },
    "an unknown target" => -> { Puppetfn::Runtime.new(target: "puppet1") },
    "a missing key of data" => -> { runtime.lookup("nosuch") },
    "an unknown option of a lookup" => -> { runtime.lookup("a", defualt: 1) },
    "documentation of nothing" => -> { Puppetfn::Doc.read("nosuch") },
    "a graph of nothing" => -> { Puppetfn::Graph.cycles("x") },
    "a comparison of nothing" => -> { Puppetfn::Fleet.diff("/nosuch", "/nosuch") },
    "a wrong option of a compilation" => -> { Puppetfn::Environment.new(Dir.tmpdir).compile("a", strict: "x") },
    "a name of a node that is no text" => -> { Puppetfn::Runtime.new(node: :web1) },
    "an unknown message style" => -> { Puppetfn.messages = :loud },
    "an unknown binding" => -> { runtime.injector.lookup(nil, "String", "x") },
    "a function of cty" => -> { Puppetfn::Cty.call("nosuch") },
    "a type of cty" => -> { Puppetfn::Cty.type([Object.new]) },
    "a version" => -> { runtime.call_function("new", Puppetfn::Type.parse("SemVer"), "x") }
  }.each do |name, call|
    it "is raised for #{name}" do
      expect(raised(&call)).to be_a(described_class)
    end
  end

  it "keeps the classes that Puppet raises" do
    expect(raised { runtime.call_function("upcase", 1, 2) }).to be_an_instance_of(ArgumentError)
    expect(raised { runtime.call_function(1) }).to be_an_instance_of(TypeError)
    expect(raised { runtime.evaluate_string("nosuch()") }).to be_a(Puppet::Error)
  end

  it "is in no class of Ruby's" do
    expect([ArgumentError, TypeError, RuntimeError, StandardError].flat_map(&:ancestors)).not_to include(described_class, Puppetfn::Explained)
    expect(ArgumentError.new).not_to respond_to(:explain)
  end

  it "is not what functions in Ruby raise" do
    own = Puppetfn::Runtime.new
    own.define_function("own") { define_method(:own) { raise IOError, "mine" } }
    expect(raised { own.call_function("own") }).to be_an_instance_of(IOError)
    expect(raised { own.call_function("own") }).not_to be_a(described_class)
    expect(raised { own.evaluate_string("own()") }).to be_a(described_class)
  end

  it "can be marshalled" do
    error = raised { runtime.call_function("upcas", "a") }
    copy = Marshal.load(Marshal.dump(error))
    expect([copy.class, copy.message, copy.name, copy.explain, copy.candidates])
      .to eq([error.class, error.message, "upcas", error.explain, []])
    expect(Marshal.load(Marshal.dump(raised { runtime.call_function("upcase") }))).to be_a(described_class)
  end

  it "knows the name of an unknown function, and similar ones" do
    with_runtime({"m/functions/size.pp" => "function m::size() { 1 }"}) do |own|
      error = raised { own.call_function("m::sise") }
      expect(error).to be_an_instance_of(ArgumentError).and be_a(Puppetfn::UnknownFunctionError)
      expect([error.name, error.candidates, error.message]).to eq(["m::sise", ["m::size"], "Unknown function 'm::sise'"])
      expect(raised { own.call_function(:"no such") }.candidates).to eq([])
    end
  end

  it "knows the unknown function of code, wherever it is called" do
    own = Puppetfn::Runtime.new(node: "web1")
    own.define_function("calling") { define_method(:calling) { call_function("upcas", "a") } }
    codes = ["upcas('a')", "'a'.upcas", "[1].each |$x| { upcas($x) }", "inline_epp('<%= upcas(1) %>')", "calling()",
             "function f() { upcas(1) } f()"]
    errors = codes.flat_map { |code| [raised { own.evaluate_string(code) }, raised { own.compile(code) }] }
    expect(errors.map { |error| [error.name, error.candidates] }.uniq).to eq([["upcas", ["upcase"]]])
    expect(errors).to all(be_a(Puppet::Error).and(be_a(Puppetfn::UnknownFunctionError)))
    expect(raised { own.evaluate_string("fail('no')") }).not_to be_a(Puppetfn::UnknownFunctionError)
    copy = Marshal.load(Marshal.dump(errors.first))
    expect([copy.class, copy.name, copy.candidates]).to eq([Puppet::PreformattedError, "upcas", []])
  end
end

RSpec.describe Puppetfn::Runtime do
  def titles(catalog)
    catalog.resources.map(&:ref).grep(/Notify/)
  end

  it "compiles a catalog at each call" do
    runtime = described_class.new(node: "web1", facts: {"kernel" => "Linux"})
    runtime.define_function("greeting") { define_method(:greeting) { "hello" } }
    runtime.bind("String", "name") { "Ann" }
    first = runtime.compile("class a { notify { 'one': } } include a $x = 1")
    second = runtime.compile("class a { notify { 'two': message => greeting() } } include a $x = $facts['kernel']")
    expect([titles(first), titles(second)]).to eq([["Notify[one]"], ["Notify[two]"]])
    expect(titles(runtime.catalog)).to eq(["Notify[two]"])
    expect(second.resource("Notify[two]")["message"]).to eq("hello")
    expect(first.resource("Class[A]")).to be_a(Puppet::Parser::Resource)
  end

  it "compiles after a failure, with the exports, queries and logs of before" do
    runtime = described_class.new(node: "web1").keep_origins
    runtime.exports = [{type: "Notify", title: "other", certname: "web2"}]
    expect { runtime.compile("notify { 'a': } fail('no')") }.to raise_error(Puppet::Error, /no/)
    catalog = runtime.compile("Notify <<| |>> @@notify { 'mine': } warning('w')")
    expect(titles(catalog)).to include("Notify[other]")
    expect(runtime.exports.map { |resource| resource["title"] }).to eq(["mine"])
    expect(runtime.logs.to_a.map(&:last)).to include(a_string_including("no"), "w")
    expect(catalog.why("Notify[other]")).not_to be_nil
  end

  it "uses definitions of evaluated code for the first catalog" do
    runtime = described_class.new(node: "web1")
    runtime.evaluate_string("function f() { 'x' }")
    expect(titles(runtime.compile("notify { f(): }"))).to eq(["Notify[x]"])
    expect { runtime.compile("notify { f(): }") }.to raise_error(Puppet::Error, /Unknown function: 'f'/)
  end
end

RSpec.describe Puppetfn::Runtime do
  it "says what to write where a Symbol is no name" do
    expect { described_class.new(node: :web1) }.to raise_error(ArgumentError, 'node: expected a String, got Symbol :web1; write node: "web1"')
    runtime = described_class.new(node: "web1")
    {{a: {}} => :a, {"a" => {x: 1}} => :x, [:a] => :a}.each do |classes, name|
      expect { runtime.compile("class a($x = 0) {}", classes: classes) }
        .to raise_error(ArgumentError, "classes: expected Strings as names, got Symbol #{name.inspect}; write \"#{name}\"")
    end
  end

  it "takes facts and variables with Symbols as names, as programs have them" do
    runtime = described_class.new(facts: {os: {family: "Debian"}}, variables: {port: 80})
    expect(runtime.evaluate_string("[$facts['os']['family'], $os['family'], $port]")).to eq(["Debian", "Debian", 80])
  end
end
