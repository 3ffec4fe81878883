# frozen_string_literal: true

require_relative "pool"

module Differential
  # Finds values that are, and values that are not, instances of a Puppet type. Values are pieces of
  # Ruby source. Proposals are made by walking the type; the type itself then has the last word.
  # Needs real Puppet.
  class Values
    Types = ::Puppet::Pops::Types
    DEPTH = 4

    def initialize(world)
      @world = world
      @good = {}
    end

    # Instances of the type, the ones made for it first.
    def good(type)
      @good[type] ||= (proposals(type, DEPTH) + POOL).uniq.select { |code| instance?(type, code) }
    end

    # Values of other types, from all over the pool.
    def bad(type)
      POOL.reject { |code| instance?(type, code) }
    end

    # Blocks that the callable type accepts and, for :bad, blocks that it does not.
    def blocks(type)
      BLOCKS.partition { |code| instance?(type, "proc #{code}") }
    end

    BLOCKS = [
      "{ 7 }",
      "{ |a| a }",
      "{ |a, b| [a, b] }",
      "{ |memo, value| {value => memo.size} }",
      "{ |memo, key, value| {key => value} }",
      "{ |a, b, c, d| d }",
      "{ |a, b = 2| b }",
      "{ |*all| all }"
    ].freeze

    private

    def instance?(type, code)
      type.instance?(@world.evaluate(code))
    rescue NoMethodError
      # Puppet's own Callable type trips over procs with a rest parameter.
      false
    end

    # Made from the type alone; not all of them need to be instances of it.
    def proposals(type, depth)
      return [] if depth.zero?

      case type
      when Types::PTypeAliasType then proposals(type.resolved_type, depth)
      when Types::PVariantType then alternate(type.types.map { |t| proposals(t, depth) })
      when Types::POptionalType then ["nil", *proposals(type.optional_type || Types::PAnyType::DEFAULT, depth)]
      when Types::PNotUndefType then proposals(type.type || Types::PAnyType::DEFAULT, depth)
      when Types::PIntegerType then integers(type)
      when Types::PEnumType then type.values.map(&:inspect)
      when Types::PStringType then strings(type)
      when Types::PArrayType then arrays(type, depth)
      when Types::PHashType then hashes(type, depth)
      when Types::PTupleType then [list(type.types.map { |t| some(t, depth).first })]
      when Types::PStructType then structs(type, depth)
      when Types::PTypeType then %w[Integer String Any Array[Integer]].map { |t| "type(#{t.inspect})" }
      else []
      end
    end

    # Proposals that are known to fit, or what the pool has.
    def some(type, depth)
      fitting = proposals(type, depth - 1).uniq.select { |code| instance?(type, code) }
      fitting = POOL.select { |code| instance?(type, code) } if fitting.empty?
      fitting.empty? ? ["nil"] : fitting.first(4)
    end

    def integers(type)
      from, to = type.from, type.to
      near = [from, from&.succ, to&.pred, to].compact
      (near + [0, 1, 2, 17, 4096, -3]).map(&:to_s)
    end

    def strings(type)
      return [type.value.inspect] if type.value

      from, to = type.size_type ? type.size_type.range : [0, nil]
      lengths = [from, from + 1, to].select { |n| n.is_a?(Integer) && n < 500 }
      lengths.map { |n| ("ab0é" * n)[0, n].inspect } + %w["" "a" "é" "a\ b"]
    end

    def arrays(type, depth)
      elements = some(type.element_type || Types::PAnyType::DEFAULT, depth)
      from = type.size_type ? type.size_type.range.first : 0
      [from, from + 1, from + 2].map { |n| list(elements.cycle.first(n)) }
    end

    def hashes(type, depth)
      keys = some(type.key_type || Types::PStringType::DEFAULT, depth)
      values = some(type.value_type || Types::PAnyType::DEFAULT, depth)
      [0, 1, keys.size].map { |n| pairs(keys.first(n).zip(values.cycle)) }
    end

    def structs(type, depth)
      entries = type.elements.map { |e| [e, e.name.inspect, some(e.value_type, depth)] }
      required = entries.reject { |e, _, _| e.key_type.is_a?(Types::POptionalType) }
      whole = [0, 1, -1].map { |i| pairs(entries.map { |_, key, values| [key, values[i] || values.first] }) }
      single = entries.flat_map { |_, key, values| values.map { |value| pairs([[key, value]]) } }
      [pairs(required.map { |_, key, values| [key, values.first] }), *whole, *single]
    end

    def list(codes)
      "[#{codes.join(", ")}]"
    end

    def pairs(codes)
      "{#{codes.map { |key, value| "#{key} => #{value}" }.join(", ")}}"
    end

    # One of each list in turn, so that no alternative of a Variant is crowded out.
    def alternate(lists)
      longest = lists.map(&:size).max || 0
      Array.new(longest) { |i| lists.map { |l| l[i] } }.flatten.compact
    end
  end
end
