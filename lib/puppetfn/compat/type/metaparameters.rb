# frozen_string_literal: true

require_relative "../../reporting/logs"

module Puppetfn
  module Puppet
    class Type
      # A metaparameter that names other resources.
      class RelationshipMetaparam < Parameter
        class << self
          # @return [:in, :out] whether the named resources come before or after
          attr_accessor :direction

          # @return [Symbol] the events that are passed on
          attr_accessor :events

          # @return [Symbol, nil] the method that is called for events
          attr_accessor :callback
        end

        # @return [Array<Resource>]
        def munge(references)
          [references].flatten.map { |reference| reference.is_a?(Resource) ? reference : Resource.new(reference) }
        end

        # @raise [ResourceError] when a resource is not there
        def validate_relationship
          missing = @value.find { |reference| @resource.catalog.resource(reference.type, reference.title).nil? } or return

          kind = self.class.direction == :in ? "dependency" : "dependent"
          fail(ResourceError, "Could not find #{kind} #{missing} for #{resource.ref}")
        end

        # @return [Array<Relationship>]
        # @raise [Puppet::Error] when a resource is not there
        def to_edges
          label = {event: self.class.events, callback: self.class.callback} if self.class.callback
          @value.map do |reference|
            other = @resource.catalog.resource(reference.type, reference.title)
            self.fail("Could not retrieve dependency '#{reference}' of #{@resource.ref}") unless other

            self.class.direction == :in ? Relationship.new(other, @resource, label) : Relationship.new(@resource, other, label)
          end
        end
      end

      newmetaparam(:noop) do
        desc "Whether it is only said what would be changed, for this resource."
        newvalues(:true, :false)
        munge { |value| @resource.noop = [true, :true, "true"].include?(value) }
      end

      newmetaparam(:schedule) do
        desc "The name of the `schedule` that says when the resource is managed."
      end

      newmetaparam(:audit) do
        desc "Names of attributes whose changes are logged though nothing is said about them, or `all`."

        validate do |names|
          names = Array(names).map(&:to_sym)
          next if names == [:all]

          names.each do |name|
            fail("Cannot audit #{name}: not a valid attribute for #{resource}") unless @resource.class.validattr?(name)
          end
        end

        munge do |names|
          properties_to_audit(names).each do |name|
            resource.newattr(name) if resource.class.validproperty?(name)
          end
        end

        define_method(:properties_to_audit) do |names|
          return Array(names).map(&:to_sym) if names.is_a?(Array) || names.to_sym != :all

          resource.class.properties
            .select { |property| resource.provider.nil? || resource.provider.class.supports_parameter?(property) }
            .map(&:name)
        end
      end

      newmetaparam(:loglevel) do
        desc "The level of what is logged about the resource."
        defaultto :notice
        newvalues(*Logs::LEVELS)
        newvalues(:verbose)
        pure

        munge do |level|
          level = super(level)
          level == :verbose ? :info : level
        end
      end

      newmetaparam(:alias) do
        desc "Other names of the resource, by which relationships can name it."

        munge do |names|
          raise ArgumentError, "Cannot add aliases without a catalog" unless @resource.catalog

          names = [names] unless names.is_a?(Array)
          names.each do |name|
            other = @resource.catalog.resource(@resource.class.name, name)
            if other.nil? then @resource.catalog.alias(@resource, name)
            elsif !other.equal?(@resource)
              self.fail("#{@resource.title} can not create alias #{name}: object already exists")
            end
          end
        end
      end

      newmetaparam(:tag) do
        desc "Tags of the resource."

        munge do |names|
          names = [names] unless names.is_a?(Array)
          names.each { |name| @resource.tag(name) }
        end
      end

      {
        require: [:in, :NONE, nil, "Resources that come before this one."],
        subscribe: [:in, :ALL_EVENTS, :refresh, "Resources that come before this one, which is refreshed if they change."],
        before: [:out, :NONE, nil, "Resources that come after this one."],
        notify: [:out, :ALL_EVENTS, :refresh, "Resources that come after this one, and are refreshed if it changes."]
      }.each do |name, (direction, events, callback, text)|
        attributes = {direction: direction, events: events, callback: callback}
        newmetaparam(name, parent: RelationshipMetaparam, attributes: attributes) { desc(text) }
      end

      newmetaparam(:stage) do
        desc "The run stage of a class."
      end
    end
  end
end
