# frozen_string_literal: true

require "forwardable"

module Puppetfn
  module Puppet
    class Type
      # The attributes of a resource by name, as a Hash has them. One that has the default value of all resources of its
      # type becomes an object when something asks for it.
      #
      # @api private
      class AttributeTable
        extend Forwardable
        include Enumerable

        # @return [Hash{Symbol=>Parameter}] those that are objects
        attr_reader :made

        # @param resource [Type]
        # @param defaults [Hash{Symbol=>Attribute}]
        def initialize(resource, defaults)
          @resource = resource
          @made = {}
          @defaults = defaults
          @reached = 0
        end

        # @param name [Symbol]
        # @return [Parameter, nil]
        def [](name)
          @made[name] || (default(name) if @defaults.key?(name))
        end

        # @param name [Symbol]
        # @param parameter [Parameter]
        def []=(name, parameter)
          @made[name] = parameter
        end

        # @param name [Symbol]
        # @return [Boolean]
        def key?(name)
          @made.key?(name) || !reached(name).nil?
        end
        alias include? key?
        alias has_key? key?
        alias member? key?

        # @param name [Symbol]
        # @return [Parameter, nil] what was there
        def delete(name)
          default(name)
          forget_defaults([name])
          @made.delete(name)
        end

        # Has default values count up to some place in the order of attributes.
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

        def_delegators :complete, *(Hash.public_instance_methods(false) - public_instance_methods(false))

        private

        def default(name)
          attribute = reached(name)
          @made[name] = attribute.make_default(@resource) if attribute
        end

        def reached(name)
          attribute = @defaults[name]
          attribute if attribute && attribute.index < @reached && !@made.key?(name)
        end

        # What is taken away does not come back.
        def forget_defaults(names)
          @defaults = @defaults.except(*names) if names.any? { |name| @defaults.key?(name) }
        end

        def complete
          @defaults.each_key { |name| default(name) }
          forget_defaults(@made.keys)
          @made
        end
      end
    end
  end
end
