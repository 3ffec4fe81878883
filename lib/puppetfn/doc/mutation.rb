# frozen_string_literal: true

require_relative "syntax"

class Puppetfn::Doc
  # A change of an object in place.
  #
  # @!attribute receiver
  #   @return [Array] the node of the object
  # @!attribute name
  #   @return [String] what changes it, as it is written
  # @!attribute operand
  #   @return [Array, nil] the node of the first argument
  #
  # @api private
  Mutation = Struct.new(:receiver, :name, :operand)

  class Mutation
    extend Syntax
    include Syntax

    # Methods that change arrays, hashes or strings, whichever of them have the method.
    METHODS = %w[append clear compare_by_identity concat delete delete_at delete_if fill force_encoding insert keep_if pop
                 prepend push replace setbyte shift store unshift update].freeze
    # Those that a string has, too, but that leave it as it is.
    NOT_OF_STRINGS = %w[delete].freeze
    COLLECTIONS = %w[Array Collection Hash Struct Tuple].freeze
    NUMBERS = %w[Float Integer Numeric].freeze
    STRINGS = %w[Enum Pattern String].freeze
    private_constant :METHODS, :NOT_OF_STRINGS, :COLLECTIONS, :NUMBERS, :STRINGS

    # @param node [Array]
    # @return [Mutation, nil] the change that a node is, if its receiver is what its name suggests
    def self.of(node)
      case node
      in [:assign | :opassign, [:aref_field, receiver, _], *] then new(receiver, "[]=")
      in [:assign | :opassign, [:field, receiver, _, [_, name, _]], *] then new(receiver, "#{name}=")
      in [:binary, receiver, :<<, operand] then new(receiver, "<<", operand)
      else
        called = call(node)
        return unless called&.receiver && (METHODS.include?(called.name) || called.name.end_with?("!"))

        new(called.receiver, called.name, called.args.first)
      end
    end

    # Returns true if it changes an object of any of these types.
    #
    # @param types [Array<String, nil>] nil for one that is not known
    # @return [Boolean]
    def certain?(types)
      kinds = types.flat_map { |type| kinds(type) }
      case name
      when "<<" then (kinds - COLLECTIONS - STRINGS).empty? || ((kinds & NUMBERS).empty? && text_or_list?(operand))
      when *NOT_OF_STRINGS then (kinds - COLLECTIONS).empty?
      else true
      end
    end

    # @return [String] what to do instead
    def advice
      return "use `#{name.delete_suffix("!")}`, which returns a new one" if name.end_with?("!")

      case name
      when "<<", "concat", "push", "append" then "use `+`, which returns a new one"
      when "[]=", "store", "update" then "use `merge`, which returns a new one, or work on a copy"
      else "work on a copy, like that of `dup`"
      end
    end

    private

    # Returns the names of the types that a type is or consists of.
    def kinds(type)
      return [nil] if type.nil?

      inner = type[/\A(?:Optional|NotUndef|Variant)\[(.*)\]\z/m, 1]
      inner ? split(inner).flat_map { |one| kinds(one) } : [type[/\A\s*([\w:]+)/, 1]]
    end

    # Returns the parameters of a type.
    def split(text)
      depth = 0
      text.each_char.slice_when do |before, _|
        depth += 1 if before == "["
        depth -= 1 if before == "]"
        before == "," && depth.zero?
      end.map { |part| part.join.delete_suffix(",").strip }
    end

    def text_or_list?(node)
      %i[string_literal array hash xstring_literal dyna_symbol].include?(node.first)
    end
  end
end
