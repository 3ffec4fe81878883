# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe Puppetfn::Unknown do
  include ModuleTree

  let(:runtime) { Puppetfn::Runtime.new }

  def unknown(type)
    described_class.new(type)
  end

  it "is some value of a type" do
    port = unknown("Integer[1, 65535]")
    expect(port.type).to eq(Puppetfn::Type.parse("Integer[1, 65535]"))
    expect(port).to eq(unknown(Puppetfn::Type.parse("Integer[1, 65535]")))
    expect(port).not_to eq(unknown("Integer"))
    expect(port.inspect).to eq("#<Puppetfn::Unknown Integer[1, 65535]>")
    expect(described_class.new.type.to_s).to eq("Any")
    expect { unknown("Integer[") }.to raise_error(Puppet::ParseError)
    expect { unknown(1) }.to raise_error(TypeError)
  end

  it "is found in collections" do
    expect(described_class.among?([1, {"a" => [unknown("Any")]}])).to be(true)
    expect(described_class.among?([1, {"a" => [2]}])).to be(false)
  end

  it "is of a type only if all its values are" do
    expect(runtime.type("Integer").instance?(unknown("Integer[1, 5]"))).to be(true)
    expect(runtime.type("Integer[2]").instance?(unknown("Integer"))).to be(false)
    expect(runtime.infer(unknown("Integer[1, 5]")).to_s).to eq("Integer[1, 5]")
  end

  describe "as an argument" do
    it "makes the result of a built-in function unknown" do
      expect(runtime.call_function("upcase", unknown("String"))).to eq(unknown("String"))
      expect { runtime.call_function("upcase", unknown("Boolean")) }.to raise_error(ArgumentError, /'upcase'/)
    end

    it "makes the result of a function in Ruby one of its return type, without a call" do
      called = []
      runtime.define_function("price") do
        dispatch :of_number do
          param "Integer[0]", :net
          return_type "Float"
        end
        dispatch :of_text do
          param "Variant[String, Integer]", :net
          return_type "Integer"
        end
        define_method(:of_number) { |net| called << net and 1.0 }
        define_method(:of_text) { |net| called << net and 1 }
      end

      expect(runtime.call_function("price", unknown("Integer[1, 5]"))).to eq(unknown("Float"))
      expect(runtime.call_function("price", unknown("Integer"))).to eq(unknown("Variant[Float, Integer]"))
      expect(runtime.call_function("price", unknown("String"))).to eq(unknown("Integer"))
      expect { runtime.call_function("price", unknown("Boolean")) }.to raise_error(ArgumentError, /'price'/)
      expect(called).to be_empty
    end

    it "is found in what is untyped" do
      runtime.define_function("any") do
        dispatch(:any) { param "Any", :x }
        define_method(:any) { |_| raise "called" }
      end

      expect(runtime.call_function("any", [{"a" => unknown("Integer")}])).to eq(described_class.new)
    end

    it "makes the result of a function in the Puppet language one of its return type" do
      runtime.evaluate_string("function f(Integer $x) >> String { fail('called') } function g($x) { fail('called') }")

      expect(runtime.call_function("f", unknown("Integer"))).to eq(unknown("String"))
      expect(runtime.call_function("g", unknown("Integer"))).to eq(described_class.new)
      expect { runtime.call_function("f", unknown("String")) }.to raise_error(ArgumentError, /expects an Integer value/)
    end

    it "goes through the body of a function in the Puppet language, where ways that part give one type or the other" do
      runtime.evaluate_string(<<~PUPPET)
        function f($x) { if $x =~ Integer { $x + 1 } elsif $x { 'text' } else { undef } }
        function g(Optional[String] $x, $y = [$x]) >> Array { unless $x { return(['none']) } $y }
        function h(*$rest) { $rest[0] }
        function logs($x) { notice('called') $x }
      PUPPET

      expect(runtime.call_function("f", described_class.new).type.to_s).to eq("Optional[Variant[Integer, String]]")
      expect(runtime.call_function("f", unknown("Variant[Integer, Float]")).type.to_s).to eq("Variant[Integer, String]")
      expect(runtime.call_function("f", unknown("Boolean[false]"))).to be_nil
      expect(runtime.call_function("g", unknown("Enum[a, b]"))).to eq([unknown("Enum[a, b]")])
      expect(runtime.call_function("h", 1, unknown("Integer"))).to eq(1)
      expect(runtime.call_function("logs", unknown("Integer"))).to eq(unknown("Integer"))
      expect(runtime.logs.to_a).to be_empty
    end

    it "goes through functions of modules, and takes those that were replaced for any" do
      files = {"m/functions/f.pp" => "function m::f($x) { upcase(m::text($x)) }", "m/functions/text.pp" => <<~PUPPET}
        function m::text($x) >> String { "x${x}" }
      PUPPET
      with_runtime(files) do |runtime|
        expect(runtime.call_function("m::f", unknown("Integer"))).to eq(unknown("String"))
        runtime.define_function("m::text") { dispatch(:any) { param "Any", :x } and define_method(:any) { |x| x } }
        runtime.define_function("upcase") { dispatch(:any) { param "Any", :x } and define_method(:any) { |x| x } }
        expect(runtime.call_function("m::f", unknown("Integer"))).to eq(described_class.new)
      end
    end

    it "says no more than what is stated where texts count as numbers, and where a block is given" do
      runtime = Puppetfn::Runtime.new(strict: :off)
      code = "function f($x) { $x + 1 } function g($x, &$block) { if $x { 1 } else { 'a' } }"
      [runtime, self.runtime].each { |each| each.evaluate_string(code) }

      expect(runtime.call_function("f", unknown("Variant[String, Integer]"))).to eq(described_class.new)
      expect(self.runtime.call_function("f", unknown("Variant[String, Integer]"))).to eq(unknown("Integer"))
      expect(self.runtime.call_function("g", unknown("Any")) { 1 }).to eq(described_class.new)
    end

    it "makes the result of a function of the 3.x API unknown" do
      files = {"m/lib/puppet/parser/functions/old.rb" => <<~RUBY}
        Puppet::Parser::Functions.newfunction(:old, type: :rvalue) { |args| raise "called" }
      RUBY
      with_runtime(files) { |runtime| expect(runtime.call_function("old", unknown("String"))).to eq(described_class.new) }
    end
  end
end
