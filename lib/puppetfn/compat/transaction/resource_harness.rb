# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Transaction
      # Brings one resource in the state that it should have. See Puppet's `transaction/resource_harness.rb`.
      class ResourceHarness
        # @param resource [Puppet::Type]
        # @param status [Resource::Status]
        # @return [Resource::Status]
        def evaluate(resource, status)
          change(resource, status)
          resource.flush if status.changed? && !resource.noop? && resource.respond_to?(:flush)
          status
        rescue UnavailableError
          raise
        rescue StandardError => e
          resource.err(status.fail_with_event("Could not evaluate: #{e}"))
          status
        end

        private

        def change(resource, status)
          current = resource.retrieve_resource.to_hash
          presence = resource.parameter(:ensure)
          return if presence&.should && synchronize(presence, current, status)
          return resource.debug("Nothing to manage: no ensure and the resource doesn't exist") unless resource.present?(current)

          resource.properties.each { |property| synchronize(property, current, status) }
        end

        def synchronize(property, current, status)
          is = current[property.name]
          return if property.should.nil? || property.should == false || property.safe_insync?(is)

          event = Event.of(property, is)
          begin
            event.status, event.message = property.noop ? ["noop", "#{description(property, is)} (noop)"] : changed(property, is)
          rescue UnavailableError
            raise
          rescue StandardError => e
            Puppet.log_exception(e)
            event.status, event.message = "failure", "#{property.format("change from %s to %s failed: ", *shown(property, is))}#{e}"
          end
          status << event
          event.send_log
          event
        end

        def changed(property, is)
          property.sync
          message = property.sensitive ? property.format("changed %s to %s", *shown(property, is)) : property.change_to_s(is, property.should)
          ["success", message]
        end

        def description(property, is)
          return property.change_to_s(is, property.should) unless property.sensitive

          property.format("current_value %s, should be %s", *shown(property, is))
        end

        def shown(property, is)
          [property.is_to_s(is), property.should_to_s(property.should)]
        end
      end
    end
  end
end
