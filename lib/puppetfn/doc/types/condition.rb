# frozen_string_literal: true

require_relative "../syntax"

class Puppetfn::Doc
  module Types
    # A condition about a value, as types of Puppet's.
    #
    # @api private
    class Condition
      include Syntax

      # What a condition about a value says.
      #
      # @!attribute accepted
      #   @return [String] a type that all values are of for which it may hold
      # @!attribute refused
      #   @return [String, nil] a type for whose values it certainly holds
      # @!attribute as_text
      #   @return [Boolean] whether it is about the text of the value
      Atom = Struct.new(:accepted, :refused, :as_text)

      CLASSES = {"String" => "String", "Array" => "Array", "Hash" => "Hash", "Integer" => "Integer", "Fixnum" => "Integer",
                 "Numeric" => "Numeric", "Float" => "Float", "TrueClass" => "Boolean[true]", "FalseClass" => "Boolean[false]"}.freeze
      KIND_CALLS = %w[is_a? kind_of? instance_of?].freeze
      MATCH_CALLS = %w[=~ match match?].freeze
      OTHERS = %w[Numeric Boolean Collection].freeze
      # A path of some system.
      ABSOLUTE = %r{\A(/|[A-Za-z]:[/\\]|\\\\|//)}
      # A mode of a file that is written as digits or letters.
      MODE = /\A(\d+|[ugoa]*([-+=]([ugo]|[rwxXst]*))+(,[ugoa]*([-+=]([ugo]|[rwxXst]*))+)*)\z/
      PREDICATES = {"absolute_path?" => ABSOLUTE, "valid_symbolic_mode?" => MODE}.freeze
      private_constant :CLASSES, :KIND_CALLS, :MATCH_CALLS, :OTHERS, :ABSOLUTE, :MODE, :PREDICATES

      # @param name [String] of the variable that has the value
      # @param scope [Scope] where the condition stands
      # @param evaluation [Evaluation]
      def initialize(name, scope, evaluation)
        @name = name
        @scope = scope
        @evaluation = evaluation
      end

      # Returns what values must be for the condition to hold.
      #
      # @return [Array<Hash>, nil]
      def accepted(node)
        case node
        in [:paren, [inner]] then accepted(inner)
        in [:unary, :!, inner] then refused(inner)
        in [:binary, left, :"&&" | :and, right] then both(accepted(left), accepted(right))
        in [:binary, left, :"||" | :or, right] then either(accepted(left), accepted(right))
        else (found = atom(node)) && [{type: found.accepted, refused: false, as_text: found.as_text}]
        end
      end

      # Returns what values must not be for the condition not to hold.
      #
      # @return [Array<Hash>, nil]
      def refused(node)
        case node
        in [:paren, [inner]] then refused(inner)
        in [:unary, :!, inner] then accepted(inner)
        in [:binary, left, :"||" | :or, right] then both(refused(left), refused(right))
        in [:binary, left, :"&&" | :and, right] then guarded(left, right)
        else
          found = atom(node)
          found&.refused && [{type: found.refused, refused: true, as_text: found.as_text}]
        end
      end

      private

      def both(one, other)
        one && other ? one + other : one || other
      end

      # One of two types is enough.
      def either(one, other)
        return unless one&.one? && other&.one? && [*one, *other].none? { |found| found[:refused] }
        return unless one[0][:as_text] == other[0][:as_text]

        [one[0].merge(type: "Variant[#{one[0][:type]}, #{other[0][:type]}]")]
      end

      # Texts are tested for being such first.
      def guarded(left, right)
        of_text = atom(left)&.accepted == "String"
        found = refused(right) if of_text
        found if found&.all? { |one| one[:type].start_with?("Pattern[", "Enum[", "String[") }
      end

      def atom(node)
        case node
        in [:binary, left, :=~, right] then match(left, right)
        in [:binary, left, :==, right] then equal(left, right)
        else called = call(node) and of_call(called)
        end
      end

      def of_call(called)
        first, = called.args
        if called.receiver.nil? || PREDICATES.key?(called.name)
          return unless first && value?(first) && (regexp = PREDICATES[called.name])

          return Atom.new(variant(Requirements.pattern(regexp), *OTHERS), nil, false)
        end
        case called.name
        when *KIND_CALLS then kind(called.receiver, first)
        when *MATCH_CALLS then match(called.receiver, first)
        when "include?" then value?(called.receiver) ? part(first) : member(called.receiver, first)
        when "empty?" then empty if value?(called.receiver)
        end
      end

      def kind(receiver, mod)
        type = CLASSES[constant(mod)] if value?(receiver) && mod
        type && Atom.new(type, type, false)
      end

      def match(left, right)
        one, other = value_or_text?(left) ? [left, right] : [right, left]
        return unless other && value_or_text?(one)

        regexp = @evaluation.evaluate(other, @scope)
        return unless regexp.is_a?(Regexp)

        pattern = Requirements.pattern(regexp)
        return Atom.new(variant(pattern, *OTHERS), pattern, false) if value?(one)

        Atom.new(Requirements.type_of_values([], [regexp]), pattern, true)
      end

      def equal(left, right)
        known = @evaluation.evaluate(right, @scope)
        member_of([known], false) if value?(left) && known.is_a?(String)
      end

      def member(list, item)
        return unless item && value_or_text?(item)

        known = @evaluation.evaluate(list, @scope)
        member_of(known, !value?(item)) if known.is_a?(Array)
      end

      def member_of(items, as_text)
        names = items.grep(String)
        return if names.empty? || items.any? { |item| ![String, Symbol, TrueClass, FalseClass].include?(item.class) }

        enumeration = "Enum[#{names.map { |name| Requirements.quoted(name) }.join(", ")}]"
        return Atom.new(Requirements.type_of_values(names, []), enumeration, true) if as_text

        Atom.new(variant(enumeration, *[true, false].select { |truth| items.include?(truth) }.map { |truth| "Boolean[#{truth}]" }),
          enumeration, false)
      end

      def part(item)
        text = item && literal(item) or return

        pattern = Requirements.pattern(Regexp.new(Regexp.escape(text)))
        Atom.new(variant(pattern, *OTHERS), pattern, false)
      end

      def empty
        Atom.new(variant("String[0, 0]", "Array[0, 0]", "Hash[0, 0]", "Numeric", "Boolean"), "String[0, 0]", false)
      end

      def variant(*types)
        "Variant[#{types.join(", ")}]"
      end

      def value?(node)
        variable(node) == @name
      end

      def value_or_text?(node)
        return true if value?(node)

        called = call(node)
        called&.receiver && called.name == "to_s" && value?(called.receiver)
      end
    end
  end
end
