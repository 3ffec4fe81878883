# frozen_string_literal: true

module Bench
  # Code in the Puppet language, parsed each time it is evaluated: some microseconds.
  module Code
    FIB = "function fib(Integer $n) { if $n < 2 { $n } else { fib($n - 1) + fib($n - 2) } }"

    PROGRAMS = {
      "fib(18), in the Puppet language" => "fib(18)",
      "map, filter and reduce of 20,000 numbers" => <<~'PUPPET',
        Integer[1, 20000].map |$x| { $x * 3 }.filter |$x| { $x % 2 == 0 }.reduce |$sum, $x| { $sum + $x }
      PUPPET
      "5,000 interpolations" => 'Integer[1, 5000].map |$x| { "number ${x} is followed by ${$x + 1}" }',
      "a text put together in 5,000 steps" => %q(Integer[1, 5000].reduce('') |$text, $x| { "${text}${x}," }),
      "a hash put together in 5,000 steps" => 'Integer[1, 5000].reduce({}) |$hash, $x| { $hash + {$x => [$x]} }'
    }.freeze
  end

  Code::PROGRAMS.each do |name, code|
    Cases.measure(name, faster: 100) do |side|
      side.define(Code::FIB)
      Cases.repeat(binding, "side.evaluate(code)")
    end
  end
end
