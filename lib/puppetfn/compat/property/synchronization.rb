# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Property < Parameter
      # Synchronization of a property with the system, and the events of its changes. See Puppet's `property.rb`.
      module Synchronization
        # Sets the property on the system.
        #
        # @return [Object]
        # @raise [DevError] without a value
        def sync
          devfail("Got a nil value for should") unless should
          set(should)
        end

        # Sets a value on the system: with its method or block, or through the provider.
        #
        # @return [Object]
        # @raise [Puppet::Error] if that fails
        def set(value)
          name = self.class.value_name(value)
          method = self.class.value_option(name, :method)
          return setting(value) { public_send(method) } if method && respond_to?(method)

          block = self.class.value_option(name, :block)
          block ? instance_eval(&block) : call_provider(value)
        end

        # @param should [Array<Object>] in place of the value
        # @return [Boolean, nil] whether the system has it; nil if that cannot be told
        def insync_values?(should, is)
          value = @should
          @should = should
          insync?(is)
        rescue StandardError
          Puppet.info("Unknown failure using insync_values? on type: #{resource.ref} / property: #{name} to compare values #{should} and #{is}")
          nil
        ensure
          @should = value
        end

        # @return [Symbol] the name of the event of a change
        def event_name
          value = should
          named = self.class.value_option(value, :event)
          return named if named
          return :"#{name}_changed" unless name == :ensure

          :"#{resource.type}_#{{present: "created", absent: "removed"}.fetch(value, "changed")}"
        end

        private

        def setting(value)
          yield
        rescue Puppet::Error
          raise
        rescue StandardError => e
          error = ResourceError.new("Could not set '#{value}' on #{self.class.name}: #{e}", @resource.file, @resource.line, e)
          error.set_backtrace(e.backtrace)
          Puppet.log_exception(e, error.message)
          raise error
        end
      end
    end
  end
end
