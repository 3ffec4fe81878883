# frozen_string_literal: true

# Writes values.jsonl and instance.jsonl: which values are instances of which types, as real Puppet
# (Debian's puppet-agent) answers. Both implementations of a subject run them: the core on its own
# values, the extension on Ruby's.
#
#   ruby spec/vectors/contract/generate.rb
#
# A value has its Ruby expression and what the core makes it from: a Puppet expression, the type of
# a callable, or the names of the classes of an object.

require "json"
require "tmpdir"
require "puppet"
require "puppet_pal"

# The cases: values and the types that they are checked against.
module Contract
  SENSITIVE = "Puppet::Pops::Types::PSensitiveType::Sensitive.new"

  PLAIN = [
    ["nil", "undef"],
    [":default", "default"],
    ["true", "true"],
    ["false", "false"],
    ["0", "0"],
    ["7", "7"],
    ["-1", "-1"],
    ["9223372036854775807", "9223372036854775807"],
    ["0.0", "0.0"],
    ["2.5", "2.5"],
    ["-2.5", "-2.5"],
    ['""', "''"],
    ['"a"', "'a'"],
    ['"A"', "'A'"],
    ['"é"', "'é'"],
    ['"ab"', "'ab'"],
    ['"éé"', "'éé'"],
    ['"a\nb"', '"a\nb"'],
    ['"hello world"', "'hello world'"],
    ["/a/", "/a/"],
    ["[]", "[]"],
    ["[nil]", "[undef]"],
    ["[1]", "[1]"],
    ["[1, 2]", "[1, 2]"],
    ['[1, "a"]', "[1, 'a']"],
    ['["a", 1]', "['a', 1]"],
    ['["a", "b", "c"]', "['a', 'b', 'c']"],
    ['[["a", 1], ["b", 2]]', "[['a', 1], ['b', 2]]"],
    ["[[[1]]]", "[[[1]]]"],
    ['[[["x"]]]', "[[['x']]]"],
    ["[:default]", "[default]"],
    ["{}", "{}"],
    ['{"a" => 1}', "{'a' => 1}"],
    ['{"a" => nil}', "{'a' => undef}"],
    ['{"a" => 1, "b" => "x"}', "{'a' => 1, 'b' => 'x'}"],
    ['{"b" => "x"}', "{'b' => 'x'}"],
    ['{"b" => "x", "a" => 1}', "{'b' => 'x', 'a' => 1}"],
    ['{"a" => 1, "c" => 1}', "{'a' => 1, 'c' => 1}"],
    ['{1 => "x"}', "{1 => 'x'}"],
    ['{"" => 1}', "{'' => 1}"],
    ["{nil => nil}", "{undef => undef}"],
    ["{[1] => [2]}", "{[1] => [2]}"],
    ['{"a" => {"b" => [1, {"c" => nil}]}}', "{'a' => {'b' => [1, {'c' => undef}]}}"],
    ['{"a" => /x/}', "{'a' => /x/}"],
    ["#{SENSITIVE}(1)", "Sensitive(1)"],
    [%(#{SENSITIVE}("x")), "Sensitive('x')"],
    ["[#{SENSITIVE}(nil)]", "[Sensitive(undef)]"],
  ].freeze

  CALLABLES = [
    ["lambda {}", "Callable[0, 0]"],
    ["lambda { |a| a }", "Callable[Any]"],
    ["lambda { |a, b = 1| [a, b] }", "Callable[Any, Any, 1, 2]"],
    ["lambda { |*a| a }", "Callable[Any, 0, default]"],
    ["lambda { |a, *b| [a, b] }", "Callable[Any, 1, default]"],
  ].freeze

  OBJECTS = ["Object.new", "(1..3)", "Rational(1, 2)", ":symbol", "StandardError.new"].freeze

  TYPES = %w[
    Any Undef Default Scalar ScalarData Data RichData Numeric Integer Integer[0] Integer[default,0] Integer[1,7]
    Float Float[0.0] Float[default,2.5] Boolean Boolean[true] Boolean[false]
    String String[1] String[0,0] String[1,1] String[2] String[2,2] String[3,3] String[4]
    Enum[a] Enum[a,ab] Enum[a,true] Pattern Pattern[/a/] Pattern[/\A[a-z]+\z/,/\A\z/] Regexp Regexp[/a/] Regexp[/b/]
    Collection Collection[1] Collection[0,0] Collection[2,2]
    Array Array[0,0] Array[Any,1] Array[Integer] Array[String] Array[Optional[Integer]] Array[Integer,2] Array[Integer,0,1]
    Array[Array] Array[Variant[Integer,String]] Array[Tuple[String,Integer]] Array[Scalar,1,2]
    Hash Hash[0,0] Hash[Any,Any,1] Hash[String,Integer] Hash[String[1],Any] Hash[String,Scalar] Hash[Integer,String]
    Hash[String,Data] Hash[Optional[Any],Any] Hash[String,Any,2,2] Hash[Array,Array]
    Tuple Tuple[Integer] Tuple[Integer,Integer] Tuple[Integer,String] Tuple[Any,Any] Tuple[Integer,0,2] Tuple[Integer,1]
    Tuple[String,1] Tuple[Integer,String,1,2] Tuple[Optional[Integer]] Tuple[Any,0]
    Struct Struct[{a=>Integer}] Struct[{a=>Optional[Integer]}] Struct[{Optional[a]=>Integer}] Struct[{NotUndef[a]=>Any}]
    Struct[{a=>Integer,b=>String}] Struct[{a=>Integer,Optional[b]=>String}] Struct[{a=>Any}] Struct[{a=>Hash}]
    Variant Variant[Integer,String] Variant[Undef,Array[Integer]] Variant[Boolean[true],Float]
    Optional Optional[Integer] Optional[Any] NotUndef NotUndef[Optional[Integer]] NotUndef[Scalar]
    Iterable Iterable[Integer] Iterable[String] Iterable[String[1,1]] Iterable[Any] Iterator Type
    Sensitive Sensitive[Integer] Sensitive[String] Array[Sensitive]
    Callable Callable[0,0] Callable[Integer] Callable[Any,Any] Callable[Integer,1,2] Callable[Any,0,default] Callable[1,1]
    Callable[[Integer],String] Callable[[Integer],Any] Callable[Integer,Callable] Callable[Integer,Optional[Callable]]
    Runtime Runtime['ruby','Object'] Runtime['ruby','Range'] Runtime['ruby','Numeric'] Runtime['ruby','Comparable']
    Runtime['ruby','String'] Runtime['ruby','Exception'] CatalogEntry Class Resource File
    Test::Tree Test::Json Test::Port Array[Test::Port]
  ].freeze

  ALIASES = <<~PUPPET
    type Test::Tree = Variant[Integer, Array[Test::Tree]]
    type Test::Json = Variant[Undef, Boolean, Numeric, String, Array[Test::Json], Hash[String, Test::Json]]
    type Test::Port = Integer[1, 65535]
  PUPPET

  def self.values
    plain = PLAIN.map { |ruby, puppet| {ruby: ruby, puppet: puppet} }
    callables = CALLABLES.map { |ruby, type| {ruby: ruby, callable: type} }
    objects = OBJECTS.map { |ruby| {ruby: ruby, ancestors: ancestors(evaluate(ruby))} }
    plain + callables + objects
  end

  # Without what libraries mix into Ruby's own classes.
  def self.ancestors(object)
    object.class.ancestors.map(&:name).grep_v(/::/)
  end

  def self.evaluate(ruby)
    eval(ruby, TOPLEVEL_BINDING.dup) # The expressions are those above.
  end

  def self.rows(compiler)
    subjects = values.map { |value| evaluate(value[:ruby]) }
    TYPES.map do |text|
      type = compiler.type(text)
      {type: text, result: subjects.map { |subject| answer(type, subject) }.join}
    end
  end

  def self.answer(type, subject)
    type.instance?(subject) ? "1" : "0"
  rescue Puppet::Error, NoMethodError
    "E" # Any answer will do where Puppet fails.
  end

  def self.write(name, rows)
    File.write(File.join(__dir__, name), rows.map { |row| "#{JSON.generate(row)}\n" }.join)
  end
end

Dir.mktmpdir do |dir|
  Puppet.initialize_settings(%w[confdir vardir codedir logdir rundir].flat_map { |name| ["--#{name}", dir] })
  Puppet::Pal.in_tmp_environment("contract", modulepath: [], facts: {}) do |pal|
    pal.with_script_compiler do |compiler|
      compiler.evaluate_string(Contract::ALIASES)
      File.write(File.join(__dir__, "aliases.pp"), Contract::ALIASES)
      Contract.write("values.jsonl", Contract.values)
      Contract.write("instance.jsonl", Contract.rows(compiler))
    end
  end
end
