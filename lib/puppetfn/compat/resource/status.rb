# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Resource
      # The outcome of a resource in a transaction.
      class Status
        # @return [Boolean]
        attr_accessor :changed, :out_of_sync, :failed, :failed_to_restart, :skipped, :scheduled, :restarted, :dependency_failed

        %i[changed out_of_sync failed failed_to_restart skipped scheduled restarted].each { |name| alias_method(:"#{name}?", name) }

        # @return [String] the reference of the resource
        attr_reader :resource

        attr_reader :resource_type, :title, :file, :line, :tags

        # @return [Array<Transaction::Event>]
        attr_reader :events

        # @return [Integer]
        attr_reader :change_count, :out_of_sync_count

        # @param resource [Puppet::Type]
        def initialize(resource)
          @real = resource
          @resource, @resource_type, @title = resource.to_s, resource.type.to_s.capitalize, resource.title
          @file, @line, @tags = resource.file, resource.line, resource.tags
          @events = []
          @change_count = @out_of_sync_count = 0
          @changed = @out_of_sync = @failed = @failed_to_restart = @skipped = false
        end

        # @param event [Transaction::Event]
        # @return [Status] this
        def <<(event)
          case event.status
          when "failure" then self.failed = true
          when "success"
            @change_count += 1
            self.changed = true
          end
          @out_of_sync_count += 1
          self.out_of_sync = true
          @events << event
          self
        end

        # @param message [String] of the failure
        # @return [String] the message
        def fail_with_event(message)
          self << Transaction::Event.from(@real, name: :resource_error, status: "failure", message: message)
          message
        end
      end
    end
  end
end
