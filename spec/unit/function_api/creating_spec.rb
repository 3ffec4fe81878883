# frozen_string_literal: true

require_relative "../../support/function_api"
require_relative "../../support/module_tree"

RSpec.describe "Function API: creating a function" do
  include_context "with functions"

  it "makes a subclass of Function named after the function" do
    function = define("mymodule::min") { def min(x, y) = [x, y].min }

    expect(function.superclass).to be(Puppet::Functions::Function)
    expect(function.name).to eq("mymodule::min")
  end

  it "binds the class to no constant" do
    function = define("bound_nowhere") { def bound_nowhere = 1 }
    held = ObjectSpace.each_object(Module).any? { |mod| mod.constants(false).any? { |name| !mod.autoload?(name) && mod.const_get(name).equal?(function) rescue false } }

    expect(held).to be(false)
  end

  it "uses the method of the same name, or of the last segment of a namespaced name" do
    expect(call(define("max") { def max(x, y) = [x, y].max }, 1, 2)).to eq(2)
    expect(call(define("mymodule::sub::max") { def max(x, y) = [x, y].max }, 1, 2)).to eq(2)
  end

  it "raises an error if there is no method with the same name" do
    expect { define("max") { def maximum = 1 } }
      .to raise_error(ArgumentError, /cannot create a default dispatcher for function 'max', no method with this name found/)
  end

  it "wraps what is wrong with a function in create_function" do
    expect { Puppet::Functions.create_function("max") { def maximum = 1 } }
      .to raise_error(ArgumentError, /\AFunction Load Error for function 'max': Function Creation Error/)
  end

  it "lets a function have additional helper methods" do
    function = define("f") do
      def f(x) = helper(x)
      def helper(x) = x + 1
    end

    expect(call(function, 1)).to eq(2)
  end

  it "keeps the helper methods of one function from another" do
    define("f") do
      def f = 1
      def helper = "mine"
    end

    expect { call(define("g") { def g = helper }) }.to raise_error(NameError)
  end

  it "instantiates a function once, when it is loaded" do
    with = Module.new { extend ModuleTree }
    with.with_runtime({"m/lib/puppet/functions/m/f.rb" => "Puppet::Functions.create_function(:'m::f') { def f = object_id }"}) do |runtime|
      expect(runtime.call_function("m::f")).to eq(runtime.call_function("m::f"))
    end
  end

  describe "by introspection" do
    it "treats every parameter as being of Any type" do
      signature = define("f") { def f(a, b) = [a, b] }.signatures.first

      expect(signature.to_s).to eq("(Any a, Any b)")
    end

    it "supports default values and that the last argument accepts spillover" do
      function = define("f") { def f(a, b, c = 10, *d) = [a, b, c, d] }

      expect(call(function, 1, 2)).to eq([1, 2, 10, []])
      expect(call(function, 1, 2, 3, 4, 5)).to eq([1, 2, 3, [4, 5]])
      expect(function.signatures.first.to_s).to eq("(Any a, Any b, Any c?, Any d*)")
    end

    it "picks up the parameter names for the error of a wrong number of arguments" do
      expect { call(define("f") { def f(a, b) = nil }, 1) }
        .to raise_error(ArgumentError, "'f' expects 2 arguments, got 1")
    end
  end

  describe "reserved methods" do
    it "closure_scope returns the scope where the function was defined" do
      runtime.scope["x"] = "top"

      expect(call(define("f") { def f = closure_scope["x"] })).to eq("top")
    end

    it "loader returns the loader that loaded the function" do
      expect(call(define("f") { def f = loader })).to equal(loader)
    end

    it "call_function calls the named function, with splat" do
      function = define("f") { def f(*args) = call_function("join", args, "-") }

      expect(call(function, "a", "b")).to eq("a-b")
    end

    it "call_function passes the given proc, or a Ruby block" do
      given = define("f") { dispatch(:f) { param "Array", :a; block_param }; def f(a, &block) = call_function("map", a, &block) }
      ruby = define("g") { def g(a) = call_function("map", a) { |x| x * 2 } }

      expect(call(given, [1, 2]) { |x| x + 1 }).to eq([2, 3])
      expect(call(ruby, [1, 2])).to eq([2, 4])
    end

    it "call_function tells of a function that does not exist" do
      expect { call(define("f") { def f = call_function("nope") }) }
        .to raise_error(ArgumentError, "Function f(): Unknown function: 'nope'")
    end
  end

  describe "manual handling" do
    it "lets call be overridden, and the arguments rewritten for the dispatcher" do
      function = define("f") do
        dispatch(:f) { param "Integer", :a; param "String", :egg }
        def f(a, egg) = [a, egg]
        def call(scope, *args, &block) = self.class.dispatcher.dispatch(self, scope, args + ["egg"], &block)
      end

      expect(call(function, 1)).to eq([1, "egg"])
    end

    it "lets call relay to the super version, with a block" do
      function = define("f") do
        dispatch(:f) { param "Integer", :a; block_param }
        def f(a) = yield(a)
        def call(scope, *args, &block) = super(scope, args.first + 1, &block)
      end

      expect(call(function, 1) { |x| x * 10 }).to eq(20)
    end

    it "lets initialize do more, calling the super version with closure_scope and loader" do
      function = define("f") do
        def initialize(closure_scope, loader)
          super
          @made = true
        end

        def f = [@made, loader.nil?]
      end

      expect(call(function)).to eq([true, false])
    end

    it "lets functions have a base class of their own" do
      base = Class.new(Puppet::Functions::InternalFunction) { def shout(text) = text.upcase }

      expect(call(define("f", base) { def f(text) = shout(text) }, "a")).to eq("A")
      expect { define("f", String) { def f = 1 } }.to raise_error(ArgumentError, /must be based on/)
    end
  end
end
