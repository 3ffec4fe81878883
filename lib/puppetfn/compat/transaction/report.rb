# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Transaction
      # A change of a property or a call of a resource, or the attempt.
      class Event
        # @return [Object, nil]
        attr_accessor :audited, :corrective_change, :desired_value, :file, :historical_value, :invalidate_refreshes, :line, :message, :name,
          :previous_value, :property, :redacted, :resource, :source_description, :status, :tags

        # @api private
        # @param property [Property]
        # @param is [Object] the value that it has
        # @return [Event]
        def self.of(property, is)
          previous, desired = [is, property.should].map { |value| property.sensitive && !value.nil? ? "[redacted]" : value }
          value = property.class.value_collection.match?(property.should)
          from(property.resource, source_description: property.path, property: property.name.to_s, name: property.event_name,
            previous_value: previous, desired_value: desired, redacted: property.sensitive, invalidate_refreshes: value&.invalidate_refreshes)
        end

        # @api private
        # @param resource [Puppet::Type]
        # @return [Event]
        def self.from(resource, **attributes)
          event = new(source_description: resource.path, resource: resource.to_s, file: resource.file, line: resource.line, **attributes)
          event.level = resource[:loglevel]
          event
        end

        # @param attributes [Hash{Symbol=>Object}]
        def initialize(audited: false, corrective_change: false, redacted: false, **attributes)
          @audited, @corrective_change, @redacted = audited, corrective_change, redacted
          attributes.each { |name, value| public_send(:"#{name}=", value) }
        end

        # @api private
        # @return [Symbol, nil]
        attr_writer :level

        # @return [void]
        def send_log
          Util::Log.create(level: status == "failure" ? :err : @level || :notice, message: message, source: source_description || resource)
        end

        # @return [String]
        def to_s
          message
        end
      end

      # The outcome of a transaction.
      class Report
        # @return [Hash{String=>Resource::Status}] by reference
        attr_reader :resource_statuses

        # @return [Array<Logs::Message>]
        attr_reader :logs

        attr_accessor :transaction_completed, :configuration_version, :transaction_uuid, :code_id, :job_id, :catalog_uuid,
          :cached_catalog_status, :server_used, :host, :environment, :noop_pending

        attr_reader :time, :puppet_version, :report_format, :noop, :corrective_change, :metrics

        # @return [String] `failed`, `changed` or `unchanged`, once {finalize_report} was called
        attr_reader :status

        # @return [Integer] 2 for changes, plus 4 for failures
        attr_reader :exit_status

        def initialize(configuration_version = nil, environment = nil, transaction_uuid = nil, job_id = nil, time = Time.now)
          @configuration_version, @environment, @transaction_uuid, @job_id = configuration_version, environment, transaction_uuid, job_id
          @time, @host, @puppet_version, @report_format = time, Puppet[:node_name_value], Puppet.version, 12
          @resource_statuses, @metrics, @logs = {}, {}, []
          @noop = Puppet[:noop]
          @noop_pending = @corrective_change = @transaction_completed = false
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
