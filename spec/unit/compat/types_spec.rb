# frozen_string_literal: true

require_relative "../../support/module_tree"

# Types under Puppet's names; the answers are those of Puppet 8.11.
RSpec.describe "Puppet::Pops::Types" do
  include ModuleTree

  types = Puppet::Pops::Types
  factory = types::TypeFactory

  def type(text) = Puppetfn::Type.parse(text)

  it "has a class for each kind of type" do
    {
      "Any" => types::PAnyType, "Integer[1, 2]" => types::PIntegerType, "Float" => types::PFloatType,
      "String[1]" => types::PStringType, "Enum[a]" => types::PEnumType, "Array[String]" => types::PArrayType,
      "Hash" => types::PHashType, "Tuple[String]" => types::PTupleType, "Struct[{a => Integer}]" => types::PStructType,
      "Variant[Integer, String]" => types::PVariantType, "Optional[String]" => types::POptionalType,
      "Callable" => types::PCallableType, "Type[Integer]" => types::PTypeType, "Data" => types::PTypeAliasType,
      "Sensitive[String]" => types::PSensitiveType, "Nonesuch" => types::PTypeReferenceType
    }.each { |text, kind| expect(type(text)).to be_instance_of(kind), text }
  end

  it "has the same hierarchy of classes" do
    expect(types::PIntegerType.ancestors.grep(Class).take_while { |ancestor| ancestor != Puppetfn::Type })
      .to eq([types::PIntegerType, types::PNumericType, types::PScalarDataType, types::PScalarType, types::PAnyType])
  end

  it "has a type without parameters for each class, which abstract classes inherit" do
    {
      types::PAnyType => "Any", types::PIntegerType => "Integer", types::PUnitType => "Unit", types::PArrayType => "Array",
      types::PTypeAliasType => "UnresolvedAlias = TypeReference['UnresolvedReference']", types::PObjectType => "Object[{}]",
      types::PObjectTypeExtension => "Any", types::PTypeWithContainedType => "Any", types::PMetaType => "Any"
    }.each { |kind, text| expect(kind::DEFAULT.to_s).to eq(text), kind.name }
  end

  it "names the classes in messages" do
    expect { Puppetfn::Runtime.new.evaluate_string("URI[Error['a']]") }
      .to raise_error(/must be types\. Got Puppet::Pops::Types::PObjectTypeExtension/)
  end

  it "has inferred types of these classes, too" do
    expect([1, "a", nil, [1], {"a" => 1}].map { |value| Puppetfn::Type.infer(value).class })
      .to eq([types::PIntegerType, types::PStringType, types::PUndefType, types::PArrayType, types::PHashType])
  end

  it "tells what types are made of" do
    range = type("Integer[1, 5]")
    callable = type("Callable[[String, 1, 2], Integer]")

    expect([range.from, range.to, range.range, range.finite_range?]).to eq([1, 5, [1, 5], true])
    expect([type("Integer").from, type("Integer").range, type("Integer").finite_range?])
      .to eq([nil, [-Float::INFINITY, Float::INFINITY], false])
    expect(type("Enum[b, a]").values).to eq(%w[a b])
    expect([type("Array[String, 1, 3]").element_type, type("Array[String, 1, 3]").size_type].map(&:to_s))
      .to eq(["String", "Integer[1, 3]"])
    expect([type("Hash[String, Integer]").key_type, type("Hash[String, Integer]").value_type].map(&:to_s))
      .to eq(%w[String Integer])
    expect(["Integer[1, 2]", "Integer"].map { |text| type(text).size }).to eq([2, Float::INFINITY])
    expect(["Array", "Hash[String, Integer, 1, 3]", "Tuple[String]", "Tuple[String, 0, 2]"].map { |text| type(text).size_range })
      .to eq([[0, Float::INFINITY], [1, 3], [1, 1], [0, 2]])
    expect(type("Runtime[ruby, 'Time']").runtime).to eq(:ruby)
    expect(type("Tuple[String, Integer]").types.map(&:to_s)).to eq(%w[String Integer])
    expect(type("Optional[String]").optional_type.to_s).to eq("String")
    expect(type("Regexp[/a/]").regexp).to eq(/a/)
    expect(type("Struct[{a => Integer}]").elements.map { |e| [e.name, e.value_type.to_s] }).to eq([%w[a Integer]])
    expect([callable.param_types, callable.block_type, callable.return_type].map(&:to_s))
      .to eq(["Tuple[String, 1, 2]", "", "Integer"])
    expect(type("Data").resolved_type).to be_instance_of(types::PVariantType)
  end

  it "makes types by their classes" do
    string = types::PStringType::DEFAULT
    integer = types::PIntegerType

    made = [
      integer.new(nil, 5), integer.new(1, nil), types::PArrayType.new(string, integer.new(1, 3)), types::PHashType.new(string, string),
      types::PVariantType.new([string, integer::DEFAULT]), types::PEnumType.new(%w[b a]), types::POptionalType.new(string),
      types::PTupleType.new([string, string], integer.new(1, 2)), types::PCallableType.new(types::PTupleType.new([string]), nil, string),
      types::PSensitiveType.new(string), types::PRegexpType.new(/a/)
    ]

    expect(made.map(&:to_s)).to eq([
      "Integer[default, 5]", "Integer[1]", "Array[String, 1, 3]", "Hash[String, String]", "Variant[String, Integer]",
      "Enum['a', 'b']", "Optional[String]", "Tuple[String, String, 1, 2]", "Callable[[String], String]", "Sensitive[String]", "Regexp[/a/]"
    ])
  end

  it "makes types by the factory" do
    made = [
      factory.integer, factory.range(1, :default), factory.array_of(factory.string), factory.hash_of(factory.integer, factory.string),
      factory.enum("it's"), factory.variant(factory.string, factory.string), factory.optional(factory.integer),
      factory.struct("a" => factory.integer), factory.ruby(Time), factory.type_of(Integer), factory.type_of([1]),
      factory.callable(factory.string, 1, 2), factory.pattern("a.b"), factory.boolean(true), factory.data
    ]

    expect(made.map(&:to_s)).to eq([
      "Integer", "Integer[1]", "Array[String]", "Hash[String, Integer]", "Enum['it\\'s']", "String", "Optional[Integer]",
      "Struct[{'a' => Integer}]", "Runtime[ruby, 'Time']", "Integer", "Array[Integer]", "Callable[String, 1, 2]",
      "Pattern[/a.b/]", "Boolean[true]", "Data"
    ])
  end

  it "refuses what cannot be a parameter of a type" do
    expect { factory.enum(Object.new) }.to raise_error(ArgumentError, /cannot be a parameter of a type/)
  end

  it "says that an abstract kind has no types" do
    expect { types::PMetaType.new }.to raise_error(Puppetfn::UnavailableError, /\APuppet::Pops::Types::PMetaType\.new/)
  end

  it "calculates" do
    calculator = types::TypeCalculator

    expect([calculator.instance?(factory.integer, 1), calculator.assignable?(factory.numeric, factory.integer),
      calculator.singleton.assignable?(Integer, factory.range(1, 2))]).to all(be(true))
    expect([calculator.infer([1, 2]), calculator.infer_set([1, "a"]), calculator.singleton.infer_generic([1, 2]),
      calculator.singleton.common_type(factory.range(1, 2), factory.range(4, 5))].map(&:to_s))
      .to eq(["Array[Integer[1, 2], 2, 2]", "Tuple[Integer[1, 1], String]", "Array[Integer]", "Integer[1, 5]"])
  end

  it "parses with the aliases of a scope or loader, and of the runtime at work" do
    with_runtime({"mod/types/port.pp" => "type Mod::Port = Integer[1, 65535]"}) do |runtime|
      parser = types::TypeParser
      parsed = [parser.new.parse("Mod::Port", runtime.scope), parser.singleton.parse("Mod::Port", runtime.loader),
        runtime.activate { parser.singleton.parse("Mod::Port") }]

      expect(parsed.map { |t| [t.instance?(80), t.instance?(0)] }).to eq([[true, false]] * 3)
      expect(runtime.activate { factory.array_of(parsed.first) }.instance?([0])).to be(false)
    end
  end

  it "fails with a parse error that has an issue" do
    expect { types::TypeParser.singleton.parse("Array[") }.to raise_error(Puppet::ParseErrorWithIssue)
  end

  it "describes and asserts" do
    expect(types::TypeMismatchDescriber.new.describe_mismatch("x", factory.integer, types::TypeCalculator.infer_set("a")))
      .to eq("x expects an Integer value, got String")
    expect(types::TypeAsserter.assert_instance_of("x", factory.integer, 1)).to eq(1)
    expect(types::TypeAsserter.assert_instance_of("x", factory.integer, nil, true)).to be_nil
    expect { types::TypeAsserter.assert_instance_of(["%s of %s", "a", "b"], factory.integer, "s") }
      .to raise_error(types::TypeAssertionError, "a of b has wrong type, expects an Integer value, got String")
    expect { types::TypeAsserter.assert_assignable(nil, factory.integer, factory.string) { "y" } }
      .to raise_error(types::TypeAssertionError, "y is incorrect, expects an Integer value, got String")
    expect { Puppetfn::Runtime.new.call_function("new", type("Integer[1, 10]"), "50") }
      .to raise_error(types::TypeAssertionError, /\AConverted value from Integer\[1, 10\]\.new\(\) has wrong type/)
  end

  it "iterates over ranges and enumerations" do
    iterated = [type("Integer[1, 3]"), type("Enum[b, a]")].map { |t| types::Iterable.on(t).to_a }

    expect(iterated).to eq([[1, 2, 3], %w[a b]])
    expect(types::Iterable.on(type("Integer[1]"))).to be_nil
  end
end
