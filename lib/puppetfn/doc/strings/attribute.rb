# frozen_string_literal: true

require_relative "../syntax"

class Puppetfn::Doc
  module Strings
    # A property, parameter or check.
    #
    # @api private
    class Attribute
      include Syntax

      BOOLEAN = %w[true false yes no].freeze
      private_constant :BOOLEAN

      # @return [String]
      attr_reader :name

      # @return [Boolean]
      attr_accessor :namevar

      # @param node [Array, nil] the call that declares it
      # @param texts [Texts]
      def initialize(name, kind, node, texts, doc: nil)
        @name = name
        @kind = kind
        @texts = texts
        @values = []
        @aliases = {}
        @namevar = false
        @doc = (node && texts.description(node)) || doc
        return unless (called = node && call(node))

        statements(called.block).each { |statement| declare(call(statement)) } if called.block
        options(called.args[1])
      end

      # Takes the values of `ensurable`.
      def default_values
        @values.push("present", "absent")
        @default = "present"
      end

      def property?
        @kind == "property"
      end

      def to_h
        {name: @name, kind: @kind, line: 0, doc: @doc, values: @values, aliases: @aliases.to_a, default: @default,
         data_type: nil, namevar: @namevar, required: false, features: [@features].compact, requirements: []}
      end

      private

      def declare(called)
        args = called ? called.args.flat_map { |arg| arg.first == :args_add_star ? [*arg[1], *arg[2..]] : [arg] } : []
        case called&.name
        when "newvalue" then @values << @texts.argument(args[0]) if args.any?
        when "newvalues" then @values.concat(args.map { |arg| @texts.argument(arg) })
        when "aliasvalue" then add_alias(*args.first(2).map { |arg| @texts.argument(arg) }) if args.size > 1
        when "defaultto" then @default = @texts.argument(args[0]) if args.any?
        when "isnamevar" then @namevar = true
        when "defaultvalues" then default_values if @name == "ensure"
        end
      end

      def add_alias(name, value)
        @values << name unless @values.include?(name)
        @aliases[name] = value
      end

      def options(node)
        pairs = pairs(node).filter_map { |kind, key, value| [@texts.literal(key), value] if kind == :assoc_new && value }
        features = pairs.find { |key, _| key == "required_features" }
        @features = @texts.literal(features.last) if features
        parent = pairs.find { |key, _| key == "parent" }
        @values |= BOOLEAN if parent && constant(parent.last) == "Puppet::Parameter::Boolean"
      end

      def pairs(node)
        case node
        in [:bare_assoc_hash, pairs] then pairs
        in [:hash, [:assoclist_from_args, pairs]] then pairs
        else []
        end
      end
    end
  end
end
