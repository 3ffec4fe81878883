# frozen_string_literal: true

module Bench
  # The built-in functions that modules use most, as a program in Ruby calls them.
  module Builtins
    CALLS = {
      "abs" => [-5], "any" => [[1, 2, 3]], "all" => [[1, 2, 3]], "camelcase" => ["hello_world"], "capitalize" => ["hello"],
      "dig" => [{ "a" => { "b" => [1, 2] } }, "a", "b", 1], "downcase" => ["Hello"], "each" => [[1, 2, 3]], "empty" => [[]],
      "filter" => [[1, 2, 3]], "flatten" => [[1, [2, [3]]]], "get" => [{ "a" => { "b" => [1, 2] } }, "a.b.1"],
      "join" => [%w[a b c], "-"], "keys" => [{ "a" => 1, "b" => 2 }], "length" => ["hello"], "map" => [[1, 2, 3]],
      "match" => ["abc", "b(.)"], "max" => [1, 3, 2], "min" => [1, 3, 2], "reduce" => [[1, 2, 3]],
      "regsubst" => ["a.b.c", "[.]", "/", "G"], "round" => [2.5], "sha256" => ["abc"], "shellquote" => ["ls", "a b"],
      "size" => [[1, 2]], "sort" => [%w[b c a]], "split" => ["a,b,c", ","], "sprintf" => ["%05.1f %s", 1.25, "x"],
      "strip" => ["  a "], "unique" => [[1, 2, 1]], "upcase" => ["hello"], "values" => [{ "a" => 1, "b" => 2 }],
      "versioncmp" => ["1.2.3", "1.10.0"]
    }.freeze

    BLOCKS = {
      "any" => proc { |x| x > 2 }, "all" => proc { |x| x > 0 }, "each" => proc { |x| x }, "filter" => proc { |x| x > 1 },
      "map" => proc { |x| x }, "reduce" => proc { |sum, x| sum + x }, "group_by" => proc { |x| x % 10 }
    }.freeze

    NUMBERS = Array.new(100_000) { |i| i * 7_919 % 100_003 }.freeze

    # Calls with a hundred thousand elements.
    LARGE = {
      "sort" => [NUMBERS], "unique" => [NUMBERS.map { |n| n % 1_000 }], "group_by" => [NUMBERS],
      "flatten" => [NUMBERS.each_slice(4).to_a], "join" => [NUMBERS, ","]
    }.freeze
  end

  Cases.singleton_class.class_eval do
    # Measures a call of a built-in function through the API for programs in Ruby.
    def measure_builtin(name, arguments, label, faster: nil)
      measure(label, faster: faster) do |side|
        block = Builtins::BLOCKS[name]
        Cases.repeat(binding, "side.call_function(name, *arguments, &block)")
      end
    end
  end

  Builtins::CALLS.each { |name, arguments| Cases.measure_builtin(name, arguments, "call_function #{name}", faster: 2) }
  Builtins::LARGE.each { |name, arguments| Cases.measure_builtin(name, arguments, "#{name} of 100,000 elements") }
end
