# frozen_string_literal: true

require_relative "pool"

module Differential
  # Calls that test dispatch and its error texts without any module: every type with every value of
  # the pool, return types, and functions with random sets of signatures.
  class DispatchCalls
    TYPES = <<~'TYPES'.lines(chomp: true).freeze
      Any
      Undef
      Default
      Scalar
      ScalarData
      Data
      RichData
      Numeric
      Boolean
      Boolean[true]
      Integer
      Integer[0]
      Integer[-1, 42]
      Integer[default, 0]
      Float
      Float[0.0]
      Float[-2.25, 1.5]
      String
      String[1]
      String[2, 5]
      String[0, 0]
      Enum['a', 'yes', 'present']
      Enum['abc', 'YES', true]
      Pattern[/\A[a-z]+\z/]
      Pattern[/^\d+$/, 'http']
      Regexp
      Regexp[/a+/]
      SemVer
      SemVer['1.x', '>=3.0.0 <4.0.0']
      SemVerRange
      Timestamp
      Timestamp['2000-01-01', '2030-01-01']
      Timespan
      Timespan['0-00:00:01', default]
      Binary
      URI
      URI[{scheme => 'https', host => Pattern[/example/]}]
      Init
      Init[Integer]
      Init[Timestamp]
      Object
      Object[{attributes => {a => Integer}}]
      TypeSet
      Error
      Deferred
      Collection
      Collection[1, 2]
      Array
      Array[Integer]
      Array[String[1], 1]
      Array[Variant[Integer, String], 1, 3]
      Array[Array[Integer[1]]]
      Array[0, 0]
      Hash
      Hash[String, Any]
      Hash[String[1], Integer]
      Hash[Scalar, Data, 1, 2]
      Hash[Enum['a', 'b'], Variant[String, Hash[String, Data]]]
      Hash[0, 0]
      Tuple
      Tuple[Integer]
      Tuple[String, String, String]
      Tuple[Integer, String, 1, 4]
      Tuple[Array[Integer], Any, Array]
      Struct[{}]
      Struct[{a => Integer}]
      Struct[{a => String, Optional[c] => Array[String]}]
      Struct[{'host' => String, NotUndef['user'] => String[1], Optional['x'] => Any}]
      Struct[{a => Struct[{b => Struct[{c => Array[String]}]}]}]
      Variant[Integer, String]
      Variant[Undef, Boolean, Float]
      Variant[Array[Integer], Hash[String, Integer]]
      Variant[Enum['a'], Pattern[/^\d/], Integer[0, 9]]
      Variant[Variant[Integer, Undef], Variant[Array[String], Undef]]
      Optional
      Optional[Integer]
      Optional[Enum['a', 'b']]
      Optional[Variant[Array[String], Integer[1]]]
      Optional['a']
      NotUndef
      NotUndef[Variant[Integer, Undef]]
      NotUndef['a']
      Iterable
      Iterable[Integer]
      Iterator
      Callable
      Callable[0, 0]
      Callable[1]
      Callable[Integer, String]
      Callable[Any, Optional[Any], 1, 2]
      Callable[[Any], String]
      Type
      Type[Integer]
      Type[Variant[Numeric, Collection]]
      Sensitive
      Sensitive[String]
      Sensitive[Array[Integer]]
      Runtime
      Runtime['ruby', 'Object']
      Runtime['ruby', 'Time']
      CatalogEntry
    TYPES

    # Type strings that are wrong, or of whose kind there is doubt.
    ODD_TYPES = <<~'TYPES'.lines(chomp: true).freeze
      Integer[
      Integer['a']
      Integer[2, 1]
      Integer[1, 2, 3]
      Integer[]
      String['a']
      String[-1]
      Float['x']
      Enum
      Enum[]
      Enum[1]
      Pattern[1]
      Pattern['(']
      Regexp[1]
      Array[1, Integer]
      Array[Integer, String]
      Hash[Integer]
      Hash[String, Integer, 2, 1]
      Tuple[]
      Tuple[1]
      Struct[Integer]
      Struct[{1 => Integer}]
      Struct[{a => 1}]
      Variant[]
      Variant[Integer, 1]
      Optional[Integer, String]
      Optional[1]
      NotUndef[1]
      Callable[Integer, 2, 1]
      Type[1]
      Sensitive[1]
      Runtime['ruby']
      Boolean['x']
      Any[1]
      Data[1]
      Nonexistent
      Nonexistent::Type
      nonexistent
      1
      'Integer'

      Integer String
      Array[Integer]]
      Array [ Integer ]
      ARRAY
    TYPES

    RETURN_TYPES = ["Integer", "String[1]", "Undef", "Array[Integer]", "Hash[String, Integer]", "Optional[String]",
                    "Variant[Integer, String]", "Struct[{a => Integer}]", "Enum['a', 'b']", "Callable[1]",
                    "Sensitive[String]", "Tuple[Integer, String]"].freeze

    BLOCKS = ["block_param", "block_param 'Callable[1]', :blk", "optional_block_param 'Callable[2, 2]', :blk",
              "optional_block_param", "block_param 'Callable[String, Integer]', :blk"].freeze
    BLOCK_CODES = ["{ 1 }", "{ |a| a }", "{ |a, b| b }", "{ |*a| a }", "{ |a, b, c| c }"].freeze

    # How many functions with random signatures, and how many calls of each.
    FUNCTIONS = 150
    CALLS = 16

    def self.topics
      new(Random.new(SEED)).to_h.keys
    end

    def initialize(random)
      @random = random
    end

    # The calls by topic, as Ruby code.
    def to_h
      topics = TYPES.to_h { |type| [type, each_value { |value| "call(#{function("param #{quote(type)}, :x")}, #{value})" }] }
      RETURN_TYPES.each do |type|
        topics["return type #{type}"] = each_value { |value| "call(returning(#{quote(type)}), #{value})" }
      end
      topics["types that are wrong"] = ODD_TYPES.map { |type| "call(#{function("param #{quote(type)}, :x")}, 1)" }
      FUNCTIONS.times { |n| topics["function #{n + 1} with random signatures"] = random_function }
      topics
    end

    private

    def each_value(&code)
      POOL.map(&code)
    end

    # Calls with about as many arguments as one of the signatures has parameters.
    def random_function
      signatures = Array.new(pick(1..4)) { random_signature }
      function = function(*signatures.map { |parameters, block| [*parameters, *block].join("; ") })
      Array.new(CALLS) do
        count = pick(signatures).first.size + pick([-1, 0, 0, 0, 1, 2])
        values = Array.new([count, 0].max) { pick(POOL) }
        block = pick(0..2).zero? ? " #{pick(BLOCK_CODES)}" : ""
        "call(#{[function, *values].join(", ")})#{block}"
      end.uniq
    end

    # The lines that declare parameters, and the one that declares a block or nil. The order is the
    # only one that Puppet takes: required, optional, and one that repeats.
    def random_signature
      kinds = ["param"] * pick(0..2) + ["optional_param"] * pick([0, 0, 1])
      repeats = kinds.include?("optional_param") ? "repeated_param" : pick(%w[repeated_param required_repeated_param])
      kinds << repeats if pick(0..3).zero?
      parameters = kinds.each_with_index.map { |kind, i| "#{kind} #{quote(pick(TYPES))}, :#{"abcd"[i]}" }
      [parameters, pick(0..2).zero? ? pick(BLOCKS) : nil]
    end

    def function(*bodies)
      "function(#{bodies.map { |body| quote(body) }.join(", ")})"
    end

    def quote(text)
      %("#{text.gsub(/["\\#]/) { "\\#{_1}" }}")
    end

    def pick(from)
      from.to_a.sample(random: @random)
    end
  end
end
