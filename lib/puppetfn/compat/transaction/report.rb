# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Transaction
      # A change of a property or a call of a resource, or the attempt.
      class Event
        # @return [String]
        attr_accessor :status, :message

        attr_reader :name, :property, :resource, :previous_value, :desired_value, :file, :line

        # @api private
        # @param property [Property]
        # @param is [Object] the value that it has
        # @return [Event]
        def self.of(property, is)
          values = property.sensitive ? ["[redacted]", "[redacted]"] : [is, property.should]
          new(property.resource, property.event_name).tap { |event| event.send(:about, property, *values) }
        end

        # @param resource [Puppet::Type]
        # @param name [Symbol, String]
        # @param status [String, nil] `success`, `failure` or `noop`
        # @param message [String, nil]
        def initialize(resource, name, status = nil, message = nil)
          @source, @level = resource.path, resource[:loglevel] || :notice
          @resource, @file, @line = resource.to_s, resource.file, resource.line
          @name, @status, @message = name, status, message
        end

        # @return [void]
        def send_log
          Util::Log.create(level: status == "failure" ? :err : @level, message: message, source: @source)
        end

        # @return [String]
        def to_s
          message
        end

        private

        def about(property, previous_value, desired_value)
          @source, @property = property.path, property.name.to_s
          @previous_value, @desired_value = previous_value, desired_value
        end
      end

      # The outcome of a transaction.
      class Report
        # @return [Hash{String=>Resource::Status}] by reference
        attr_reader :resource_statuses

        # @return [Array<Logs::Message>]
        attr_reader :logs

        attr_accessor :transaction_completed

        # @return [String] `failed`, `changed` or `unchanged`, once {finalize_report} was called
        attr_reader :status

        # @return [Integer] 2 for changes, plus 4 for failures
        attr_reader :exit_status

        def initialize(*)
          @resource_statuses = {}
          @logs = []
          @status, @exit_status = "failed", -1
        end

        # @return [Report] this
        def <<(message)
          @logs << message
          self
        end

        # Collects what is logged during a block.
        #
        # @return [Object] the block's result
        def as_logging_destination(&)
          Util::Log.with_destination(self, &)
        end

        # Computes the status.
        #
        # @return [void]
        def finalize_report
          statuses = resource_statuses.values
          failed = statuses.any? { |one| one.failed? || one.failed_to_restart? }
          changed = statuses.any?(&:changed?)
          @exit_status = (changed ? 2 : 0) | (failed ? 4 : 0)
          @status = if failed || !transaction_completed then "failed"
                    else changed ? "changed" : "unchanged"
                    end
        end
      end
    end
  end
end
