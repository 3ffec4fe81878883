# frozen_string_literal: true

require_relative "../syntax"
require_relative "values"

class Puppetfn::Doc
  module Types
    # A provider of a type.
    #
    # @api private
    class ProviderDeclaration
      include Target
      include Documented

      # @param type_name [String]
      # @param name [String]
      # @param called [Syntax::Call] the call of `provide`
      # @param source [Source]
      def initialize(type_name, name, called, source)
        @type_name = type_name
        @name = name
        @line = called.line
        @source = source
        @confines = []
        @defaults = []
        @commands = []
        @features = []
      end

      def receive(called, arguments, _block)
        case called.name
        when "desc", "doc=" then @doc ||= documentation(called, arguments)
        when "confine" then @confines.concat(pairs(called.args.first))
        when "defaultfor" then @defaults.concat(called.args.map { |node| pairs(node) }.reject(&:empty?))
        when "commands" then @commands.concat(pairs(called.args.first))
        when "has_feature", "has_features" then @features.concat(called.args.map { |node| shown(node) })
        end
        UNKNOWN
      end

      def instance_variable(name, value)
        @doc ||= unindented(value) if name == "@doc" && value.is_a?(String)
      end

      def to_h
        {type: @type_name, name: @name, line: @line, doc: @doc, confines: @confines,
         defaults: @defaults, commands: @commands, features: @features}
      end

      private

      # Returns the pairs of a Hash, as they are shown.
      def pairs(node)
        found = case node
                in [:bare_assoc_hash, pairs] then pairs
                in [:hash, [:assoclist_from_args, pairs]] then pairs
                else []
                end
        found.filter_map { |kind, key, value| [shown(key), value ? shown(value) : shown(key)] if kind == :assoc_new }
      end

      # Where the text of a node starts. That of a literal starts before its first token.
      def opening(node)
        @source.opening(start(node))
      end

      def shown(node)
        literal(node) || @source.argument_at(opening(node))
      end
    end
  end
end
