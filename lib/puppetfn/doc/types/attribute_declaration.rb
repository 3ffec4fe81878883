# frozen_string_literal: true

require_relative "values"
require_relative "requirements"

class Puppetfn::Doc
  module Types
    # A property or parameter of a type.
    #
    # @api private
    class AttributeDeclaration
      include Target
      include Documented

      # Methods that decide what becomes of a value: one of the attribute's own may do anything with it.
      ENTRANCES = %w[value= should= validate unsafe_validate munge unsafe_munge initialize].freeze
      BOOLEAN = %w[true false yes no].freeze
      # Classes that an attribute can build on, with their own values.
      PARENTS = {"Parameter" => [], "Property" => [], "Property::Ensure" => [], "Parameter::Boolean" => BOOLEAN}.freeze
      PROVIDER = "The specific backend to use for a resource: one is chosen for the node where none is named."
      private_constant :ENTRANCES, :BOOLEAN, :PARENTS, :PROVIDER

      # @return [String]
      attr_reader :name

      # @return [AttributeDeclaration] the parameter that types with providers have
      def self.provider(line, evaluation)
        new("provider", :parameter, {}, line, evaluation).tap do |declared|
          declared.touched
          declared.document(PROVIDER)
        end
      end

      def initialize(name, kind, options, line, evaluation)
        @name = name
        @kind = kind
        @options = options
        @line = line
        @evaluation = evaluation
        @values = []
        @written = {}
        @aliases = {}
        @validation = []
        @opaque = false
        @default = nil
        @namevar = options[:namevar] == true
      end

      # @return [Boolean]
      def namevar?
        @namevar
      end

      # Goes through the block of the declaration.
      def declare(block)
        @evaluation.apply(block, [self], self)
      end

      # Takes what `ensurable` gives it without a block.
      def default_values
        @values.push("present", "absent")
        @default ||= "present"
      end

      def receive(called, arguments, block)
        case called.name
        when "desc", "doc=" then @doc ||= documentation(called, arguments)
        when "newvalue" then add_values(called, arguments.first(1))
        when "newvalues" then add_values(called, arguments)
        when "aliasvalue" then @aliases[arguments[0].to_s] = arguments[1].to_s
        when "defaultto" then @default = arguments.first unless block
        when "nodefault" then @default = nil
        when "defaultvalues" then default_values
        when "isnamevar" then @namevar = true
        when "required_features=" then @options[:required_features] = arguments.first
        when "validate" then block ? @validation = [block] : touched
        when "include", "extend" then touched unless arguments.all? { |mod| mod.is_a?(Constant) && mod.path.match?(/\A(Puppet::)?Util\b/) }
        when "define_method", "alias_method", "class_eval" then touched
        else return other(arguments)
        end
        UNKNOWN
      end

      def method_defined(name, singleton, _closure)
        touched if ENTRANCES.include?(name) && !singleton
      end

      def instance_variable(name, value)
        @doc ||= unindented(value) if name == "@doc" && value.is_a?(String)
      end

      def touched
        @opaque = true
      end

      def maybe
        @opaque = true
        yield
      end

      # @param namevar [Boolean] whether it names resources as no other does
      # @param opaque [Boolean] whether the type may do anything with values
      def to_h(namevar:, opaque:)
        {name: @name, kind: @kind.to_s, line: @line, doc: @doc, values: shown(all_values),
         aliases: @aliases.to_a, default: @default.nil? || @default.equal?(UNKNOWN) ? nil : shown([@default]).first,
         data_type: nil, namevar: @namevar || namevar, required: false, features: features,
         requirements: opaque || uncertain? ? [] : requirements}
      end

      private

      def add_values(called, values)
        @values.concat(values)
        values.zip(called.args) { |value, node| @written[value] = written(node) if value.is_a?(Regexp) && node }
      end

      # Returns a regular expression as it stands in the code.
      def written(node)
        case node
        in [:regexp_literal, [[:@tstring_content, text, _, opening]], [_, closing, _]] then "#{opening}#{text}#{closing}"
        else nil
        end
      end

      # Returns true if values may be taken that are not those of the declaration. What a provider has no feature for
      # is not even looked at.
      def uncertain?
        @opaque || parent_values.nil? || features.any? || Array(@options[:required_features]).include?(UNKNOWN)
      end

      def other(arguments)
        touched if arguments.any? { |one| one.equal?(self) }
        UNKNOWN
      end

      def parent_values
        parent = @options[:parent]
        return [] if parent.nil?

        PARENTS[parent.path.delete_prefix("::").delete_prefix("Puppet::")] if parent.is_a?(Constant)
      end

      def all_values
        (parent_values || []) + @values
      end

      def shown(values)
        values.reject { |value| value.equal?(UNKNOWN) }.map { |value| shown_value(value) }
      end

      # Of nothing, and of an empty text, nothing would be seen.
      def shown_value(value)
        case value
        when Regexp then @written[value] || value.inspect
        when nil then "nil"
        when "" then "''"
        else value.to_s
        end
      end

      def features
        Array(@options[:required_features]).reject { |one| one.equal?(UNKNOWN) }.map(&:to_s)
      end

      def requirements
        each = @kind == :property
        return @validation.flat_map { |block| Requirements.of_validation(block, each, @evaluation) } if @validation.any?
        return [] if all_values.empty? || !all_values.all? { |value| known?(value) }

        [Requirements.of_values(all_values, @aliases.keys, each)]
      end

      def known?(value)
        [Symbol, String, Regexp, true, false].any? { |kind| kind === value }
      end
    end
  end
end
