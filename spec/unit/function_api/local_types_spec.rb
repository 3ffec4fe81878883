# frozen_string_literal: true

require_relative "../../support/function_api"

RSpec.describe "Function API: local type aliases" do
  include_context "with functions"

  it "can be used to type the parameters of the function" do
    function = define("define_colors") do
      local_types do
        type "PartColor = Enum[blue, red]"
        type "Part = Enum[chair, wall]"
        type "PartToColorMap = Hash[Part, PartColor]"
      end
      dispatch(:define_colors) { param "PartToColorMap", :part_color_map }

      def define_colors(part_color_map)
        part_color_map.keys
      end
    end

    expect(call(function, {"chair" => "red"})).to eq(["chair"])
    expect { call(function, {"chair" => "pink"}) }
      .to raise_error(ArgumentError, /entry 'chair' expects a match for PartColor = Enum\['blue', 'red'\], got 'pink'/)
  end

  it "use each other and themselves, in any order" do
    function = define("names") do
      local_types do
        type "Tree = Struct[{name => String, kids => Kids}]"
        type "Kids = Array[Tree]"
      end
      dispatch(:names) { param "Tree", :tree }

      def names(tree)
        [tree["name"], *tree["kids"].flat_map { |kid| names(kid) }]
      end
    end
    leaf = {"name" => "b", "kids" => []}

    expect(call(function, {"name" => "a", "kids" => [leaf]})).to eq(%w[a b])
    expect { call(function, {"name" => "a", "kids" => [{"name" => "b"}]}) }
      .to raise_error(ArgumentError, "'names' parameter 'tree' entry 'kids' index 0 expects a value for key 'kids'")
  end

  it "stay whole when one that others use is resolved first" do
    function = define("f") do
      local_types do
        type "A = Struct[{b => Optional[B]}]"
        type "B = Struct[{a => Optional[A]}]"
        type "C = Array[B]"
      end
      dispatch(:of_b) { param "B", :x }
      dispatch(:of_c) { param "C", :x }

      def of_b(_) = "B"
      def of_c(_) = "C"
    end
    GC.start

    expect(call(function, {"a" => {"b" => {}}})).to eq("B")
    expect(call(function, [{"a" => {"b" => {}}}])).to eq("C")
    expect { call(function, [{"a" => {"b" => {"a" => 1}}}]) }.to raise_error(ArgumentError, /entry 'a'/)
  end

  it "are only available inside the function" do
    define("f") do
      local_types { type "Mine = Integer" }
      dispatch(:f) { param "Mine", :x }
      def f(x) = x
    end
    other = define("g") do
      dispatch(:g) { param "Mine", :x }
      def g(x) = x
    end

    expect { call(other, 1) }.to raise_error(ArgumentError, "'g' parameter 'x' references an unresolved type 'Mine'")
  end

  it "cannot be defined twice; the error has the place of the first name, as Puppet's" do
    expect do
      define("f") do
        local_types do
          type "\n  Mine = Integer"
          type "Mine = String"
        end
        dispatch(:f) { param "Mine", :x }
        def f(x) = x
      end
    end.to raise_error(ArgumentError, "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/mine'. " \
                                      "Originally set at string:?line=2&pos=3.")
  end

  it "must be placed before the dispatchers that use them" do
    function = define("f") do
      dispatch(:f) { param "Late", :x }
      local_types { type "Late = Integer" }
      def f(x) = x
    end

    expect { call(function, 1) }.to raise_error(ArgumentError, /references an unresolved type 'Late'/)
  end

  it "have the syntax that follows the keyword type in the Puppet language" do
    expect { define("f") { local_types { type "port = Integer" } } }
      .to raise_error(ArgumentError, /\AParsing of 'type "port = Integer"' failed with message: <Syntax error at 'port'/)
  end

  it "are one definition each" do
    ["A = Integer type B = String", "A = Integer; 1", "A = Integer notice(1)"].each do |text|
      expect { define("f") { local_types { type text } } }.to raise_error(
        ArgumentError, /\AExpected a type alias assignment on the form 'AliasType = T', got '#{Regexp.escape(text)}'\.\nCalled from <.*local_types_spec.rb:\d+>\z/
      )
    end
  end

  it "are defined once each" do
    expect { define("f") { local_types { 2.times { type "A = Integer" } } } }
      .to raise_error(ArgumentError, /\AAttempt to redefine entity 'http:\/\/puppet.com\/2016.1\/runtime\/type\/a'/)
  end

  it "hide named types of Puppet's own, but not its basic types" do
    function = define("f") do
      local_types do
        type "Data = Integer"
        type "String = Integer"
      end
      dispatch(:f) { param "Data", :x; param "String", :y }
      def f(x, y) = [x, y]
    end

    expect(call(function, 1, "a")).to eq([1, "a"])
    expect { call(function, "a", "a") }.to raise_error(ArgumentError, /'x' expects a Data value, got String/)
  end

  it "are answered by a method each, once they are used" do
    function = define("f") do
      local_types do
        type "Port = Integer[1, 65535]"
        type "Unused = String"
      end
      dispatch(:f) { param "Port", :x }
      def f(_) = type_Port
      def unused = type_Unused
    end

    expect(call(function, 80)).to eq(function.loader.load(:type, "Port"))
    expect { make(function).unused }.to raise_error(Puppet::Error, "Reference to unresolved type Unused")
  end

  it "need a loader" do
    expect { Puppet::Functions.create_loaded_function("f", nil) { local_types { type "A = Integer" } } }
      .to raise_error(ArgumentError, /\ANo loader present/)
  end
end
