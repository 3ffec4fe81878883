# frozen_string_literal: true

require_relative "../syntax"
require_relative "values"

class Puppetfn::Doc
  module Types
    # A resource type that is made with `Puppet::ResourceApi.register_type`.
    #
    # @api private
    class ApiDeclaration
      include Syntax

      # @return [String]
      attr_reader :name

      # @param definition [Hash{Symbol => Object}]
      # @param line [Integer]
      def initialize(definition, line)
        @name = definition[:name]
        @definition = definition
        @line = line
      end

      def to_h
        all = @definition[:attributes]
        known = all.is_a?(Hash) && !all.key?(UNKNOWN) && all.all? { |name, options| name.is_a?(Symbol) && options.is_a?(Hash) }
        {name: @name, line: @line, doc: text(@definition[:desc]) || text(@definition[:docs]), open: !known,
         isomorphic: true, patterns: @definition.key?(:title_patterns),
         attributes: known ? all.map { |name, options| attribute(name.to_s, options) } : [], features: [], providers: []}
      end

      private

      def attribute(name, options)
        behaviour = options.values_at(:behaviour, :behavior).compact.first
        {name: name, kind: %i[parameter namevar].include?(behaviour) ? "parameter" : "property", line: @line, doc: text(options[:desc]),
         values: [], aliases: [], default: shown(options[:default]), data_type: type_of(options),
         namevar: behaviour == :namevar, required: required?(behaviour, options), features: [],
         requirements: requirements(name, behaviour, options)}
      end

      def text(value)
        unindented(value) if value.is_a?(String)
      end

      def type_of(options)
        options[:type] if options[:type].is_a?(String)
      end

      def shown(value)
        value.to_s unless value.nil? || value.equal?(UNKNOWN)
      end

      # Returns true if a resource fails without it, whatever else it has.
      def required?(behaviour, options)
        behaviour == :parameter && !options.key?(:default) && type_of(options) && !canonical? &&
          !type_of(options).strip.start_with?("Optional") || false
      end

      # Returns true if code of the provider changes what is given.
      def canonical?
        features = @definition[:features]
        !features.nil? && (!features.is_a?(Array) || features.include?("canonicalize") || features.include?(UNKNOWN))
      end

      def requirements(name, behaviour, options)
        type = type_of(options)
        return [] if type.nil? || canonical? || behaviour.equal?(UNKNOWN)
        if behaviour == :read_only
          message = "Attempting to set `#{name}` read_only attribute value to `%{value}`"
          return [{type: "Any", refused: true, as_text: false, each: false, message: message}]
        end

        [{type: type, refused: false, as_text: name == "ensure", each: false, message: "%{mismatch}"}]
      end
    end
  end
end
