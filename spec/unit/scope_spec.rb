# frozen_string_literal: true

RSpec.describe Puppetfn::Scope do
  def scope(**options) = Puppetfn::Runtime.new(**options).scope

  it "has the facts as a hash and as a variable each" do
    scope = scope(facts: {"os" => {"family" => "Debian"}})

    expect([scope["facts"], scope["os"]]).to eq([{"os" => {"family" => "Debian"}}, {"family" => "Debian"}])
  end

  it "has names that are strings for facts given with symbols, at any depth" do
    expect(scope(facts: {os: {family: "Debian"}})["facts"]).to eq("os" => {"family" => "Debian"})
  end

  it "protects facts from being changed" do
    facts = {"list" => ["a"]}
    scope = scope(facts: facts)

    expect { scope["list"] << "b" }.to raise_error(FrozenError)
    expect(facts["list"]).not_to be_frozen
  end

  it "prefers a variable to a fact of the same name" do
    expect(scope(facts: {"x" => 1}, variables: {"x" => 2})["x"]).to eq(2)
  end

  it "finds a variable with and without leading colons" do
    scope = scope(variables: {"::x" => 1, "apache::port" => 80})

    expect([scope["x"], scope["::x"], scope["apache::port"], scope["::apache::port"]]).to eq([1, 1, 80, 80])
  end

  it "has trusted data, frozen" do
    scope = scope(trusted: {"certname" => "node"})

    expect(scope.trusted).to eq("certname" => "node").and be_frozen
  end

  it "names the environment" do
    expect(scope(environment: "environments/staging")["environment"]).to eq("staging")
  end

  describe "an unknown variable" do
    it "is an error, as strict is :error in Puppet 8" do
      expect { scope["nope"] }.to raise_error(ArgumentError, "Undefined variable 'nope'; ")
    end

    it "is named with the colons that it was asked for with" do
      expect { scope["::nope"] }.to raise_error(ArgumentError, "Undefined variable '::nope'; ")
    end

    it "is blamed on the class that is not there when it is qualified" do
      expect { scope["a::b::c"] }
        .to raise_error(ArgumentError, "Undefined variable 'a::b::c'; class a::b could not be found")
    end

    it "is logged once when strict is :warning" do
      runtime = Puppetfn::Runtime.new
      runtime.settings[:strict] = :warning

      expect([runtime.scope["nope"], runtime.scope["nope"]]).to eq([nil, nil])
      expect(runtime.logs.map(&:first)).to eq([:warning])
    end

    it "is nothing to speak of when strict is :off" do
      runtime = Puppetfn::Runtime.new
      runtime.settings[:strict] = :off

      expect([runtime.scope["nope"], runtime.logs.to_a]).to eq([nil, []])
    end

    it "is thrown to whoever catches it" do
      expect(catch(:undefined_variable) { scope["nope"] || :returned }).to be_nil
    end

    it "is undef for match results and the names of modules" do
      expect(%w[0 12 module_name caller_module_name].map { |name| scope[name] }).to all(be_nil)
    end
  end

  it "refuses a name that is not a string" do
    expect { scope[:x] }.to raise_error(Puppet::ParseError, "Scope variable name :x is a Symbol, not a string")
  end

  it "tells whether a variable has a value, exists and is bound" do
    scope = scope(variables: {"set" => 1, "undef" => nil})

    expect(%w[set undef nope].map { |name| [scope.include?(name), scope.exist?(name), scope.bound?(name)] })
      .to eq([[true, true, true], [false, true, true], [false, false, false]])
  end

  it "tells the same of the scope of a class, which sees the variables of the top scope but can set its own" do
    runtime = Puppetfn::Runtime.new(variables: {"top" => 1})
    told = nil
    runtime.define_function("tell", Puppetfn::Puppet::Functions::InternalFunction) do
      dispatch(:tell) { scope_param }
      define_method(:tell) do |scope|
        told = %w[top own nope].map { |name| [scope.include?(name), scope.exist?(name), scope.bound?(name)] }
        nil
      end
    end
    runtime.compile("class x { $own = 1 tell() } include x")

    expect(told).to eq([[true, true, false], [true, true, true], [false, false, false]])
  end

  describe "assignment" do
    it "sets a variable once" do
      scope = scope()
      scope["x"] = 1

      expect { scope["x"] = 2 }.to raise_error(Puppet::ParseError, "Cannot reassign variable '$x'")
      expect(scope["x"]).to eq(1)
    end

    it "names the place of a second one" do
      scope = scope(variables: {"x" => 1})

      expect { scope.setvar("x", 2, file: "a.pp", line: 3) }
        .to raise_error(Puppet::ParseError, "Cannot reassign variable '$x' (file: a.pp, line: 3)")
    end

    it "is refused for match results, reserved names and what is not a name" do
      {
        "1" => "Cannot assign to a numeric match result variable '$1'",
        "facts" => "Attempt to assign to a reserved variable name: 'facts'",
        :x => "Scope variable name :x is a Symbol, not a string"
      }.each do |name, message|
        expect { scope[name] = 1 }.to raise_error(Puppet::ParseError, message)
      end
    end
  end

  it "has what it was given, where code has set nothing else, as the object that it is" do
    list = ["a"]
    runtime = Puppetfn::Runtime.new(variables: {"list" => list})
    runtime.evaluate_string("$size = $list.length")

    expect(runtime.scope["list"]).to equal(list)
    expect(runtime.scope.to_hash).to include("list" => list, "size" => 1)
  end

  it "sees what a template has done to a value that two variables share" do
    runtime = Puppetfn::Runtime.new(node: "web", variables: {"list" => ["a"]})
    runtime.evaluate_string("$other = $list $text = inline_template('<% @other << \"b\" %>')")

    expect([runtime.scope["list"], runtime.evaluate_string("$list")]).to eq([%w[a b], %w[a b]])
  end

  it "shares no variables with the scope of another runtime that has the same facts" do
    facts = {"os" => "Debian"}
    first, second = Array.new(2) { scope(facts: facts) }
    first["x"] = 1

    expect([first, second].map { |scope| [scope["os"], scope.exist?("x")] }).to eq([["Debian", true], ["Debian", false]])
  end

  it "lists variables, those that are undef only when asked to" do
    scope = scope(variables: {"x" => 1, "y" => nil})

    expect(scope.to_hash).to include("x" => 1)
    expect(scope.to_hash).not_to include("y")
    expect(scope.to_hash(true, true)).to include("y" => nil)
  end

  it "says that scripts have no catalog" do
    scope = scope(node: nil)

    expect { scope.findresource("File", "/x") }
      .to raise_error(Puppetfn::UnavailableError, /\AThe catalog is not available.*node: "web"/)
    expect { scope.compiler.catalog }.to raise_error(Puppetfn::UnavailableError, /\AThe catalog is not available/)
  end

  it "has one source, whose methods specs can replace" do
    scope = scope()
    allow(scope.source).to receive(:name).and_return("shop")

    expect([scope.source.type, scope.source.name]).to eq([:hostclass, "shop"])
  end
end
