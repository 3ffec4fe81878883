# frozen_string_literal: true

require "puppetfn"

RSpec.describe Puppetfn::Type, "#new" do
  def type(text) = described_class.parse(text)

  let(:types) { Puppetfn::Puppet::Pops::Types }

  it "makes a value of others" do
    expect([type("Integer").new("0xFF", 16), type("Float").new("1.5"), type("Boolean").new("yes"),
      type("Array").new({"a" => 1}), type("Hash").new([["a", 1], [:default, nil]]),
      type("Regexp").new("a.b", true)]).to eq([255, 1.5, true, [["a", 1]], {"a" => 1, :default => nil}, /a\.b/])
  end

  it "gives back what is of the type already, as the same object" do
    object = Object.new
    expect(type("Any").new(object)).to be(object)
    expect(type("Sensitive").new("secret").unwrap).to eq("secret")
  end

  it "gives the value to a block" do
    expect(type("Integer").new("5") { |number| [number, number] }).to eq([5, 5])
    expect([1].each { type("Integer").new("5") { break :out } }).to eq([1])
  end

  it "raises the errors that Puppet raises" do
    expect { type("Integer").new("ff") }
      .to raise_error(ArgumentError, "'new' The string 'ff' cannot be converted to Integer")
    expect { type("Integer").new("12", 2) }
      .to raise_error(types::TypeConversionError, 'invalid value for Integer(): "12"')
    expect { type("Callable").new(1) }
      .to raise_error(ArgumentError, "Creation of new instance of type 'Callable' is not supported")
    expect { type("Integer[1, 5]").new("9") }.to raise_error(types::TypeAssertionError, /\AConverted value from/) { |error|
      expect([error.expected_type, error.actual_type].map(&:to_s)).to eq(["Integer[1, 5]", "Integer[9, 9]"])
    }
  end

  it "is what a runtime creates with" do
    runtime = Puppetfn::Runtime.new
    expect(runtime.create("Integer", "0xFF", 16)).to eq(255)
    expect(runtime.create(type("Init[Integer, 2]"), "11") { |number| -number }).to eq(-3)
    expect(runtime.call_function("new", type("Float"), "2") { |number| number * 2 }).to eq(4.0)
    expect(runtime.call_function("convert_to", "ff", type("Array"), true)).to eq(["ff"])
  end
end
