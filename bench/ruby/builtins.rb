# frozen_string_literal: true

module Bench
  # The built-in functions that modules use most: called by a program in Ruby, and by code.
  module Builtins
    # Their arguments, and a block in Ruby and in the Puppet language for those that take one.
    CALLS = {
      "abs" => [[-5]], "camelcase" => [["hello_world"]], "capitalize" => [["hello"]],
      "dig" => [[{"a" => {"b" => [1, 2]}}, "a", "b", 1]], "downcase" => [["Hello"]], "empty" => [[[]]],
      "flatten" => [[[1, [2, [3]]]]], "get" => [[{"a" => {"b" => [1, 2]}}, "a.b.1"]],
      "join" => [[%w[a b c], "-"]], "keys" => [[{"a" => 1, "b" => 2}]], "length" => [["hello"]],
      "match" => [["abc", "b(.)"]], "max" => [[1, 3, 2]], "min" => [[1, 3, 2]],
      "regsubst" => [["a.b.c", "[.]", "/", "G"]], "round" => [[2.5]], "sha256" => [["abc"]],
      "shellquote" => [["ls", "a b"]], "size" => [[[1, 2]]], "sort" => [[%w[b c a]]], "split" => [["a,b,c", ","]],
      "sprintf" => [["%05.1f %s", 1.25, "x"]], "strip" => [["  a "]], "unique" => [[[1, 2, 1]]],
      "upcase" => [["hello"]], "values" => [[{"a" => 1, "b" => 2}]], "versioncmp" => [["1.2.3", "1.10.0"]],
      "any" => [[[1, 2, 3]], proc { |x| x > 2 }, "|$x| { $x > 2 }"],
      "all" => [[[1, 2, 3]], proc { |x| x.positive? }, "|$x| { $x > 0 }"],
      "each" => [[[1, 2, 3]], proc { |x| x }, "|$x| { $x }"],
      "filter" => [[[1, 2, 3]], proc { |x| x > 1 }, "|$x| { $x > 1 }"],
      "map" => [[[1, 2, 3]], proc { |x| x }, "|$x| { $x }"],
      "reduce" => [[[1, 2, 3]], proc { |sum, x| sum + x }, "|$sum, $x| { $sum + $x }"]
    }.freeze

    # How often code calls a function. A loop in the Puppet language is around the calls.
    REPEATED = 50

    # What code does with a hundred thousand elements.
    LARGE = {
      "sort" => "$numbers.sort",
      "unique" => "$numbers.unique |$n| { $n % 1000 }",
      "group_by" => "$numbers.group_by |$n| { $n % 10 }",
      "flatten" => "$nested.flatten",
      "join" => "$numbers.join(',')"
    }.freeze

    NUMBERS = "$numbers = Integer[1, 100000].map |$i| { $i * 7919 % 100003 }\n$nested = $numbers.slice(4)"

    # A call as code has it.
    def self.code(name, arguments, lambda)
      "#{name}(#{arguments.map { |argument| argument.inspect.gsub("=>", " => ") }.join(", ")}) #{lambda}"
    end

    def self.measure_all
      CALLS.each do |name, (arguments, block, lambda)|
        Cases.measure("call_function #{name}", faster: 10) do |side|
          Cases.repeat(binding, "side.call_function(name, *arguments, &block)")
        end
        Cases.measure("#{REPEATED} calls of #{name} in code", faster: 50) do |side|
          code = "Integer[1, #{REPEATED}].each |$_| { #{code(name, arguments, lambda)} }"
          Cases.repeat(binding, "side.evaluate(code)")
        end
      end
      LARGE.each { |name, code| measure_large(name, code) }
    end

    def self.measure_large(name, code)
      Cases.measure("#{name} of 100,000 elements, in code", faster: 10) do |side|
        side.define(NUMBERS)
        # What comes of it stays where it is.
        code = "#{code}\nundef"
        Cases.repeat(binding, "side.evaluate(code)")
      end
    end
  end

  Builtins.measure_all
end
