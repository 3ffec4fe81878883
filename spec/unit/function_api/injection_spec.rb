# frozen_string_literal: true

require_relative "../../support/function_api"
require_relative "../../support/module_tree"

module InjectionSpec
  # What the functions here have injected.
  class Checker
    def check(text)
      "checked #{text}"
    end
  end
end

RSpec.describe "Function API: injection" do
  include_context "with functions"
  include ModuleTree

  let(:checker) { "Runtime['ruby', 'InjectionSpec::Checker']" }

  describe "of function class attributes" do
    it "is looked up on first use, and once for a function" do
      made = 0
      runtime.bind("Integer", "answer") { made += 1 }
      function = make(define("f") do
        attr_injected "Integer", :answer, "answer"
        def f = [answer, answer]
      end)

      expect(made).to eq(0)
      expect(function.call(nil)).to eq([1, 1])
      expect(function.call(nil)).to eq([1, 1])
    end

    it "takes types as the document writes them, made by hash_of and type_of" do
      runtime.bind("Hash[Scalar, #{checker}]", "syntax::checkers") { {"json" => InjectionSpec::Checker.new} }
      function = define("assert_syntax") do
        syntax_checkers_type = hash_of(type_of(InjectionSpec::Checker))
        attr_injected syntax_checkers_type, :syntax_checkers, "syntax::checkers"

        def assert_syntax(text, syntax)
          syntax_checkers[syntax].check(text)
        end
      end

      expect(call(function, "{}", "json")).to eq("checked {}")
    end

    it "gives the producer of values with attr_injected_producer" do
      count = 0
      runtime.bind_producer("Integer", "count") { count += 1 }
      function = define("f") do
        attr_injected_producer "Integer", :counter, "count"
        def f = [counter.produce(closure_scope), counter.produce]
      end

      expect(call(function)).to eq([1, 2])
    end

    it "works in functions that are loaded from a module" do
      with_runtime({"m/lib/puppet/functions/m/f.rb" => <<~RUBY}) do |runtime|
        Puppet::Functions.create_function(:"m::f") do
          attr_injected "String", :greeting
          def f = greeting
        end
      RUBY
        runtime.bind("String") { "hi" }

        expect(runtime.call_function("m::f")).to eq("hi")
      end
    end
  end

  describe "of arguments" do
    let(:weaving) do
      define("f") do
        dispatch :f do
          param "String", :a
          injected_param "Integer", :i, "one"
          optional_param "String", :b
          injected_param "Integer", :j, "two"
          repeated_param "String", :c
        end
        def f(*arguments) = arguments
      end
    end

    before do
      runtime.bind("Integer", "one") { 1 }
      runtime.bind("Integer", "two") { 2 }
    end

    it "weaves values into the arguments, at the places that the dispatch specifies" do
      expect(call(weaving, "a")).to eq(["a", 1, 2])
      expect(call(weaving, "a", "b", "c", "d")).to eq(["a", 1, "b", 2, "c", "d"])
    end

    it "is no part of the signature that is used to dispatch the call" do
      expect(weaving.signatures.first.to_s).to eq("(String a, String b?, String c*)")
      expect { call(weaving, "a", 1) }.to raise_error(ArgumentError, "'f' parameter 'b' expects a String value, got Integer")
    end

    it "leaves defaults of Ruby parameters to calls from Ruby" do
      runtime.bind(checker) { InjectionSpec::Checker.new }
      function = define("f") do
        dispatch :check do
          param "String", :text
          injected_param "Runtime['ruby', 'InjectionSpec::Checker']", :checker
        end
        def check(text, checker = nil) = checker ? checker.check(text) : "unchecked"
      end

      expect(call(function, "x")).to eq("checked x")
      expect(make(function).check("x")).to eq("unchecked")
    end

    it "may be a producer, by either of its names" do
      runtime.bind_producer("String", "scope") { |scope| "in #{scope}" }
      function = define("f") do
        dispatch :f do
          injected_producer_param "String", :a, "scope"
          injected_provider_param "String", :b, "scope"
        end
        def f(one, other) = [one.produce("x"), other.produce("y")]
      end

      expect(call(function)).to eq(["in x", "in y"])
    end

    it "asks a producer for another value in each call, with the scope of the caller" do
      scopes = []
      runtime.bind_producer("Integer") { |scope| scopes.push(scope).size }
      function = make(define("f") do
        dispatch(:f) { injected_param "Integer", :i }
        def f(number) = number
      end)

      expect([function.call(:here), function.call(:there)]).to eq([1, 2])
      expect(scopes).to eq(%i[here there])
    end

    it "goes together with what internal functions have injected" do
      function = define("f", Puppet::Functions::InternalFunction) do
        dispatch :f do
          injected_param "Integer", :i, "two"
          scope_param
          param "String", :a
        end
        def f(*arguments) = arguments
      end

      expect(call(function, "a")).to eq([2, runtime.scope, "a"])
    end

    it "comes last in a required repeated parameter's place" do
      function = define("f") do
        dispatch :f do
          required_repeated_param "String", :a
          injected_param "Integer", :i, "one"
        end
        def f(*arguments) = arguments
      end

      expect(call(function, "a", "b")).to eq(["a", "b", 1])
    end
  end

  describe "when something is wrong" do
    let(:function) do
      define("f") do
        dispatch(:f) { injected_param "Array[Integer]", :list, "numbers" }
        def f(list) = list
      end
    end

    it "names the type and the key of a binding that is missing" do
      expect { call(function) }.to raise_error(
        Puppetfn::BindingError,
        "Nothing is bound to the type Array[Integer] with the key 'numbers': " \
        "bind it with runtime.bind(\"Array[Integer]\", \"numbers\") { value }"
      )
    end

    it "tells bindings apart by type and by key" do
      runtime.bind("Array[Integer]") { [] }
      runtime.bind("Array[String]", "numbers") { [] }

      expect { call(function) }.to raise_error(Puppetfn::BindingError)
    end

    it "refuses a value that is not of the type that it is bound to" do
      runtime.bind("Array[Integer]", "numbers") { ["one"] }

      expect { call(function) }.to raise_error(
        Puppet::Pops::Types::TypeAssertionError,
        /what is bound to Array\[Integer\] with the key 'numbers' has wrong type, index 0 expects an Integer value/
      )
    end

    it "raises what the block of the binding raises, and asks it again" do
      answers = [-> { raise IOError, "not yet" }, -> { [1] }]
      runtime.bind("Array[Integer]", "numbers") { answers.shift.call }

      expect { call(function) }.to raise_error(IOError, "not yet")
      expect(call(function)).to eq([1])
    end

    it "says what is wrong with a declaration" do
      expect { define("f") { attr_injected "Integer[", :a } }
        .to raise_error(ArgumentError, /\AParsing of type string '"Integer\["' failed with message/)
      expect { define("f") { attr_injected "Integer", "a" } }
        .to raise_error(ArgumentError, "Injection name argument must be a Symbol. Got String")
      expect { define("f") { attr_injected 1, :a } }
        .to raise_error(ArgumentError, "Injection 'type' must be a String reference to a Puppet Data Type. Got Integer")
      expect { runtime.bind("Integer") }.to raise_error(ArgumentError, /block/)
    end
  end
end
