# frozen_string_literal: true

RSpec.describe Puppetfn::FunctionSpec do
  def spec(impl = ->(args, _type) { args }, **options)
    described_class.new(name: "f", impl: impl, **options)
  end

  def parameter(type, **options)
    {name: "x", type: type, **options}
  end

  let(:unknown) { Puppetfn::Unknown.new("Integer") }

  it "is called with an Array of the arguments and the type of the result" do
    repeat = spec(->((text, count), type) { [text * count, type.to_s] }, type: "Array[String]",
      params: [parameter("String"), {name: "count", type: "Integer[0]"}])

    expect(repeat.call("ab", 2)).to eq(["abab", "Array[String]"])
    expect(repeat.return_type("String", "Integer[1]").to_s).to eq("Array[String]")
    expect(repeat.inspect).to eq("#<Puppetfn::FunctionSpec f(String x, Integer[0] count)>")
  end

  it "takes any number of further arguments with var_param" do
    sum = spec(->(args, _) { args.sum }, var_param: parameter("Numeric"), type: "Numeric")

    expect(sum.call).to eq(0)
    expect(sum.call(1, 2.5)).to eq(3.5)
    expect { sum.call(1, "a") }.to raise_error(described_class::ArgumentError) { |error| expect(error.index).to eq(1) }
  end

  it "refuses another number of arguments" do
    expect { spec(params: [parameter("Any")]).call }
      .to raise_error(ArgumentError, "wrong number of arguments (1 required; 0 given)")
  end

  it "says which argument is wrong, and why" do
    expect { spec(params: [parameter("String")]).call(1) }
      .to raise_error(described_class::ArgumentError, "parameter 'x' expects a String value, got Integer")
  end

  it "takes undef only where that is allowed" do
    expect { spec(params: [parameter("String")]).call(nil) }
      .to raise_error(described_class::ArgumentError, "parameter 'x' does not accept undef")
    expect(spec(params: [parameter("String", allow_null: true)]).call(nil)).to eq([nil])
  end

  it "answers for what is not known without a call, unless that is allowed" do
    never = spec(->(*) { raise "called" }, params: [parameter("Numeric")], type: "String")
    expect(never.call(unknown)).to eq(Puppetfn::Unknown.new("String"))

    expect(spec(params: [parameter("Numeric", allow_unknown: true)]).call(unknown)).to eq([unknown])
    expect { never.call(Puppetfn::Unknown.new("String")) }.to raise_error(described_class::ArgumentError)
  end

  it "finds the type of the result from the arguments" do
    first = spec(->((list), _) { list.first }, params: [parameter("Array[Any, 1]")],
      type: ->((list)) { list.is_a?(Puppetfn::Unknown) ? "Any" : Puppetfn::Type.infer(list.first) })

    expect(first.return_type_for_values([1, "a"]).to_s).to eq("Integer[1, 1]")
    expect(first.return_type("Array[String]").to_s).to eq("Any")
    expect(first.call([1])).to eq(1)
  end

  it "does not ask for the type where an argument is of no known type, unless that is allowed" do
    rule = ->(_) { raise "asked" }
    expect(spec(params: [parameter("Any")], type: rule).return_type("Any").to_s).to eq("Any")
    allowed = spec(params: [parameter("Any", allow_dynamic_type: true)], type: ->(_) { "String" })
    expect(allowed.return_type("Any").to_s).to eq("String")
  end

  it "is given what is sensitive in the open, and hides the result" do
    secret = Puppetfn::Puppet::Pops::Types::PSensitiveType::Sensitive.new("s3cret")
    shout = ->((text), _) { text.upcase }

    result = spec(shout, params: [parameter("String")], type: "String").call(secret)
    expect(result.unwrap).to eq("S3CRET")
    expect(spec(params: [parameter("Sensitive", allow_marked: true)]).call(secret).first).to eq(secret)
  end

  it "checks the result" do
    expect { spec(->(*) { 1 }, type: "String").call }
      .to raise_error(Puppet::Pops::Types::TypeAssertionError, /value returned from function.* expects a String value, got Integer/)
  end

  it "passes exceptions and throws of what it calls" do
    error = Class.new(StandardError)
    expect { spec(->(*) { raise error, "it broke" }).call }.to raise_error(error, "it broke")
    expect { spec(type: ->(_) { raise error, "no type" }).call }.to raise_error(error, "no type")
    expect(catch(:done) { spec(->(*) { throw :done, 1 }).call }).to eq(1)
  end

  it "describes its parameters" do
    described = spec(params: [parameter("String", description: "a text")], var_param: parameter("Any", allow_null: true))
    expect(described.params).to eq([{name: "x", type: Puppetfn::Type.parse("String"), description: "a text", allow_null: false,
                                     allow_unknown: false, allow_dynamic_type: false, allow_marked: false}])
    expect(described.var_param).to include(allow_null: true)
    expect(spec.var_param).to be_nil
  end

  it "refuses what it does not know" do
    expect { spec(param: []) }.to raise_error(ArgumentError, /FunctionSpec has no key :param: it has name, params/)
    expect { spec(params: [parameter("String", nullable: true)]) }.to raise_error(ArgumentError, /has no key :nullable/)
    expect { spec(params: [{name: "x"}]) }.to raise_error(ArgumentError, "a parameter of FunctionSpec needs the key type")
    expect { spec(1) }.to raise_error(ArgumentError, /expects a callable object as impl, got 1/)
    expect { described_class.new(impl: -> {}) }.to raise_error(ArgumentError, "FunctionSpec needs the key name")
  end

  it "survives collections of garbage" do
    specs = Array.new(100) { |i| spec(->(*) { "#{i}" }, type: ->(_) { "String" }) }
    GC.start
    GC.compact if GC.respond_to?(:compact)
    expect(specs.map(&:call)).to eq(Array.new(100, &:to_s))
  end
end
