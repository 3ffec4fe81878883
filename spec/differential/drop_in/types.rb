# frozen_string_literal: true

# Asks real Puppet what many types say of many values and of each other, and prints the answers.

require "puppet"
require "tmpdir"

# Every kind of type, with and without parameters.
TYPES = <<~TEXT.lines(chomp: true)
  Any
  Undef
  Default
  Scalar
  ScalarData
  Numeric
  Integer
  Integer[0, 5]
  Integer[-3]
  Float
  Float[0.0, 2.5]
  Boolean
  Boolean[true]
  String
  String[1]
  String[2, 3]
  Enum
  Enum[a, b]
  Enum[a, 'B', true]
  Pattern
  Pattern[/^a/]
  Pattern[/b$/, /^c.*/]
  Regexp
  Regexp[/a/]
  SemVer
  SemVer['>=1.0.0']
  SemVerRange
  Binary
  URI
  Timestamp
  Timestamp['2000-01-01', '2030-01-01']
  Timespan
  Collection
  Collection[1, 2]
  Array
  Array[String]
  Array[Integer, 1, 2]
  Array[1, 3]
  Array[Integer, 0, 0]
  Hash
  Hash[String, Integer]
  Hash[String, Any, 1]
  Hash[0, 0]
  Tuple
  Tuple[String, Integer]
  Tuple[String, Integer, 1, 4]
  Tuple[Any, 0, 2]
  Struct
  Struct[{a => Integer, Optional[b] => String}]
  Struct[{a => Optional[Integer]}]
  Struct[{NotUndef[a] => Any}]
  Variant
  Variant[String, Integer]
  Variant[Array[String], Hash[String, String]]
  Optional
  Optional[String]
  Optional[abc]
  NotUndef
  NotUndef[String]
  NotUndef[Optional[Integer]]
  Type
  Type[Integer]
  Type[String[1]]
  Iterable
  Iterable[Integer]
  Iterator
  Sensitive
  Sensitive[String]
  Callable
  Callable[String]
  Callable[0, 0]
  Callable[Any, 1, 2]
  Callable[[Integer], String]
  Callable[String, Callable[1, 1]]
  Optional[Callable]
  Variant[Callable[1, 1], Callable[2, 2]]
  CatalogEntry
  Class
  Class[foo]
  Resource
  File
  File['/x']
  Data
  RichData
  RichDataKey
  Object
  TypeSet
  Init
  Init[Integer]
  Runtime
  Runtime[ruby, 'Symbol']
  Nowhere
  Optional[Nowhere]
TEXT

def values
  with_default = Hash.new("x").merge!("b" => "s")
  sensitive = Puppet::Pops::Types::PSensitiveType::Sensitive
  [
    nil, :undef, :default, :other, true, false, 0, 3, -1, 10**20, 2.5, 0.0, Float::NAN, Float::INFINITY,
    "", "a", "ab", "abc", "c\nd", "é", "\xff", "é".b, "é".encode("UTF-16LE"), /a/, /a/i, /b/,
    [], [1], [1, 2], ["a"], ["a", 1], ["a", 1, 2, 3], [nil], [[]], [3, "a", 2.5, nil, true, [1], {"a" => 1}],
    {}, {"a" => 1}, {"a" => 1, "b" => "x"}, {"b" => "x"}, {"a" => nil}, {1 => 2}, {nil => 1}, with_default,
    {"a" => {"b" => [1, {"c" => nil}]}}, sensitive.new("x"), sensitive.new(1), sensitive.new([1]),
    proc { |a| a }, proc { |a, b| [a, b] }, proc { |a, b = 1| [a, b] }, proc { |*a| a }, -> {}, Object, Integer, Comparable,
    Class.new(Array).new([1]), Class.new(String).new("a"), 1r, 1..2, [1].each, URI("http://example.com/"),
    SemanticPuppet::Version.parse("1.2.3"), Puppet::Resource.new("File", "/x"), Puppet::Pops::Time::Timespan.new(5)
  ]
end

# What is answered, be it an error.
def answer
  yield.to_s
rescue StandardError, SystemStackError => e
  e.class.to_s
end

Dir.mktmpdir do |dir|
  Puppet.initialize_settings(["--vardir", dir, "--confdir", dir])
  environment = Puppet::Node::Environment.create(:production, [])
  loaders = Puppet::Pops::Loaders.new(environment)
  Puppet.push_context(current_environment: environment, loaders: loaders)
  parser = Puppet::Pops::Types::TypeParser.singleton
  calculator = Puppet::Pops::Types::TypeCalculator.singleton
  describer = Puppet::Pops::Types::TypeMismatchDescriber.singleton
  types = TYPES.to_h { |text| [text, parser.parse(text, loaders.private_environment_loader)] }

  values.each_with_index do |value, index|
    puts "#{index}: #{%i[infer infer_set].map { |name| answer { calculator.public_send(name, value) } }.join(" ")}"
    types.each { |text, type| puts "#{index} #{text}: #{answer { type.instance?(value) }}" }
  end
  types.each do |text, type|
    puts "#{text}: #{type} #{answer { calculator.generalize(type) }}"
    types.each do |other, from|
      told = [answer { type.assignable?(from) }, answer { type.instance?(from) }, answer { calculator.common_type(type, from) },
              answer { describer.describe_mismatch("it", type, from) }]
      puts "#{text}, #{other}: #{told.join(" ")}"
    end
  end
end
