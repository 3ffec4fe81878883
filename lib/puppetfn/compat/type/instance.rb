# frozen_string_literal: true

require_relative "attribute"
require_relative "attribute_table"
require_relative "known_value"
require_relative "plan"
require_relative "values"

module Puppetfn
  module Puppet
    # Resources as instances of their types, and how they are created.
    class Type
      include Values

      # The metaparameters that name later resources.
      AFTER = %i[before notify].freeze
      private_constant :AFTER

      # @return [String, nil] the file of its declaration
      attr_accessor :file

      # @return [Integer, nil] the line of its declaration
      attr_accessor :line

      # @return [RalCatalog, nil]
      attr_accessor :catalog

      attr_accessor :exported, :virtual

      attr_writer :title, :noop

      # @return [Provider, nil]
      attr_reader :provider

      # @return [Hash{Symbol=>Object}] the values as they were declared
      attr_reader :original_parameters

      # @param resource [Resource, Hash]
      # @raise [ResourceError] when a value or the whole is wrong
      def initialize(resource)
        resource = self.class.hash2resource(resource) unless resource.is_a?(Resource)
        @plan = self.class.plan
        @parameters = AttributeTable.new(self, @plan.defaults)
        self.title = @plan.describes?(resource) ? resource.title : resource.ref
        @file, @line, @catalog = resource.file, resource.line, resource.catalog
        @exported, @virtual = resource.exported?, resource.virtual?
        @tags = resource.lent_tags
        @original_parameters = resource.to_hash
        @only_strings = resource.all_strings?
        @secrets = Secrets.new(resource.sensitive_parameters, @original_parameters.dup)
        set_name(@original_parameters)
        set_default_provider
        set_parameters(@original_parameters)
        validate_resource
        set_sensitive_parameters(resource.sensitive_parameters)
      end

      # @param values [Hash{String, Symbol=>Object}]
      # @return [Resource]
      # @raise [Puppet::Error] when nothing names it
      def self.hash2resource(values)
        values = values.to_h.transform_keys(&:to_sym)
        title = values.delete(:title) || values[:name] || (values[key_attributes.first] if key_attributes.one?)
        raise Puppet::Error, "Title or name must be provided" unless title

        resource = Resource.new(name, title)
        resource.catalog = values.delete(:catalog)
        resource.sensitive_parameters = values.delete(:sensitive_parameters) || []
        values.each { |name, value| resource[name] = value }
        resource
      end

      # @return [String]
      def title
        @title ||= self.class.validparameter?(name_var) ? self[:name] : should(name_var)
      end

      # @return [String]
      def name
        self[:name]
      end

      # @return [Symbol]
      def type
        self.class.name
      end

      # @return [String] `Type[title]`
      def ref
        @ref ||= "#{self.class.reference_name}[#{title}]"
      end

      # @api private
      # @return [Array(String, String)] the parts of {ref}
      def reference
        [self.class.reference_name, title.to_s]
      end

      # @return [String]
      def to_s
        ref
      end

      # @return [String]
      def inspect
        "#<#{self.class} #{ref}>"
      end

      # @return [String] the path in the catalog
      def path
        @path ||= "/#{pathbuilder.join("/")}"
      end

      # @api private
      def pathbuilder
        [*parent&.pathbuilder, ref]
      end

      # @return [Type, nil] the container
      def parent
        @parent ||= catalog&.adjacent(self, direction: :in)&.first
      end

      # @return [Array<String>] the ancestors that would generate it, if they are not in the catalog
      def ancestors
        []
      end

      def <=>(other)
        ref <=> other.ref if other.is_a?(Type)
      end

      # @param name [Symbol, String, Provider]
      # @raise [ArgumentError] when there is no such provider
      def provider=(name)
        if name.is_a?(Provider)
          @provider = name
          @provider.resource = self
        else
          provider = self.class.provider(name)
          raise ArgumentError, "Could not find #{name} provider of #{self.class.name}" unless provider

          @provider = provider.new(self)
        end
      end

      # @return [Boolean] whether anything can manage it
      def suitable?
        return true unless self.class.paramclass(:provider)
        return true if provider&.class&.suitable?

        default = self.class.defaultprovider unless provider
        self.provider = default.name if default
        !default.nil?
      end

      # @return [Boolean]
      def noop?
        return false if catalog && !catalog.host_config?

        defined?(@noop) ? @noop : Puppet[:noop]
      end
      alias noop noop?

      # @return [Boolean]
      def isomorphic?
        self.class.isomorphic?
      end

      # @return [Boolean] whether it is managed after its members
      def depthfirst?
        false
      end

      # @return [Boolean]
      def virtual?
        @virtual ? true : false
      end

      # @return [Boolean]
      def exported?
        @exported ? true : false
      end

      # @return [Boolean, nil]
      def self_refresh?
        self.class.self_refresh
      end

      # Marks it as one that was made to be removed.
      def purging
        @purging = true
      end

      # @return [Boolean]
      def purging?
        @purging || false
      end

      # @return [Boolean]
      def appliable_to_device?
        self.class.can_apply_to(:device)
      end

      # @return [Boolean]
      def appliable_to_host?
        self.class.can_apply_to(:host)
      end

      # Is called when all resources are there.
      #
      # @raise [ResourceError] when it names a resource that is not
      def finish
        @plan.finished.each { |name| @parameters[name]&.post_compile }
        @plan.relationships.each { |name| @parameters[name]&.validate_relationship }
      end

      # @return [Array<Relationship>] relationships that its own parameters name
      # @raise [Puppet::Error] when it names a resource that is not there
      def builddepends
        given = @parameters.entries
        edges = []
        @plan.relationships.each do |name|
          parameter = given[name]
          edges.concat(parameter.to_edges) if parameter
        end
        edges
      end

      # Returns the relationships that the type adds to earlier resources.
      #
      # @param catalog [RalCatalog]
      # @return [Array<Relationship>]
      # @raise [DevError] without a catalog
      def autorequire(catalog = self.catalog)
        autorelation(:require, catalog)
      end

      # Returns the relationships that the type adds to later resources.
      #
      # @param (see #autorequire)
      # @return (see #autorequire)
      # @raise (see #autorequire)
      def autobefore(catalog = self.catalog)
        autorelation(:before, catalog)
      end

      # Returns the relationships that the type adds to earlier resources, whose events reach this one.
      #
      # @param (see #autorequire)
      # @return (see #autorequire)
      # @raise (see #autorequire)
      def autosubscribe(catalog = self.catalog)
        autorelation(:subscribe, catalog)
      end

      # Returns the relationships that the type adds to later resources, which get the events of this one.
      #
      # @param (see #autorequire)
      # @return (see #autorequire)
      # @raise (see #autorequire)
      def autonotify(catalog = self.catalog)
        autorelation(:notify, catalog)
      end

      # Declares that values must not be shown.
      #
      # @param names [Array<Symbol>] of attributes
      def set_sensitive_parameters(names)
        names.each { |name| set_sensitive(name) }
        @plan.sensitive.each do |name|
          parameter = @parameters[name]
          parameter.sensitive ||= parameter.is_sensitive if parameter
        end
      end

      private

      def set_name(values)
        name = @plan.namevar
        self[name] = values.delete(name) if name
      end

      # That of the type needs no check.
      def set_default_provider
        return set_default(:provider) unless @plan.usual_provider?

        default = self.class.defaultprovider
        return unless default&.name

        @parameters[:provider] = @plan.known_provider(default.name)
        # Specs have doubles as defaults, which Puppet only asks for the name.
        default = self.class.provider(default.name) unless default.is_a?(Class)
        @provider = default.new(self)
      end

      def set_parameters(values)
        shape = @plan.shape(values.keys)
        entries = @parameters.entries
        shape.given.each do |name, attribute|
          value = values[name]
          known = attribute&.known(value)
          known && !entries.key?(name) ? entries[name] = known : set_parameter(name, attribute, value)
        end
        shape.computed.each do |attribute|
          @parameters.reach(attribute.index)
          set_default(attribute.name)
        end
        @parameters.reach(@plan.size)
      end

      def set_parameter(name, attribute, value)
        attribute && !value.nil? ? assign(attribute, value) : self[name] = value
      rescue ArgumentError, Puppet::Error, TypeError
        raise
      rescue StandardError => e
        problem = @secrets.problem(e)
        raise DevError, "Could not set #{name} on #{self.class.name}: #{problem}", e.backtrace, cause: (e if problem.equal?(e))
      end

      def validate_resource
        validate if respond_to?(:validate)
      rescue Puppet::Error, ArgumentError => e
        raise_about(e, @secrets.problem(e)) { |problem| ResourceError.new("Validation of #{ref} failed: #{problem}") }
      end

      def deferred_values?
        !@only_strings && @original_parameters.values.any?(Pops::Evaluator::DeferredValue)
      end

      def set_sensitive(name)
        parameter = parameter(name)
        case parameter
        when Property then parameter.sensitive = true
        when Parameter
          warning("Unable to mark '#{name}' as sensitive: #{name} is a parameter and not a property, and cannot be " \
                  "automatically redacted.")
        else
          return warning("Unable to mark '#{name}' as sensitive: the property itself was not assigned a value.") if
            self.class.attrclass(name)

          err("Unable to mark '#{name}' as sensitive: the property itself is not defined on #{type}.")
        end
      end

      def autorelation(kind, catalog)
        raise DevError, "You cannot add relationships without a catalog" unless catalog

        self.class.related_to(self, kind, catalog).map do |other|
          AFTER.include?(kind) ? Relationship.new(self, other) : Relationship.new(other, self)
        end
      end
    end
  end
end
