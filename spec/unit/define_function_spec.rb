# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe Puppetfn::Runtime, "#define_function" do
  include ModuleTree

  subject(:runtime) { described_class.new(modulepath: [@modulepath]) }

  around { |example| with_modules(files) { |root| (@modulepath = root) && example.run } }

  let(:files) do
    {
      "m/lib/puppet/functions/m/ruby.rb" => <<~RUBY,
        Puppet::Functions.create_function(:"m::ruby") do
          dispatch(:ruby) {}
          def ruby = call_function("m::code") + call_function("upcase", "ruby")
        end
      RUBY
      "m/functions/code.pp" => "function m::code() { 'code' }",
      "m/functions/caller.pp" => "function m::caller() { [m::ruby(), m::code(), m_legacy(), upcase('x')] }",
      "m/lib/puppet/parser/functions/m_legacy.rb" => <<~RUBY
        Puppet::Parser::Functions.newfunction(:m_legacy, type: :rvalue) { |args| "legacy" }
      RUBY
    }
  end

  def replace(name, answer)
    runtime.define_function(name) do
      dispatch(:answer) { repeated_param "Any", :args }
      define_method(:answer) { |*_args| answer }
    end
  end

  it "stands for functions of every kind, in Puppet code and in Ruby" do
    expect(runtime.call_function("m::caller")).to eq(["codeRUBY", "code", "legacy", "X"])

    replace("m::code", "c")
    replace("m_legacy", "l")
    replace("upcase", "u")
    expect(runtime.call_function("m::caller")).to eq(["cu", "c", "l", "u"])
    expect(runtime.call_function("upcase", 1, 2)).to eq("u")

    replace("m::ruby", "r")
    expect(runtime.evaluate_string("m::caller()")).to eq(["r", "c", "l", "u"])
  end

  it "can be done before any code is evaluated, and again" do
    replace("m::code", 1)
    replace("::M::Code", 2)
    expect(runtime.call_function("m::code")).to eq(2)
    expect(runtime.evaluate_string("m::code()")).to eq(2)
  end

  it "checks arguments, and gives blocks to the function" do
    runtime.define_function(:twice) do
      dispatch(:twice) do
        param "Integer", :x
        block_param
      end

      def twice(value)
        yield(value) * 2
      end
    end

    expect(runtime.evaluate_string("twice(3) |$x| { $x + 1 }")).to eq(8)
    expect { runtime.evaluate_string("twice('a') |$x| { }") }
      .to raise_error(Puppet::Error, /'twice' parameter 'x' expects an Integer value, got String/)
    expect(runtime.function_signature("twice").to_s).to eq("twice(Integer x, Callable block)")
  end

  it "takes the place of what code has defined, and of what it defines later" do
    runtime.evaluate_string("function f() { 1 }")
    replace("f", 2)
    replace("g", 3)
    runtime.evaluate_string("function g() { 1 }")
    expect(runtime.evaluate_string("[f(), g()]")).to eq([2, 3])
  end

  it "belongs to its runtime alone" do
    replace("upcase", "u")
    expect(described_class.new.evaluate_string("upcase('x')")).to eq("X")
  end
end
