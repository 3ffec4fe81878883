# frozen_string_literal: true

require "timeout"
require "yaml"
require_relative "outcome"
require_relative "pool"
require_relative "settings"

module Differential
  # Makes the calls of one function of the 3.x API. Such a function states no types, so arguments are drawn
  # from the pool, and real Puppet says which of them lead somewhere: kept are those that have a result, and
  # one for each error. Needs real Puppet.
  class LegacyCalls
    WRITTEN = YAML.load_file(File.join(__dir__, "legacy_calls.yaml")).freeze
    WRITTEN_ONLY = Differential.uncalled("legacy_written_only").freeze

    # How many lists of arguments are drawn, by their length.
    DRAWN = {0 => 1, 1 => 40, 2 => 60, 3 => 40, 4 => 10}.freeze
    GOOD_CALLS = 24
    BAD_CALLS = 12
    # Left out are numbers that may say how much there is to do, a URI, which may be asked, and objects with an
    # address that may get into a digest.
    VALUES = POOL.grep_v(/\d{10}|1e300|INFINITY|URI|Object|proc|lambda|each/).freeze
    # What a call is worth: this many characters, and seconds.
    LONGEST = 2_000
    PATIENCE = 1

    # @param side [Side::Puppet]
    # @param world [World]
    def initialize(side, world, random)
      @side = side
      @world = world
      @random = random
      @outcome = Outcome.new(side)
    end

    # The calls of the function, as Ruby code.
    def of(name)
      verb = @side.legacy?(name) ? "call" : "legacy"
      written = WRITTEN.fetch(name, "").lines(chomp: true).map { |line| line.sub("(", "#{verb}(#{name.inspect}, ") }
      return written if WRITTEN_ONLY.key?(name)

      written + telling(drawn.map { |list| "#{verb}(#{[name.inspect, *list].join(", ")})" })
    end

    private

    def drawn
      DRAWN.flat_map { |length, count| Array.new(count) { Array.new(length) { VALUES.sample(random: @random) } } }.uniq
    end

    def telling(codes)
      outcomes = codes.to_h { |code| [code, outcome(code)] }.compact
      bad, good = outcomes.partition { |_, outcome| outcome.match?(Outcome::RAISED) }
      (good.first(GOOD_CALLS) + bad.uniq { |_, outcome| outcome.gsub(/\d+|'.*'|".*"/m, "_") }.first(BAD_CALLS)).map(&:first)
    end

    def outcome(code)
      srand(1)
      # The end of the time is an error among others to what shows it.
      text = Timeout.timeout(PATIENCE) { @outcome.of { @world.evaluate(code) } }
      text if text.size <= LONGEST && !text.start_with?("Timeout::Error")
    rescue Timeout::Error
      nil
    end
  end
end
