# frozen_string_literal: true

require "puppetfn"
require_relative "../../support/module_tree"

# Functions in Ruby that code in the Puppet language calls.
RSpec.describe "Function API: calls from the Puppet language" do
  include ModuleTree

  # Evaluates code with one function in Ruby.
  def evaluate(code, body, **options)
    with_runtime({"m/lib/puppet/functions/m/f.rb" => <<~RUBY}, **options) { |runtime| return runtime.evaluate_string(code) }
      Puppet::Functions.create_function(:"m::f"#{", Puppet::Functions::InternalFunction" if body.include?("_param()")}) do
      #{body}
      end
    RUBY
  end

  min = <<~RUBY
    dispatch :min do
      param "Numeric", :a
      param "Numeric", :b
      optional_block_param "Callable[Integer]", :block
    end
    def min(x, y)
      result = [x, y].min
      block_given? ? yield(result) : result
    end
  RUBY

  it "gives a lambda as a Ruby block to the method" do
    expect(evaluate("m::f(1, 100) |$x| { \"min is ${x}\" }", min)).to eq("min is 1")
    expect(evaluate("m::f(1, 100)", min)).to eq(1)
  end

  it "lets the lambda see the variables around it" do
    expect(evaluate("function g($y) { m::f(1, 2) |$x| { $x + $y } } g(10)", min)).to eq(11)
  end

  it "checks the types of the lambda when the function is called" do
    expect { evaluate("m::f(1, 2) |String $x| { $x }", min) }
      .to raise_error(Puppet::PreformattedError, /block index 0 expects an Integer value, got String/)
    expect { evaluate("m::f(1, 2) |$x, $y| { $x }", min) }
      .to raise_error(Puppet::PreformattedError, /block expects 1 argument, got 2/)
  end

  it "refuses a lambda where no block parameter is declared" do
    expect { evaluate("m::f(1) |$x| { $x }", "def f(x) = x") }
      .to raise_error(Puppet::PreformattedError, /'m::f' does not expect a block/)
  end

  it "requires a lambda with block_param" do
    expect { evaluate("m::f()", "dispatch(:f) { block_param }\ndef f = yield") }
      .to raise_error(Puppet::PreformattedError, /'m::f' expects a block/)
  end

  describe "an iterator" do
    it "stays one on its way through functions in Ruby" do
      pass = "dispatch(:f) { param 'Any', :x; param 'String', :to }\ndef f(x, to) = call_function(to, x)"
      expect(evaluate("type(m::f([1, 2].reverse_each, 'type'))", pass).to_s).to eq("Type[Iterator[Variant[Integer[1, 1], Integer[2, 2]]]]")
      expect(evaluate("m::f([1, 2, 3].step(2), 'reverse_each').map |$x| { $x }", pass)).to eq([3, 1])
      expect(evaluate("m::f({a => 1}.reverse_each, 'type')", pass).to_s).to eq("Iterator[Tuple[String, Integer[1, 1], 2, 2]]")
      expect { evaluate("m::f([1].reverse_each, 'length')", pass) }.to raise_error(/got Iterator\[Integer\]/)
    end

    it "is what a parameter of this type accepts, and is named in what others say" do
      take = ->(type) { "dispatch(:f) { param '#{type}', :x }\ndef f(x) = x" }
      expect(evaluate("m::f([1].reverse_each) =~ Iterator[Integer]", take["Iterator[Integer]"])).to be(true)
      expect(evaluate("m::f({a => 1}.step(1)).each |$k, $v| { notice($k, $v) }; 1", take["Iterable"])).to eq(1)
      expect { evaluate("m::f([1].reverse_each)", take["Iterator[String]"]) }
        .to raise_error(/'m::f' parameter 'x' expects an Iterator\[String\] value, got Iterator\[Integer\[1, 1\]\]/)
      expect { evaluate("m::f([1].reverse_each)", take["Integer"]) }.to raise_error(/expects an Integer value, got Iterator\[Integer\]/)
    end

    it "of Ruby's that has no end is refused" do
      endless = "dispatch(:f) { }\ndef f = Puppet::Pops::Types::Iterator.new(nil, (1..).each)"
      expect { evaluate("m::f().map |$x| { $x }", endless) }.to raise_error(Puppetfn::LimitError)
    end
  end

  describe "the given block" do
    def block_in(code)
      evaluate(code, "dispatch(:f) { block_param }\ndef f(&block) = block")
    end

    it "tells arity and parameters by the Ruby Proc API" do
      block = block_in("m::f() |Integer $a, $b = 2, *$c| { }")

      expect(block).to be_a(Proc).and be_an_instance_of(Puppet::Pops::Evaluator::PuppetProc)
      expect([block.arity, block.parameters, block.lambda?]).to eq([-2, [%i[req a], %i[opt b], %i[rest c]], false])
      expect(block_in("m::f() |$a, $b| { }").arity).to eq(2)
      expect(block_in("m::f() || { }").arity).to eq(0)
    end

    it "has the Puppet closure, which knows the types of the parameters" do
      closure = block_in("m::f() |Integer $a, String *$b| >> Numeric { 1 }").closure

      expect(closure).to be_a(Puppet::Pops::Evaluator::Closure)
      expect(closure.parameter_names).to eq(%w[a b])
      expect(closure.parameters.map { |parameter| parameter.type.to_s }).to eq(%w[Integer String])
      expect(closure.type.to_s).to eq("Callable[[Integer, String, 1], Numeric]")
      expect([closure.return_type.to_s, closure.last_captures_rest?, closure.closure_name]).to eq(["Numeric", true, "lambda"])
      expect(block_in("m::f() |Integer $a, String $b = 'x'| { 1 }").closure.params_struct.to_s)
        .to eq("Struct[{'a' => Integer, Optional['b'] => String}]")
    end

    it "checks arguments and the result when it is called" do
      expect { evaluate("m::f() |Integer $x| { $x }", "dispatch(:f) { block_param }\ndef f = yield('a')") }
        .to raise_error(Puppet::PreformattedError, /block parameter 'x' expects an Integer value, got String/)
    end

    it "cannot be called after the code around it is done" do
      block = block_in("m::f() |$x| { $x }")

      expect { block.call(1) }.to raise_error(Puppet::ParseError, "a block cannot be called after the code around it is done")
    end

    it "can only be called where it was given, not in another thread or fiber", :stacks do
      body = "dispatch(:f) { block_param }\ndef f(&block) = "

      [
        "Thread.new { Thread.current.report_on_exception = false; block.call }.value",
        "Fiber.new { block.call }.resume"
      ].each do |elsewhere|
        expect { evaluate("m::f() || { 1 }", body + elsewhere) }
          .to raise_error(Puppetfn::Error, /only be called by the thread and fiber/)
      end
    end

    it "can be passed on to another function, with its types" do
      pass = "dispatch(:f) { param 'Any', :a; block_param }\ndef f(a, &block) = call_function('map', a, &block)"

      expect(evaluate("m::f([1, 2]) |$x| { $x * 2 }", pass)).to eq([2, 4])
      expect(evaluate("m::f([7, 8]) |$i, $x| { $i + $x }", pass)).to eq([7, 9])
    end
  end

  describe "ways out" do
    each = "dispatch(:f) { param 'Array', :a; block_param }\ndef f(a) = a.map { |x| yield(x) }"

    it "next gives the value of the lambda" do
      expect(evaluate("m::f([1, 2]) |$x| { if $x == 1 { next(10) } $x }", each)).to eq([10, 2])
    end

    it "return leaves the Puppet function around the lambda, and runs what Ruby ensures" do
      ensures = "dispatch(:f) { block_param }\ndef f\n  yield\nrescue => e\n  'rescued'\nensure\n  Puppet.notice('ensured')\nend"

      with_runtime({"m/lib/puppet/functions/m/f.rb" => "Puppet::Functions.create_function(:'m::f') do\n#{ensures}\nend"}) do |runtime|
        code = "function g() { m::f() || { return('returned') } 'not here' } g()"

        expect(runtime.evaluate_string(code)).to eq("returned")
        expect(runtime.logs).to eq([[:notice, "ensured"]])
      end
    end

    it "break ends the iteration around the Ruby function, if that lets it pass" do
      expect(evaluate("[1, 2, 3].map |$y| { m::f([$y]) |$x| { if $x == 2 { break() } $x } }", each)).to eq([[1]])
      expect(evaluate("m::f([1]) |$x| { break() }",
        "dispatch(:f) { param 'Array', :a; block_param }\ndef f(a)\n  yield(1)\nrescue StopIteration => e\n  e.class.name\nend"))
        .to eq("Puppet::Pops::Evaluator::PuppetStopIteration")
    end

    it "are errors where nothing receives them" do
      expect { evaluate("m::f([1]) |$x| { break() }", each) }
        .to raise_error(Puppet::ParseError, /\Abreak\(\) from context where this is illegal/)
      expect { evaluate("m::f([1]) |$x| { return() }", each) }
        .to raise_error(Puppet::ParseError, /\Areturn\(\) from context where this is illegal/)
    end

    it "throw leaves the code" do
      expect(catch(:out) { evaluate("[1].each |$x| { m::f($x) }", "def f(x) = throw(:out, x)") }).to eq(1)
    end

    it "errors become those of the code, and bear the exceptions that they were" do
      body = "def f = raise(IOError, 'broken')"

      expect { evaluate("[1].each |$x| { m::f() }", body) }.to raise_error(Puppet::PreformattedError) { |error|
        expect(error.message).to eq("Evaluation Error: Error while evaluating a Function Call, broken (line: 1, column: 17)")
        expect(error.original).to be_a(IOError)
        expect(error.backtrace.first).to match(%r{/m/f\.rb:\d+:in `f'})
      }
    end

    it "other exceptions come through as the same objects, with their backtrace" do
      body = "def f = raise(Puppetfn::UnavailableError, 'A thing')"

      expect { evaluate("[1].each |$x| { m::f() }", body) }.to raise_error(Puppetfn::UnavailableError) { |error|
        expect(error.backtrace.first).to match(%r{/m/f\.rb:\d+:in `f'})
      }
    end

    it "and the runtime can be used again after all of them" do
      with_runtime({"m/lib/puppet/functions/m/f.rb" => "Puppet::Functions.create_function(:'m::f') { def f = raise(IOError) }"}) do |runtime|
        3.times { expect { runtime.evaluate_string("[1].each |$x| { m::f() }") }.to raise_error(Puppet::PreformattedError) }

        expect(runtime.evaluate_string("[1].map |$x| { $x + 1 }")).to eq([2])
      end
    end
  end

  describe "code that a function evaluates" do
    ev = <<~RUBY
      dispatch :f do
        param "String", :code
        pal_compiler_param()
        scope_param()
        optional_block_param
      end
      def f(code, compiler, scope)
        value = compiler.evaluate_string(code)
        block_given? ? yield(value) : [value, (scope["x"] if scope.exist?("x"))]
      end
    RUBY

    it "runs in the middle of the evaluation that called it" do
      expect(evaluate("m::f('1 + 41')", ev)).to eq([42, nil])
      expect(evaluate("[1].map |$i| { m::f('[2].map |$x| { m::f(\"3\") }') |$v| { [$i, $v] } }", ev)).to eq([[1, [[3, 2]]]])
    end

    it "defines functions and variables for what follows, in Ruby as well" do
      with_runtime({"m/lib/puppet/functions/m/f.rb" => "Puppet::Functions.create_function(:'m::f') { def f(n, *a) = call_function(n, *a) }"}) do |runtime|
        runtime.evaluate_string("function twice(Integer $n) { $n * 2 } $answer = 42")

        expect(runtime.evaluate_string("m::f('twice', $answer)")).to eq(84)
        expect(runtime.call_function("twice", 4)).to eq(8)
        expect(runtime.function_signature("twice").to_s).to eq("twice(Integer n)")
        expect(runtime.scope["answer"]).to eq(42)
        expect { runtime.scope["answer"] = 1 }.to raise_error(Puppet::ParseError, "Cannot reassign variable '$answer'")
        expect { runtime.call_function("twice", "a") }
          .to raise_error(ArgumentError, "'twice' parameter 'n' expects an Integer value, got String")
      end
    end

    it "sees facts and variables of the runtime" do
      runtime = Puppetfn::Runtime.new(facts: {"os" => {"family" => "Debian"}}, variables: {"x" => 1})

      expect(runtime.evaluate_string("[$facts['os']['family'], $os['family'], $x]")).to eq(["Debian", "Debian", 1])
      expect { runtime.evaluate_string("$x = 2") }.to raise_error(Puppet::PreformattedError, /Cannot reassign variable '\$x'/)
    end
  end

  it "ends calls that nest too deep with an error, in fibers and threads as well", :stacks do
    deep = proc do
      evaluate("m::f(0)", "def f(n) = Puppetfn::Runtime.current.evaluate_string(%(m::f(\#{n + 1})))")
    rescue SystemStackError, Puppetfn::LimitError => e
      e.class
    end

    [deep, -> { Thread.new(&deep).value }, -> { Fiber.new(&deep).resume }].each do |run|
      expect([SystemStackError, Puppetfn::LimitError]).to include(run.call)
    end
  end

  it "says where code is wrong" do
    runtime = Puppetfn::Runtime.new

    expect { runtime.evaluate_string("1 +", "x.pp") }.to raise_error(Puppet::ParseErrorWithIssue, "Syntax error at end of input (file: x.pp)")
    expect { runtime.evaluate_string("1 + 'a'", "x.pp") }.to raise_error(
      Puppet::PreformattedError,
      "Evaluation Error: The value 'a' cannot be converted to Numeric. (file: x.pp, line: 1, column: 5)"
    ) { |error| expect([error.file, error.line, error.pos]).to eq(["x.pp", 1, 5]) }
  end
end
