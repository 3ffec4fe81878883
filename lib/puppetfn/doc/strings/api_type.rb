# frozen_string_literal: true

require_relative "../syntax"

class Puppetfn::Doc
  module Strings
    # A type that is made with `Puppet::ResourceApi.register_type`.
    #
    # @api private
    class ApiType
      include Syntax

      def initialize(called, source)
        @texts = Texts.new(source)
        @line = called.line
        @comment = source.comment_above(@line)&.text
        # A schema in braces is not seen.
        @schema = catch(:unknown) { hash(called.args.first) } if called.args.first&.first == :bare_assoc_hash
      end

      # @return [Hash, nil] nil where the schema is no literal
      def to_h
        return unless @schema && @schema["name"]

        attributes = @schema["attributes"]
        doc = @schema["docs"]
        {name: @schema["name"].to_s, line: @line, doc: doc ? @texts.unindented(doc.to_s) : @comment, open: false, isomorphic: true,
         patterns: false, features: [], providers: [],
         attributes: attributes.is_a?(Hash) ? attributes.filter_map { |name, options| attribute(name, options) } : []}
      end

      private

      def attribute(name, options)
        return unless options.is_a?(Hash)

        behaviour = options["behaviour"]
        default = options["default"]
        {name: name.to_s, kind: %w[parameter namevar].include?(behaviour) ? "parameter" : "property", line: @line,
         doc: options["desc"]&.to_s, values: [], aliases: [], default: (default.to_s if default), data_type: options["type"]&.to_s,
         namevar: behaviour == "namevar", required: false, features: [], requirements: []}
      end

      def hash(node)
        pairs = case node
                in [:bare_assoc_hash, pairs] then pairs
                in [:hash, [:assoclist_from_args, pairs]] then pairs
                in [:hash, nil] then []
                else throw :unknown
                end
        pairs.to_h do |kind, key, value|
          throw :unknown unless kind == :assoc_new && value

          [value(key), value(value)]
        end
      end

      def value(node)
        case node
        in [:@int, digits, _] then digits.to_i
        in [:hash, _] then hash(node)
        # Of a list, only the first element is seen.
        in [:array, nil] then []
        in [:array, [first, *]] then [value(first)]
        in [:var_ref, [:@kw, "true", _]] then true
        in [:var_ref, [:@kw, "false", _]] then false
        in [:var_ref, [:@kw, "nil", _]] then nil
        else @texts.literal(node) || throw(:unknown)
        end
      end
    end
  end
end
