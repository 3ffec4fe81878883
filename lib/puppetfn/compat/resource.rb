# frozen_string_literal: true

module Puppetfn
  module Puppet
    # References to resources, and descriptions of them. The resources themselves live in Puppet's catalog.
    class Resource
      extend StandIn
      include Enumerable

      REFERENCE = /\A([^\[\]]+)\[(.+)\]\z/m
      private_constant :REFERENCE

      # What functions know the catalog as.
      Catalog = Puppetfn::Catalog

      # A resource is declared that is declared already.
      class Catalog::DuplicateResourceError < Puppet::Error; end

      # Splits a reference.
      #
      # @param type [String, nil] a type, or a whole reference such as `File[/tmp/x]` without a title
      # @param title [String, nil] a title, or a whole reference without a type
      # @return [Array(String, String)] the type in capitals, and the title
      # @raise [ArgumentError] when there is no title
      def self.type_and_title(type, title)
        reference = REFERENCE.match(type.nil? ? title : type) if type.nil? || title.nil?
        if reference
          type, title = reference.captures
        elsif title.nil?
          raise ArgumentError, "No title provided and #{type.inspect} is not a valid resource reference"
        end
        type = capitalized(type)
        title = title == "" ? :main : capitalized(title) if type == "Class"
        [type, title]
      end

      def self.capitalized(name)
        return name if name == :main
        return "Class" if name.nil? || name.to_s.empty? || name.to_s.casecmp?("component")

        name = name.to_s
        name.match?(/\A[A-Z]/) ? name : name.split("::").map(&:capitalize).join("::")
      end
      private_class_method :capitalized

      # @return [String] in capitals
      attr_reader :type

      # @return [String]
      attr_reader :title

      # @return [Hash{Symbol=>Object}]
      attr_reader :parameters

      # @return [String, nil] where it was declared
      attr_accessor :file

      # @return [Integer, nil] where it was declared
      attr_accessor :line

      # @param value [Boolean] whether it is only declared for others to collect or realize it
      attr_writer :virtual

      # @param value [Boolean] whether it is declared for other nodes
      attr_writer :exported

      # @param type (see type_and_title)
      # @param title (see type_and_title)
      # @param attributes [Hash]
      # @option attributes [Hash{String, Symbol => Object}] :parameters
      # @option attributes [Boolean] :virtual
      # @option attributes [Boolean] :exported
      # @option attributes [String] :file
      # @option attributes [Integer] :line
      # @raise [ArgumentError] when there is no title
      def initialize(type, title = nil, attributes = {})
        @type, @title = self.class.type_and_title(type, title)
        @virtual, @exported, @file, @line = attributes.values_at(:virtual, :exported, :file, :line)
        @parameters = {}
        attributes.fetch(:parameters, {}).each { |name, value| self[name] = value }
      end

      # @param name [String, Symbol]
      # @return [Object, nil] the value of a parameter
      def [](name)
        @parameters[parameter_name(name)]
      end

      # @param name [String, Symbol]
      # @param value [Object]
      def []=(name, value)
        @parameters[parameter_name(name)] = value
      end

      # @yieldparam name [Symbol] of a parameter
      # @yieldparam value [Object]
      def each(&block)
        @parameters.each(&block)
      end

      # @return [Hash{Symbol=>Object}] the parameters, with the one that the title stands for if it is not given
      def to_hash
        {Evaluator.name_parameter(type.to_s).to_sym => title.to_s}.merge(@parameters)
      end

      # @return [String] `Type[title]`
      def to_s
        "#{type}[#{title}]"
      end
      alias ref to_s
      alias to_ref to_s

      # @return [String] `Type/title`
      def name
        "#{type}/#{title}"
      end

      # @return [Boolean] whether it is only declared for others to collect or realize it
      def virtual?
        @virtual || @exported || false
      end

      # @return [Boolean] whether it is declared for other nodes
      def exported?
        @exported || false
      end

      # @return [Boolean]
      def class?
        type == "Class"
      end

      # @return [Boolean]
      def stage?
        type == "Stage"
      end

      def ==(other)
        other.respond_to?(:title) && type == other.type && title == other.title && to_hash == other.to_hash
      end

      # @return [String]
      def inspect
        "#{self}#{to_hash.inspect}"
      end

      private

      def parameter_name(name)
        name.to_s.downcase.to_sym
      end
    end
  end
end
