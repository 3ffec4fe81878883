# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"

# What the functions answer is held against go-cty's answers by the recorded cases, which also run from here.
RSpec.describe Puppetfn::Cty do
  def value(...) = Puppetfn::Cty.value(...)

  def text = Puppetfn::Cty.unknown("string")

  # `require "puppetfn/puppet"` alone loads little of what is written in Ruby.
  describe "when only the drop-in for Puppet is loaded" do
    def ruby(program)
      library = File.expand_path("../../lib", __dir__)
      output, errors, = Open3.capture3({"RUBYOPT" => nil}, RbConfig.ruby, "-I", library, "-r", "puppetfn/puppet", "-e", program)
      [output.lines(chomp: true), errors]
    end

    it "is whole" do
      output, errors = ruby(<<~'RUBY')
        cty = Puppetfn::Cty
        puts cty.call("join", "-", ["a", "b"]).to_ruby, cty.type(["list", "string"]).to_json
        [-> { cty.value("a", "number") }, -> { cty.call("upper", []) }].each do |question|
          question.call
        rescue cty::Error, Puppetfn::FunctionSpec::ArgumentError => e
          puts "#{e.class}: #{e.message}"
        end
      RUBY

      expect(output).to eq([
        "a-b", '["list","string"]', "Puppetfn::Cty::Error: a number is required",
        "Puppetfn::FunctionSpec::ArgumentError: string required, but received tuple"
      ])
      expect(errors).to eq("")
    end

    it "is loaded when it is asked for" do
      expect(ruby('p Puppetfn.autoload?(:Cty) && true, $LOADED_FEATURES.grep(/cty|json/)')).to eq([%w[true []], ""])
    end
  end

  describe ".value" do
    it "makes values of Ruby's objects, and these of values" do
      objects = [nil, true, "text", 42, -2**70, 3**200, 0.5, [1, "a", [nil]], {"a" => {"b" => [1]}}, Set["a", "b"], Set[]]

      objects.each { |object| expect(value(object).to_ruby).to eq(object) }
    end

    it "keeps values of cty's, also within others" do
      marked = value("x").mark("secret")

      expect(value(marked)).to eq(marked)
      expect(value({a: [marked, text]}).inspect)
        .to eq('#<Puppetfn::Cty::Value object {"a": tuple [marked ["secret"] "string", unknown "string"]}>')
    end

    it "takes what is Sensitive for marked, and what is not known for unknown" do
      sensitive = value([Puppet::Pops::Types::PSensitiveType::Sensitive.new("pin")])

      expect(sensitive[0].marks).to eq(["sensitive"])
      expect(sensitive.to_ruby.first).to be_a(Puppet::Pops::Types::PSensitiveType::Sensitive)
      expect(sensitive.inspect).not_to include("pin")
      expect(value(Puppetfn::Unknown.new("Integer[1]"))).to eq(described_class.unknown("number"))
      expect(described_class.unknown(%w[list number]).to_ruby).to eq(Puppetfn::Unknown.new("Optional[Array[Optional[Numeric]]]"))
    end

    it "keeps bytes" do
      bytes = Puppetfn::Binary.from_binary_string("\xFF\x00".b)

      expect(value(bytes).type).to eq(described_class.type("bytes"))
      expect(described_class.call("byteslen", bytes).to_ruby).to eq(2)
      expect(value(bytes).to_ruby).to eq(bytes)
    end

    it "converts to a type" do
      type = ["object", {"name" => "string", "tags" => %w[set string], "port" => "number"}, ["port"]]
      made = value({name: 1, tags: %w[b a b]}, type)

      expect(made.to_ruby).to eq("name" => "1", "tags" => Set["a", "b"], "port" => nil)
      expect { value({name: 1}, type) }.to raise_error(described_class::Error, 'attribute "tags" is required')
    end

    it "refuses what cty has no values for" do
      expect { value(Object.new) }.to raise_error(Puppetfn::ValueError, "cty has no values of the class Object")
      expect { value({1 => 2}) }.to raise_error(Puppetfn::ValueError, "the keys of a Hash for cty are Strings, not Integer")
      expect { value(Float::NAN) }.to raise_error(Puppetfn::ValueError, "cty has no number NaN")
      expect { value(:sym) }.to raise_error(Puppetfn::ValueError)
      expect { value("\xFF") }.to raise_error(Puppetfn::ValueError)
    end

    it "does not nest without end" do
      endless = []
      endless << endless
      expect { value(endless) }.to raise_error(Puppetfn::LimitError)
      expect { (1..10_000).reduce(value(1)) { |inner, _| value([inner]) } }.to raise_error(Puppetfn::LimitError)
      expect { (1..10_000).reduce(value(1)) { |inner, _| described_class.call("zipmap", ["a"], [inner]) } }
        .to raise_error(Puppetfn::LimitError)
    end
  end

  describe ".number" do
    it "has the precision that is asked for" do
      expect(described_class.number("0.1").precision).to eq(512)
      expect(described_class.number("1e3", precision: 20).precision).to eq(20)
      expect(value(7).precision).to eq(64)
      expect(value(2**80).precision).to eq(81)
      expect(described_class.number("1.50").to_s).to eq("1.5")
      expect(described_class.number("1e30").to_ruby).to eq(10**30)
      expect { described_class.number("one") }.to raise_error(described_class::Error, '"one" is not a number in decimal digits')
    end
  end

  describe described_class::Value do
    it "is equal to what is the same, and has the same hash code" do
      pairs = [
        [value([1, "a"]), value([1, "a"])], [value(0.1), Puppetfn::Cty.number("0.1", precision: 53)],
        [value(Set[1, 2]), value(Set[2, 1])], [text, text], [value("é"), value("e\u0301")]
      ]

      expect(pairs.map { |one, other| [one == other, one.eql?(other), one.hash == other.hash] }).to all(eq([true, true, true]))
      expect([value(1) == value("1"), value(1) == 1, value("x") == value("x").mark("m"), text == Puppetfn::Cty.null("string")])
        .to all(be(false))
      expect([value("a"), value("b"), value("a")].uniq.size).to eq(2)
    end

    it "gives its parts, which are not known where it or the key is not" do
      object = value({name: "x", list: [1, 2]})

      expect(object["name"].to_s).to eq("x")
      expect(object["list"][1].to_ruby).to eq(2)
      expect(object.to_h.keys).to eq(%w[list name])
      expect(object["list"].to_a.map(&:to_ruby)).to eq([1, 2])
      expect(object["list"].length).to eq(2)
      expect(Puppetfn::Cty.unknown(%w[list string])[0]).to eq(text)
      expect { object["nope"] }.to raise_error(Puppetfn::Cty::Error, 'there is no attribute "nope"')
      expect { text.length }.to raise_error(Puppetfn::Cty::Error, /a known collection is needed, not an unknown string/)
    end

    it "tells what is known and what is null" do
      partly = value([text])

      expect([partly.known?, partly.wholly_known?, text.known?]).to eq([true, false, false])
      expect([Puppetfn::Cty.null("string").null?, value(nil).null?, text.null?]).to eq([true, true, false])
    end

    it "bears marks, which are not lost on the way to Ruby" do
      marked = value(["x"]).mark("a", "b")
      inner = value([value("x").mark("c")])

      expect([marked.marked?, marked.marks, marked.contains_marked?]).to eq([true, %w[a b], true])
      expect(marked.unmark).to eq([value(["x"]), %w[a b]])
      expect([inner.marked?, inner.contains_marked?, inner.unmark_deep]).to eq([false, true, [value(["x"]), ["c"]]])
      expect { inner.to_ruby }
        .to raise_error(Puppetfn::Cty::Error, 'the value is marked with "c": take its marks off with unmark first')
    end
  end

  describe described_class::Type do
    it "has parts" do
      type = Puppetfn::Cty.type(["object", {"a" => ["tuple", %w[bool dynamic]], "b" => "string"}, ["b"]])

      expect(type.kind).to eq(:object)
      expect(type.attribute_types.transform_values(&:kind)).to eq("a" => :tuple, "b" => :string)
      expect(type.attribute_types["a"].element_types.map(&:kind)).to eq(%i[bool dynamic])
      expect([type.optional_attributes, type.dynamic?]).to eq([["b"], true])
      expect(described_class.parse(type.to_s)).to eq(type)
      expect(Puppetfn::Cty.type(["list", type]).element_type).to eq(type)
      expect([type, described_class.parse(type.to_s)].uniq.size).to eq(1)
    end

    it "refuses what is no type" do
      ["strin", ["list"], ["list", "string", "x"], 1, nil, ["object", ["a"]], Object.new, ["tuple", {}]].each do |expression|
        expect { Puppetfn::Cty.type(expression) }.to raise_error(Puppetfn::Cty::Error, /is no type of cty's/)
      end
      expect { described_class.parse("[") }.to raise_error(Puppetfn::Cty::Error, /the type is no JSON/)
    end

    it "tells what it conforms to and converts to" do
      list = Puppetfn::Cty.type(%w[list string])

      expect([list.conforms?(%w[list dynamic]), list.conforms?(%w[set string])]).to eq([true, false])
      expect([list.conversion_to(%w[set string]), list.conversion_to("string"), list.conversion_to(list)]).to eq([:unsafe, nil, :safe])
      expect(Puppetfn::Cty.unify("string", "number")).to eq(Puppetfn::Cty.type("string"))
      expect(Puppetfn::Cty.unify("string", list)).to be_nil
    end
  end

  describe "functions" do
    it "are all there, and described" do
      functions = described_class.functions.map { |name| described_class.function(name) }

      expect(functions.size).to eq(79)
      expect(functions).to all(be_a(described_class::Function).and(have_attributes(description: /\S/)))
      expect { described_class.function("nope") }.to raise_error(ArgumentError, "there is no cty function 'nope'")
    end

    it "have go-cty's parameters" do
      recorded = JSON.parse(File.read(File.expand_path("../vectors/cty/signatures.json", __dir__)), symbolize_names: true)
      shown = ->(param) { param && param.except(:description).merge(type: JSON.parse(param[:type].to_json)) }

      recorded.each do |signature|
        function = described_class.function(signature[:function])
        expect([function.params.map(&shown), shown.(function.var_param)])
          .to eq([signature[:params].map(&shown), shown.(signature[:var_param])]), signature[:function]
      end
    end

    it "take Ruby's objects as what their parameters expect, and values of cty's as they are" do
      list = value(%w[a b])

      expect(described_class.call("join", "-", %w[a b]).to_s).to eq("a-b")
      expect { described_class.call("join", "-", list) }
        .to raise_error(Puppetfn::FunctionSpec::ArgumentError, "list of string required, but received tuple")
      expect(described_class.call(:join, "-", list.convert(%w[list string])).to_s).to eq("a-b")
    end

    it "fail with their own errors" do
      expect { described_class.call("divide", 0, 0) }.to raise_error(described_class::Error)
      expect { described_class.call("upper") }.to raise_error(ArgumentError, "wrong number of arguments (1 required; 0 given)")
      expect { described_class.call("join", "-", value(%w[list]), 3) }
        .to raise_error(Puppetfn::FunctionSpec::ArgumentError) { |error| expect(error.index).to eq(0) }
    end

    it "do not show in their errors what is sensitive" do
      secret = Puppet::Pops::Types::PSensitiveType::Sensitive.new("zz")

      expect { described_class.call("parseint", secret, 10) }
        .to raise_error(Puppetfn::FunctionSpec::ArgumentError, "what is wrong is not shown, since an argument is sensitive")
      expect { described_class.call("parseint", value("zz").mark("m"), 10) }.to raise_error(/"zz"/)
    end

    it "say what is wrong with a result" do
      wrong = described_class::Function.new(name: "f", type: "number", impl: ->(*) { "text" })

      expect { wrong.call }.to raise_error(
        described_class::Error,
        "the function returned what is not of the type that it declares: number required, but received string"
      )
    end

    it "can be made in Ruby" do
      double = described_class::Function.new(
        name: "double", params: [{name: "x", type: "number"}], type: "number",
        impl: ->((x), type) { described_class.call("multiply", x, 2).convert(type) }
      )

      expect(double.call(21).to_ruby).to eq(42)
      expect(double.call(described_class.unknown("number"))).to eq(described_class.unknown("number"))
      expect(double.return_type("number").to_s).to eq('"number"')
      expect(double.unpredictable.call(21)).to eq(described_class.unknown("number"))
      expect(double.with_descriptions("Doubles.", ["what"]).params.first[:description]).to eq("what")
      expect(double.inspect).to eq("#<Puppetfn::Cty::Function double(number x)>")
      expect(catch(:out) { described_class::Function.new(name: "f", impl: ->(*) { throw :out, 3 }).call }).to eq(3)
    end

    it "raise what their Ruby code raises, as the same object" do
      error = RuntimeError.new("mine")
      function = described_class::Function.new(name: "f", impl: ->(*) { raise error })

      expect { function.call }.to raise_error { |raised| expect(raised).to equal(error) }
    end
  end

  it "lives through the garbage collector" do
    function = described_class::Function.new(name: "f", params: [{name: "x", type: "dynamic"}], type: ->((x)) { x.type }, impl: ->((x), _) { x })
    values = Array.new(200) { |index| value({"k#{index}" => [index, "text"]}) }
    GC.start

    expect(values.map { |each| function.call(each) }).to eq(values)
  end
end
