# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The attributes of a resource by name, as a Hash has them. Attributes with a memoized outcome, and defaults that all
      # resources of the type share, become parameter objects when they are first needed.
      #
      # @api private
      class AttributeTable
        include Enumerable

        # @return [Hash{Symbol=>Parameter, KnownValue}] attributes that were given or created
        attr_reader :entries

        # @param resource [Type]
        # @param defaults [Hash{Symbol=>KnownValue}]
        def initialize(resource, defaults)
          @resource = resource
          @entries = {}
          @defaults = defaults
          @reached = 0
        end

        # @param name [Symbol]
        # @return [Parameter, nil]
        def [](name)
          entry = @entries[name] || reached(name)
          entry.is_a?(KnownValue) ? make(name, entry) : entry
        end

        # @param name [Symbol]
        # @return [Object, nil] the value, for which there need be no object
        def value(name)
          entry = @entries[name] || reached(name) or return
          return entry.value unless entry.is_a?(KnownValue)

          entry.shown ? entry.outcome : make(name, entry).value
        end

        # @param attribute [Attribute]
        # @return [Parameter] the one that is there, or one without a value
        def provide(attribute)
          self[attribute.name] || (@entries[attribute.name] = attribute.make(@resource))
        end

        # @param name [Symbol] of a property
        # @return [Object, nil] the first value that it was given, as it was declared
        def declared(name)
          entry = @entries[name] or return
          entry.is_a?(KnownValue) ? entry.value : entry.shouldorig&.first
        end

        # @return [Array<Symbol>] the names of the attributes that the resource has so far
        def names
          @entries.keys.concat(@defaults.take_while { |_, known| known.index < @reached }.map(&:first))
        end

        # @param names [Array<Symbol>]
        # @return [Boolean] whether any of these was given
        def given?(names)
          !(@entries.keys & names).empty?
        end

        # @param name [Symbol]
        # @param parameter [Parameter]
        def []=(name, parameter)
          @entries[name] = parameter
        end

        # @param name [Symbol]
        # @return [Boolean]
        def key?(name)
          @entries.key?(name) || !reached(name).nil?
        end
        alias include? key?
        alias has_key? key?
        alias member? key?

        # @param name [Symbol]
        # @return [Parameter, nil] the deleted parameter
        def delete(name)
          self[name].tap do
            forget_defaults([name])
            @entries.delete(name)
          end
        end

        # Makes default values apply up to some place in the order of attributes.
        #
        # @param index [Integer]
        # @return [void]
        def reach(index)
          @reached = index
        end

        # @return [Hash{Symbol=>Parameter}] all
        def to_h
          complete.dup
        end
        alias dup to_h

        # Forwardable would compile a method for each.
        (Hash.public_instance_methods(false) - public_instance_methods(false)).each do |name|
          define_method(name) { |*arguments, &block| complete.public_send(name, *arguments, &block) }
        end

        private

        def make(name, known)
          @entries[name] = known.parameter(@resource)
        end

        # Returns the default value, if it counts already.
        def reached(name)
          known = @defaults[name]
          known if known && known.index < @reached
        end

        # A deleted attribute does not come back as a default.
        def forget_defaults(names)
          @defaults = @defaults.except(*names) if names.any? { |name| @defaults.key?(name) }
        end

        def complete
          [*@entries.keys, *@defaults.keys].each { |name| self[name] }
          forget_defaults(@entries.keys)
          @entries
        end
      end
    end
  end
end
