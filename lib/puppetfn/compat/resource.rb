# frozen_string_literal: true

module Puppetfn
  module Puppet
    # References to resources, and descriptions of them. The resources themselves live in Puppet's catalog.
    class Resource
      extend StandIn
      include Enumerable
      include Util::Tagging

      REFERENCE = /\A([^\[\]]+)\[(.+)\]\z/m
      # Number of cached names.
      MANY_TYPES = 2000
      private_constant :REFERENCE, :MANY_TYPES

      # A resource is declared that is declared already.
      class Catalog::DuplicateResourceError < Puppet::Error; end

      # Splits a reference.
      #
      # @param type [String, nil] a type, or a whole reference such as `File[/tmp/x]` without a title
      # @param title [String, nil] a title, or a whole reference without a type
      # @return [Array(String, String)] the type in capitals, and the title
      # @raise [ArgumentError] when there is no title
      def self.type_and_title(type, title)
        # Titles of these two types are references to other resources.
        type = nil if %i[component whit].include?(type) && REFERENCE.match?(title)
        reference = REFERENCE.match(type.nil? ? title : type) if type.nil? || title.nil?
        if reference
          type, title = reference.captures
        elsif !title
          raise ArgumentError, "No title provided and #{type.inspect} is not a valid resource reference"
        end
        type = type_name(type)
        title = title == "" ? :main : capitalized(title) if type == "Class"
        [type, title]
      end

      # Returns the name of a type as references have it. There are only so many types.
      def self.type_name(name)
        return capitalized(name) unless name.is_a?(String)

        @type_names ||= {}
        @type_names.clear if @type_names.size > MANY_TYPES
        @type_names[name] ||= capitalized(name)
      end

      def self.capitalized(name)
        return name if name == :main
        return "Class" if name.nil? || name.to_s.empty? || name.to_s.casecmp?("component")

        name = name.to_s
        name.match?(/\A[A-Z]/) ? name : name.split("::").map(&:capitalize).join("::")
      end
      private_class_method :type_name, :capitalized

      # Returns a resource from its full description.
      #
      # @api private
      # @param known [Array] the result of Evaluator#described
      # @return [Resource]
      def self.described(known)
        resource = allocate
        resource.become(known)
        resource
      end

      # @return [String] in capitals
      attr_reader :type

      # @return [String]
      attr_reader :title

      # @api private
      # @return [String, nil] the type's kind in catalogs, if the resource is one of a catalog
      attr_reader :kind

      # @api private
      # @return [Object, nil] the title as code has it, where that is no String
      attr_reader :given_title

      # @return [Hash{Symbol=>Object}]
      attr_reader :parameters

      # @return [Catalog, RalCatalog, nil]
      attr_accessor :catalog

      # @return [Array<Symbol>] the parameters whose values must not be shown
      attr_writer :sensitive_parameters

      # @return [String, nil] the file of its declaration
      attr_accessor :file

      # @return [Integer, nil] the line of its declaration
      attr_accessor :line

      # @api private
      # @param value [Class<Type>, nil] the result of {#resource_type}
      attr_writer :resource_type

      # @param value [Boolean] whether it is only declared, to be collected or realized
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
        if type.is_a?(Class)
          @resource_type = type
          type = type.reference_name
        end
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

      # @param parameter [Object] the name of a parameter, or an element
      # @return [Boolean]
      def include?(parameter)
        super || @parameters.key?(parameter_name(parameter))
      end

      # @param name [String, Symbol]
      # @param value [Object]
      def []=(name, value)
        @parameters[parameter_name(name)] = value
      end

      # @!method has_key?(name)
      #   @param name [Symbol] of a parameter
      #   @return [Boolean]
      # @!method keys
      #   @return [Array<Symbol>] the names of the parameters
      # @!method length
      #   @return [Integer] the number of parameters
      # @!method empty?
      #   @return [Boolean]
      # @!method delete(name)
      #   @param name [Symbol] of a parameter
      %i[has_key? keys length empty? delete].each do |method|
        define_method(method) { |*arguments| parameters.public_send(method, *arguments) }
      end

      # @yieldparam name [Symbol] of a parameter
      # @yieldparam value [Object]
      def each(&block)
        @parameters.each(&block)
      end

      # @return [Hash{Symbol=>Object}] the parameters, including the ones that the title sets
      # @raise [Puppet::Error] when the type has no use for such a title
      def to_hash
        parse_title.merge(@parameters)
      end

      # @return [Class<Type>, nil] the type, if it is none that code defines
      def resource_type
        return @resource_type if defined?(@resource_type)

        @resource_type = Puppet::Type.type(type) if Runtime.current
      end

      # @return [Boolean] whether the type is written in Ruby
      def builtin_type?
        !resource_type.nil?
      end

      # @return [Array<Symbol>] the attributes that name the resource
      def key_attributes
        resource_type&.key_attributes || [:name]
      end

      # @return [Array<Object>] the values that identify it among the resources of its type
      def uniqueness_key
        values = to_hash
        namevar = resource_type&.namevar || :name
        name = values[namevar] || values[:name] || self.name
        values = {namevar => name, name: name}.merge(values)
        values.values_at(*key_attributes.sort_by(&:to_s))
      end

      # Removes the parameters that are not part of the resource's state: parameters without a value, absent ones, and
      # all that are no properties.
      #
      # @param options [Hash{Symbol=>Array<Symbol>}] `:parameters_to_include` stay
      # @return [Resource] self
      def prune_parameters(options = {})
        included = resource_type.properties.map(&:name) + resource_type.parameters_to_include
        included += options[:parameters_to_include] || []
        parameters.to_a.each do |name, value|
          is_empty = value.to_s.empty? || Array(value).empty?
          is_absent = value.to_s == "absent" && name != :ensure
          delete(name) if is_empty || is_absent || !included.include?(name)
        end
        self
      end

      # Fails as Puppet's method of this name does.
      #
      # @raise [NameError] always
      def yaml_property_munge(_value)
        raise NameError.new("undefined local variable or method `value' for #{self}", :value)
      end

      # @return [Array<Symbol>] the parameters whose values must not be shown
      def sensitive_parameters
        @sensitive_parameters ||= []
      end

      # @return [Object, nil] the resource that it refers to
      def resolve
        catalog&.resource(to_s)
      end

      # @return [Type]
      # @raise [Puppet::Error] when there is no such type
      def to_ral
        (resource_type || Puppet::Type.type(:component)).new(self)
      end

      # @api private
      # @return [Resource] the resource with the values from its title as parameters
      def named
        values = to_hash
        dup.tap { |resource| resource.parameters = values }
      end

      # @api private
      # @return [Boolean] whether all parameters are known to be strings
      def all_strings?
        @all_strings || false
      end

      # @api private
      # @return [Resource] apart from a catalog
      def detached
        dup.tap { |resource| resource.catalog = nil }
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

      # @return [Boolean] whether it is only declared, to be collected or realized
      def virtual?
        @virtual || false
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

      # Placeholder for the value of a sensitive parameter.
      Hidden = Object.new
      def Hidden.inspect = "Sensitive [value redacted]"
      private_constant :Hidden

      # @return [String] without the values of sensitive parameters
      def inspect
        "#{self}#{to_hash.to_h { |name, value| [name, sensitive_parameters.include?(name) ? Hidden : value] }.inspect}"
      end

      # @api private
      # @param known (see described)
      def become(known)
        @type, @title, @parameters, @file, @line, @virtual, @exported, @sensitive_parameters, @tags, @all_strings, @kind,
          @given_title = known
        @title = :main if @title == "main" && class?
      end

      protected

      attr_writer :parameters

      private

      def initial_tags
        [@type, @title].select { |name| valid_tag?(name.to_s) }
      end

      def parse_title
        resource_type&.parse_title(title) || {name: title.to_s}
      end

      def parameter_name(name)
        name = name.to_s.downcase.to_sym
        (resource_type&.namevar if name == :name) || name
      end
    end
  end
end

require_relative "resource/state"
