# frozen_string_literal: true

require_relative "texts"
require_relative "values"

module Differential
  # Makes the checks of one type alias: values that are instances, values that are not, values next to
  # these, and what is to be said of the type itself. Needs real Puppet.
  class AliasCalls
    GOOD_VALUES = 24
    BAD_VALUES = 24
    NEAR_VALUES = 24
    # Definitions that Puppet takes before version 8 only.
    BEFORE_PUPPET8 = %w[Apache::OIDCSettings].freeze

    def initialize(world, random)
      @world = world
      @values = Values.new(world)
      @random = random
      @names = Differential.alias_names.select { |name| loads?(name) }
    end

    # The checks of the alias, as Ruby code.
    def of(name)
      return ["shown(#{name.inspect})"] unless @names.include?(name)

      values = values_of(@world.type(name))
      about(name) + values.flat_map do |value|
        ["instance(#{name.inspect}, #{value})", "assertion(#{name.inspect}, #{value})"]
      end
    end

    private

    # Whether this Puppet takes the definition: modules are written for some versions.
    def loads?(name)
      !BEFORE_PUPPET8.include?(name) && @world.type(name) && true
    rescue ::Puppet::ParseError
      false
    end

    def about(name)
      ["shown(#{name.inspect})", "assignable_from(#{name.inspect}, #{@names.inspect})",
       "common(#{name.inspect}, #{@names.sample(random: @random).inspect})"]
    end

    def values_of(type)
      texts = TEXTS.map(&:inspect)
      good = @values.good(type)
      matching, others = texts.partition { |code| type.instance?(@world.evaluate(code)) }
      chosen = good.first(GOOD_VALUES) | matching.sample(GOOD_VALUES, random: @random)
      bad = (@values.bad(type) + others).sample(BAD_VALUES, random: @random)
      chosen | bad | near(chosen)
    end

    # What is one step away from the instances: a string with another character, a collection with an
    # element or entry more, less or of another kind.
    def near(codes)
      return [] if codes.empty?

      Array.new(NEAR_VALUES) do
        value = @world.evaluate(codes.sample(random: @random))
        case value
        when String then Differential.near(value, @random, 1).first.inspect
        when Integer then (value + [-1, 1].sample(random: @random)).clamp(-(2**63), 2**63 - 1).inspect
        when Array then near_array(value)
        when Hash then near_hash(value)
        end
      end.compact.uniq
    end

    def near_array(array)
      return nil unless plain?(array)

      [array + [nil], array.drop(1), array.map(&:to_s), [array]].sample(random: @random).inspect
    end

    def near_hash(hash)
      return nil unless plain?(hash)

      key = hash.keys.sample(random: @random)
      [hash.merge("extra" => 1), hash.reject { |k, _| k == key }, hash.merge(key => [nil]),
       hash.merge(key => "")].sample(random: @random).inspect
    end

    # Whether `inspect` gives code that makes the value again.
    def plain?(value)
      case value
      when Array then value.all? { |v| plain?(v) }
      when Hash then value.all? { |k, v| plain?(k) && plain?(v) }
      when nil, true, false, String, Symbol, Integer then true
      when Float then value.finite?
      else false
      end
    end
  end
end
