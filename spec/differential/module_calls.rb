# frozen_string_literal: true

require "yaml"
require_relative "values"

module Differential
  # Makes the calls of one function from its signatures: arguments that fit, too few and too many, one
  # argument of a wrong type, blocks missing, unexpected and of the wrong arity. Needs real Puppet.
  class ModuleCalls
    # What each parameter is tried with.
    GOOD_VALUES = 24
    BAD_VALUES = 6
    # A function gets at least this many calls, with random ones to fill up, and at most that many.
    COUNT = (32..90)
    # What a deprecated function does where deprecations are errors is the same for all arguments.
    STRICT_COUNT = 4

    WRITTEN = YAML.load_file(File.join(__dir__, "calls.yaml")).freeze
    REFUSED_ONLY = Differential.uncalled("refused_only").freeze
    STRICT_ONLY = Differential.uncalled("strict_only").freeze

    # @param files [Hash] the file of each function
    def initialize(world, random, files)
      @world = world
      @values = Values.new(world)
      @random = random
      @files = files
    end

    # The calls of the function, as Ruby code.
    def of(name, function_class)
      lists = function_class.signatures.flat_map { |signature| of_signature(parameters(function_class, signature)) }
      lists = lists.reject { |list, block| endless?(list, block) }.uniq.first(COUNT.max)
      lists = lists.select { |list, block| refused?(function_class, list, block) } if REFUSED_ONLY.key?(name)
      return written(name, "call") + codes(lists, name, "call") unless deprecated?(name)

      strict = codes(lists.first(STRICT_COUNT), name, "call")
      return strict if STRICT_ONLY.key?(name)

      written(name, "call_deprecated") + strict + codes(lists, name, "call_deprecated")
    end

    # The parameters that a caller sees.
    class Parameters
      attr_reader :types, :min, :max, :block_type

      # @param hidden [Integer] how many parameters at the front no caller sees
      def initialize(signature, hidden)
        @types = signature.type.param_types.types.drop(hidden)
        @min, @max = signature.args_range.map { |n| n - hidden }
        @block_type = signature.type.block_type
        @block_required = signature.block_range == [1, 1]
      end

      def block_required?
        @block_required
      end

      # The type of the argument at the index: the last type is the one that repeats.
      def type(index)
        @types[index] || @types.last
      end

      def counts
        @min..[@max, @types.size + 2].min
      end
    end

    private

    # A function that has a #call of its own hands the scope on as its first argument.
    def parameters(function_class, signature)
      takes_scope = function_class.instance_method(:call).owner != ::Puppet::Pops::Functions::Function
      Parameters.new(signature, takes_scope ? 1 : 0)
    end

    def deprecated?(name)
      File.read(@files.fetch(name)).include?("call_function('deprecation'")
    end

    # An integer is iterable, too: a block may be called for each number below it.
    def endless?(list, block)
      block && list.include?("9223372036854775807")
    end

    def refused?(function_class, list, block)
      args = @world.evaluate("[#{list.join(", ")}]")
      args.unshift(nil) if function_class.instance_method(:call).owner != ::Puppet::Pops::Functions::Function
      given_block = block && @world.evaluate("proc #{block}")
      function_class.dispatcher.find_matching_dispatcher(args, &given_block).nil?
    end

    def written(name, verb)
      WRITTEN.fetch(name, "").lines(chomp: true).map { |line| line.sub("(", "#{verb}(#{name.inspect}, ") }
    end

    def codes(lists, name, verb)
      lists.map { |list, block| "#{verb}(#{[name.inspect, *list].join(", ")})#{" #{block}" if block}" }
    end

    # Pairs of an argument list and a block, both as code.
    def of_signature(parameters)
      good_block = parameters.block_required? ? @values.blocks(parameters.block_type).first.first : nil
      lists = good(parameters) + wrong_counts(parameters) + wrong_types(parameters)
      calls = lists.map { |list| [list, good_block] } + blocks(parameters)
      calls << [random_list(parameters), good_block] while calls.uniq.size < COUNT.min && calls.size < 3 * COUNT.min
      calls
    end

    def good(parameters)
      lists = parameters.counts.map { |count| base(parameters, count) }
      parameters.counts.max.times do |index|
        @values.good(parameters.type(index)).first(GOOD_VALUES).each do |value|
          lists << with(base(parameters, [parameters.min, index + 1].max), index, value)
        end
      end
      lists
    end

    def wrong_counts(parameters)
      too_few = (0...parameters.min).map { |count| base(parameters, count) }
      return too_few if parameters.max == Float::INFINITY

      full = base(parameters, parameters.max)
      too_few + [full + ["nil"], full + ['"more"', "1"]]
    end

    def wrong_types(parameters)
      (0...parameters.counts.max).flat_map do |index|
        list = base(parameters, [parameters.min, index + 1].max)
        @values.bad(parameters.type(index)).sample(BAD_VALUES, random: @random).map { |value| with(list, index, value) }
      end
    end

    def blocks(parameters)
      list = base(parameters, [parameters.min, [1, parameters.max].min].max)
      return [[list, Values::BLOCKS.first], [list, Values::BLOCKS[2]]] if parameters.block_type.nil?

      good, bad = @values.blocks(parameters.block_type)
      [nil, *good, *bad].flat_map { |block| [[list, block], [random_list(parameters), block]] }
    end

    # Arguments that fit; where the pool has no value of a type, nil stands in.
    def base(parameters, count)
      Array.new(count) { |index| @values.good(parameters.type(index)).first || "nil" }
    end

    def random_list(parameters)
      count = parameters.counts.to_a.sample(random: @random)
      Array.new(count) { |index| @values.good(parameters.type(index)).sample(random: @random) || "nil" }
    end

    def with(list, index, value)
      list.dup.tap { |copy| copy[index] = value }
    end
  end
end
