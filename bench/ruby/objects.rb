# frozen_string_literal: true

# Measures what it takes to make an object of a type that is defined by its features, from Puppet code. Puppet has no
# such types.
#
#     script/bench objects [--check]
#
# With --check, the exit status is 1 when it takes longer than promised.

$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "puppetfn"
require_relative "duration"

# Five attributes, checks and an invariant.
TYPE = <<~'PUPPET'
  type Listener {
    attr name, String { min => 1, check => { $it != '' } }
    attr port, Integer { check => { if $port < 1 { "no port: ${port}" } } }
    attr protocol, enum[tcp, udp] { default => tcp }
    attr tags, String { max => unbound, check => $it !~ /:/ }
    attr weight, Float { check => |$x| { $x >= 0 } }
    invariant 'udp has high ports' { $protocol != udp or $port > 1024 }
  }
  function listeners(Integer $count) {
    Integer[1, $count].each |$port| {
      Listener.new { name => 'a', port => 8080, tags => ['x', 'y'], weight => 1.5, protocol => udp }
    }
  }
PUPPET

COUNT = 2_000
ROUNDS = 15
SECONDS_AT_MOST = 20e-6

runtime = Puppetfn::Runtime.new
runtime.evaluate_string(TYPE)
seconds = Array.new(ROUNDS) do
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  runtime.call_function("listeners", COUNT)
  (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start) / COUNT
end.min

reached = seconds <= SECONDS_AT_MOST
puts "an object of five attributes, checks and an invariant: #{Bench.duration(seconds)} " \
  "(#{Bench.duration(SECONDS_AT_MOST)} at most: #{reached ? "ok" : "MISSED"})"
exit(1) if ARGV.include?("--check") && !reached
