# frozen_string_literal: true

require_relative "../support/module_tree"

# The rules of the specification of functions in the Puppet language, in its order. Each example is named
# after one.
RSpec.describe "Functions in the Puppet language" do
  include ModuleTree

  # Evaluates code with files of modules (`modules/...`) and of an environment (`production/...`).
  def evaluate(code, files = {}, **options)
    with_modules(files) do |root|
      FileUtils.mkdir_p("#{root}/modules")
      directories = {modulepath: ["#{root}/modules"], environment: "#{root}/production"}
      Puppetfn::Runtime.new(**directories, **options).evaluate_string(code, "/site.pp")
    end
  end

  def error(...)
    evaluate(...)
    nil
  rescue Puppet::Error => e
    e.message
  end

  describe "Grammar" do
    it "has a name, parameters, a return type and statements, of which parameters and type may be missing" do
      expect(evaluate("function f { 1 } function g() { 2 } function h($a) >> Integer { $a + 2 } [f(), g(), h(1)]"))
        .to eq([1, 2, 3])
      expect(error("function { 1 }")).to start_with("Syntax error at '{'")
      expect(error("function f()")).to start_with("Syntax error at end of input")
    end

    it "has parameters with a type, captures_rest, a name and a value" do
      expect(evaluate("function f(Integer $a, String $b = 'x', Any *$c) { [$a, $b, $c] } [f(1), f(1, 'y', 2, 3)]"))
        .to eq([[1, "x", []], [1, "y", [2, 3]]])
    end

    it "defines parameters in the same way as for Lambda" do
      parameters = "Integer $a, $b = $a + 1, String *$c"
      expect(evaluate("function f(#{parameters}) { [$a, $b, $c] } [f(1), with(1) |#{parameters}| { [$a, $b, $c] }]"))
        .to eq([[1, 2, []], [1, 2, []]])
    end
  end

  describe "Rules of parameters" do
    it "lets only functions and lambdas use captures_rest" do
      expect(error("class c(*$a) { }")).to start_with("Parameter $a has 'captures rest' - not supported in a Host Class Definition")
      expect(error("define d(*$a) { }")).to start_with("Parameter $a has 'captures rest' - not supported in a 'define' expression")
      expect(evaluate("function f(*$a) { $a } [f(1), with(1) |*$a| { $a }]")).to eq([[1], [1]])
    end

    it "wants a captures_rest parameter to be the last" do
      expect(error("function f(*$a, $b) { 1 } f(1, 2)"))
        .to include("Parameter $b is required but appears after optional parameters")
    end

    it "wants no parameter without a default behind one with a default" do
      expect(error("function f($a = 1, $b) { 1 } f(1, 2)"))
        .to include("Parameter $b is required but appears after optional parameters")
    end

    it "lets a default expression refer to parameters to the left of it" do
      expect(evaluate("function f($a, $b = $a + 1, $c = [$a, $b]) { $c } f(1)")).to eq([1, 2])
    end

    it "evaluates default expressions in the closure scope" do
      expect(evaluate("$x = 'global' function f($a = $x) { $a } with('local') |$x| { f() }")).to eq("global")
    end

    it "makes it an error to refer to a parameter to the right, even if a global variable has the name" do
      expect(error("$b = 1 function f($a = $b, $b = 2) { $a } f()"))
        .to include("default expression for $a tries to illegally access not yet evaluated $b")
      expect(evaluate("$b = 1 function f($a = $::b, $b = 2) { $a } f()")).to eq(1)
    end

    it "always gives a captures_rest parameter an Array" do
      expect(evaluate("function f(*$a) { $a } [f(), f(1), f([1])]")).to eq([[], [1], [[1]]])
    end

    it "wraps the default of a captures_rest parameter in an Array if it is a single value" do
      expect(evaluate("function f(*$a = 1) { $a } function g(*$a = [1, 2]) { $a } [f(), f(3), g(), g(3)]"))
        .to eq([[1], [3], [1, 2], [3]])
    end

    it "takes a type that is no Array for that of each captured element" do
      expect(evaluate("function f(Integer *$a) { $a } f(1, 2)")).to eq([1, 2])
      expect(error("function f(Integer *$a) { $a } f(1, 'b')")).to include("parameter 'a' expects an Integer value, got String")
    end

    it "takes an Array type for that of the elements and of their number" do
      code = "function f(Array[String, 1, 2] *$a) { $a } "
      expect(evaluate("#{code} f('a', 'b')")).to eq(%w[a b])
      expect(error("#{code} f()")).to include("'f' expects between 1 and 2 arguments, got none")
      expect(error("#{code} f('a', 'b', 'c')")).to include("'f' expects between 1 and 2 arguments, got 3")
    end

    it "captures a sequence of Array[T] as Array[Array[T]]" do
      code = "function f(Array[Array[Integer]] *$a) { $a } "
      expect(evaluate("#{code} f([1], [2, 3])")).to eq([[1], [2, 3]])
      expect(error("#{code} f(1)")).to include("expects an Array value, got Integer")
    end

    it "asserts that the value is of the return type" do
      code = "function f($a) >> Integer { $a } "
      expect(evaluate("#{code} f(1)")).to eq(1)
      expect(error("#{code} f('a')")).to include("value returned from f has wrong type, expects an Integer value, got String")
    end
  end

  describe "Lambda Support" do
    it "gives functions no lambda, though a parameter may be typed as a Callable" do
      expect(error("function f($a) { $a } f(1) |$x| { $x }")).to include("'f' does not expect a block")
      expect(error("function f(Callable $a) { $a } f() |$x| { $x }")).to include("'f' expects 1 argument, got none")
    end

    it "gives them one, beyond the specification, where the last parameter says so" do
      expect(evaluate("function f($a, Callable[1, 1] &$block) { $block.call($a) } f(1) |$x| { $x + 1 }")).to eq(2)
    end
  end

  describe "Autoloading" do
    module_file = {"modules/testmodule/functions/min.pp" => "function testmodule::min($a, $b) { 'module' }"}
    environment_file = {"production/functions/environment/min.pp" => "function environment::min($a, $b) { 'environment' }"}

    it "finds functions below functions in a module and in the environment" do
      files = {**module_file, **environment_file}
      expect(evaluate("[testmodule::min(1, 2), environment::min(1, 2)]", files)).to eq(%w[module environment])
    end

    it "wants the name of the module as the namespace of its functions" do
      expect(error("testmodule::f()", {"modules/testmodule/functions/f.pp" => "function other::f() { 1 }"}))
        .to include("Unacceptable location. The name 'other::f' is unacceptable in file")
    end

    it "does not look for the environment by its name, but as 'environment'" do
      files = {"production/functions/production/f.pp" => "function production::f() { 1 }"}
      expect(error("production::f()", files)).to include("Unknown function: 'production::f'")
    end

    it "wants the name of the file to be the simple name of the function" do
      expect(error("testmodule::other(1, 2)", module_file)).to include("Unknown function: 'testmodule::other'")
      files = {"modules/testmodule/functions/min.pp" => "function testmodule::max() { 1 }"}
      expect(error("testmodule::min()", files)).to include("'testmodule::max' is unacceptable")
    end

    it "finds nested namespaces in nested directories, in modules and in the environment" do
      files = {"modules/testmodule/functions/math/min.pp" => "function testmodule::math::min() { 'module' }",
               "production/functions/environment/math/min.pp" => "function environment::math::min() { 'environment' }"}
      expect(evaluate("[testmodule::math::min(), environment::math::min()]", files)).to eq(%w[module environment])
    end

    it "finds functions of the environment in the global namespace and in 'environment' only" do
      files = {"production/functions/global.pp" => "function global() { 1 }",
               "production/functions/someother/min.pp" => "function someother::min() { 2 }"}
      expect(evaluate("global()", files)).to eq(1)
      expect(error("someother::min()", files)).to include("Unknown function: 'someother::min'")
    end

    ruby4x = {"modules/m/lib/puppet/functions/m/f.rb" => "Puppet::Functions.create_function(:'m::f') { def f() = '4.x' }"}
    puppet = {"modules/m/functions/f.pp" => "function m::f() { 'puppet' }"}
    ruby3x = {"modules/m/lib/puppet/parser/functions/g.rb" =>
      "Puppet::Parser::Functions.newfunction(:g, type: :rvalue) { |args| '3.x' }"}

    it "takes the 4.x Ruby function if its path exists" do
      expect(evaluate("m::f()", {**ruby4x, **puppet})).to eq("4.x")
    end

    it "takes the Puppet function if its path exists" do
      expect(evaluate("m::f()", puppet)).to eq("puppet")
      files = {"production/functions/g.pp" => "function g() { 'puppet' }"}
      expect(evaluate("g()", {**files, **ruby3x})).to eq("puppet")
    end

    it "takes a 3.x Ruby function last" do
      expect(evaluate("g()", ruby3x)).to eq("3.x")
    end

    it "makes it an error if the file of a function contains more than that" do
      two = {"modules/m/functions/f.pp" => "function m::f() { 1 } function m::f2() { 2 }"}
      expect(error("m::f()", two)).to include("must contain only the function 'm::f' - it has additional definitions.")
      logic = {"modules/m/functions/f.pp" => "function m::f() { 1 } notice('hi')"}
      expect(error("m::f()", logic)).to include("unacceptable as a top level construct")
    end

    it "searches paths that follow from the full name only, and widens no namespace" do
      files = {"modules/m/functions/f.pp" => "function m::f() { 1 }"}
      expect(error("m::deep::f()", files)).to include("Unknown function: 'm::deep::f'")
    end

    it "does not load manifests/init.pp of the module" do
      files = {**puppet, "modules/m/manifests/init.pp" => "this is no Puppet code }"}
      expect(evaluate("m::f()", files)).to eq("puppet")
    end

    it "has no special rule for a file init.pp below functions" do
      files = {"modules/m/functions/init.pp" => "function m::init() { 'init' }"}
      expect(evaluate("m::init()", files)).to eq("init")
      expect(error("m()", files)).to include("Unknown function: 'm'")
    end
  end

  describe "Defining functions in manifests" do
    manifest = {"modules/m/manifests/init.pp" => "class m { } function m::helper() { 'helper' }"}

    it "defines them when the manifest is loaded, as when a class is included" do
      expect(evaluate("include m\nm::helper()", manifest)).to eq("helper")
    end

    it "does not load the manifest because a function is called" do
      expect(error("m::helper()", manifest)).to include("Unknown function: 'm::helper'")
    end

    it "wants functions of a module to have the namespace of the module" do
      files = {"modules/m/manifests/init.pp" => "class m { } function helper() { 1 }"}
      expect(error("include m", files)).to include("The name 'helper' is unacceptable in file")
    end

    it "lets a main manifest use the namespace 'environment', and others only if names are not strict" do
      expect(evaluate("function environment::f() { 1 } environment::f()", {}, strict_names: true)).to eq(1)
      expect(evaluate("function any::f() { 1 } any::f()")).to eq(1)
      expect(error("function any::f() { 1 } any::f()", {}, strict_names: true)).to include("strict_names")
    end

    it "lets a main manifest patch functions of modules, which then cannot be called" do
      files = {"modules/m/functions/f.pp" => "function m::f() { 'module' }"}
      [true, false].each do |strict|
        expect(evaluate("function m::f() { 'patched' } m::f()", files, strict_names: strict)).to eq("patched")
      end
    end

    it "does not let functions of the runtime be shadowed if names are strict, as they are not yet in Puppet" do
      expect(error("function abs($x) { 'mine' } abs(1)", {}, strict_names: true)).to include("one of Puppet's own")
      expect(evaluate("function abs($x) { 'mine' } abs(1)")).to eq("mine")
    end

    it "takes files and code from elsewhere for the main manifest alike" do
      with_modules("site.pp" => "function environment::f() { 'file' }") do |root|
        runtime = Puppetfn::Runtime.new
        runtime.evaluate_file("#{root}/site.pp")
        runtime.evaluate_string("function environment::g() { 'code' }")
        expect([runtime.call_function("environment::f"), runtime.call_function("environment::g")]).to eq(%w[file code])
      end
    end

    it "lets helper functions be used in a class" do
      files = {"modules/m/manifests/init.pp" =>
        "class m { $seen = m::one() } function m::one() { m::two() + 1 } function m::two() { 1 }"}
      expect(evaluate("include m\n$m::seen", files)).to eq(2)
    end

    it "lets a single word be the name of a function" do
      expect(evaluate("function word() { 1 } word()", {}, strict_names: true)).to eq(1)
    end
  end
end
