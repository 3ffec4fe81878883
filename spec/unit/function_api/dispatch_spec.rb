# frozen_string_literal: true

require_relative "../../support/function_api"

RSpec.describe "Function API: dispatch" do
  include_context "with functions"

  # A function with one dispatch, which gives its arguments.
  def dispatching(&declaration)
    define("f") do
      dispatch(:f, &declaration)
      def f(*args) = block_given? ? [*args, yield] : args
    end
  end

  it "directs the call to a method by the types of the arguments" do
    function = define("min") do
      dispatch(:min) { param "Numeric", :a; param "Numeric", :b }
      dispatch(:min_s) { param "String", :s1; param "String", :s2 }
      def min(x, y) = [x, y].min
      def min_s(x, y) = min(x.downcase, y.downcase)
    end

    expect([call(function, 2, 1), call(function, "B", "a")]).to eq([1, "a"])
  end

  it "tests the signatures in the order they appear: a generic entry placed first always wins" do
    function = define("f") do
      dispatch(:any) { param "Any", :x }
      dispatch(:integer) { param "Integer", :x }
      def any(_) = :any
      def integer(_) = :integer
    end

    expect(call(function, 1)).to eq(:any)
  end

  it "param is the same as required_param" do
    expect(dispatching { required_param "Integer", :a }.signatures.first.to_s).to eq("(Integer a)")
  end

  it "an optional_param may be omitted, and not be followed by a required parameter" do
    function = dispatching { param "Integer", :a; optional_param "String", :b }

    expect([call(function, 1), call(function, 1, "b")]).to eq([[1], [1, "b"]])
    expect { dispatching { optional_param "Integer", :a; param "Integer", :b } }
      .to raise_error(ArgumentError, "A required parameter cannot be added after an optional parameter")
  end

  it "a repeated_param accepts none or many values, also as optional_repeated_param" do
    [:repeated_param, :optional_repeated_param].each do |method|
      function = dispatching { __send__(method, "Integer", :a) }
      expect([call(function), call(function, 1, 2)]).to eq([[], [1, 2]])
    end
  end

  it "a required_repeated_param accepts one or many values" do
    function = dispatching { required_repeated_param "Integer", :a }

    expect(call(function, 1, 2)).to eq([1, 2])
    expect { call(function) }.to raise_error(ArgumentError, "'f' expects at least 1 argument, got none")
  end

  it "repeated parameters must be placed last, or just before a block parameter" do
    expect { dispatching { repeated_param "Integer", :a; repeated_param "Integer", :b } }
      .to raise_error(ArgumentError, "Parameters cannot be added after a repeated parameter")
    expect { dispatching { required_repeated_param "Integer", :a; repeated_param "Integer", :b } }
      .to raise_error(ArgumentError, "Parameters cannot be added after a repeated parameter")
    expect(call(dispatching { repeated_param "Integer", :a; block_param }, 1) { 2 }).to eq([1, 2])
  end

  it "types and names are a string and a symbol" do
    expect { dispatching { param "Integer", "a" } }.to raise_error(ArgumentError, "Parameter name argument must be a Symbol. Got String")
    expect { dispatching { param 1, :a } }.to raise_error(ArgumentError, /must be a String reference to a Puppet Data Type. Got Integer/)
  end

  it "only literal values may be used for the type parameters" do
    expect { dispatching { param "Integer[$a, 1 + 2]", :a } }.to raise_error(ArgumentError, /\AParsing of type string/)
  end

  it "the method may take other parameters than the dispatch, as long as they are compatible" do
    function = define("special") do
      dispatch :special do
        param "Numeric", :a
        optional_param "Numeric", :b
        repeated_param "Any", :additional
      end
      def special(*args) = args
    end

    expect(call(function, 1, 2.5, "x")).to eq([1, 2.5, "x"])
  end

  describe "blocks" do
    it "block_param is the same as required_block_param: a block must be given" do
      [:block_param, :required_block_param].each do |method|
        function = dispatching { __send__(method) }

        expect(call(function) { 1 }).to eq([1])
        expect { call(function) }.to raise_error(ArgumentError, "'f' expects a block")
      end
    end

    it "optional_block_param accepts a lambda, and also that none is given" do
      function = dispatching { optional_block_param }

      expect([call(function) { 1 }, call(function)]).to eq([[1], []])
    end

    it "it is an error to call a function with a block that defines none" do
      expect { call(dispatching { param "Any", :a }, 1) { 2 } }.to raise_error(ArgumentError, "'f' does not expect a block")
    end

    it "a block without arguments accepts a lambda of any signature, under the name :block" do
      signature = dispatching { block_param }.signatures.first

      expect([signature.block_name, signature.block_type.to_s]).to eq([:block, "Callable"])
    end

    it "the type is a Callable, or a Variant of them, also nested" do
      function = dispatching { block_param "Variant[Callable[0, 0], Variant[Callable[2, 2]]]", :b }

      expect(call(function, &-> { 3 })).to eq([3])
      expect { call(function, &->(_, _, _) {}) }.to raise_error(ArgumentError, /'f' block/)
      expect { dispatching { block_param "Integer", :b } }.to raise_error(ArgumentError, /Expected PCallableType or PVariantType thereof/)
    end

    it "arity and kind of a given Ruby proc are checked" do
      function = dispatching { block_param "Callable[Integer, String]", :b }

      expect { call(function, &->(_) {}) }.to raise_error(ArgumentError, /\A'f' block expects/)
      expect(call(function, &->(*) { 3 })).to eq([3])
    end
  end

  describe "return_type" do
    let(:function) do
      define("f") do
        dispatch(:f) { param "Any", :x; return_type "Numeric" }
        def f(x) = x
      end
    end

    it "is asserted when the function returns a value" do
      expect(call(function, 1)).to eq(1)
      expect { call(function, "a") }
        .to raise_error(Puppet::Pops::Types::TypeAssertionError, /value returned from function 'f' has wrong type, expects a Numeric value, got String/)
    end

    it "defaults to Any" do
      expect(dispatching { param "Any", :x }.signatures.first.return_type).to be_nil
    end
  end

  it "argument_mismatch words the error for arguments that match it" do
    function = define("f") do
      dispatch(:f) { param "Integer", :a }
      argument_mismatch(:explain) { param "String", :a }
      def f(a) = a
      def explain(a) = "wants a number, not '#{a}'"
    end

    expect { call(function, "x") }.to raise_error(ArgumentError, "'f' wants a number, not 'x'")
    expect(function.signatures.size).to eq(1)
  end

  it "weaves what internal functions ask for into any position, and no other function may ask" do
    function = define("f", Puppet::Functions::InternalFunction) do
      dispatch :f do
        cache_param
        param "Integer", :a
        scope_param
        script_compiler_param
        repeated_param "Integer", :rest
        pal_compiler_param
      end
      def f(*args) = args
    end
    cache, first, scope, script, rest, pal = call(function, 1, 2)

    expect([first, rest, scope]).to eq([1, 2, runtime.scope])
    expect([cache, pal]).to all(be(runtime.compiler))
    expect(script).to have_attributes(has_catalog?: false)
    expect(script.evaluate_string("1 + 1")).to eq(2)
    expect { script.catalog }.to raise_error(NoMethodError, /catalog/)
    expect { dispatching { scope_param } }.to raise_error(NameError)
  end
end
