# frozen_string_literal: true

module Puppetfn
  module Puppet
    # Applies the resources of a catalog, as specs of types and providers do with a few. See Puppet's `transaction.rb`. Nothing is kept
    # between transactions, resources generate no others, and Puppet's own types have no providers that know the system.
    class Transaction
      extend StandIn
      %i[Event Report].each { |name| autoload name, File.join(__dir__, "transaction", "report") }
      autoload :ResourceHarness, File.join(__dir__, "transaction", "resource_harness")

      # @return [RalCatalog]
      attr_reader :catalog

      # @return [Report]
      attr_reader :report

      # @param catalog [RalCatalog]
      # @param report [Report, nil]
      def initialize(catalog, report = nil, _prioritizer = nil)
        @catalog, @report = catalog, report || Report.new
        @prefetched = {}
        @triggers = Hash.new { |triggers, resource| triggers[resource] = [] }
      end

      # Applies each resource after those that come before it.
      #
      # @return [void]
      # @raise [Puppet::Error] when they come before each other
      def evaluate
        refuse_cycles
        check_before_run
        left = Set.new.compare_by_identity.merge(relationship_graph.vertices)
        until left.empty? || Application.stop_requested?
          resource = following(left)
          left.delete(resource)
          evaluate_resource(resource)
        end
        report.transaction_completed = true
      end

      # @return [RelationshipGraph]
      def relationship_graph
        catalog.relationship_graph
      end

      # @param resource [Puppet::Type]
      # @return [Resource::Status]
      def resource_status(resource)
        report.resource_statuses[resource.to_s] ||= Resource::Status.new(resource)
      end

      # @return [Resource::Status, nil] of a resource that failed
      def any_failed?
        report.resource_statuses.values.detect { |status| status.failed? || status.failed_to_restart? }
      end

      # @return [Array<Event>]
      def events
        report.resource_statuses.values.flat_map(&:events)
      end

      # @return [Array<Puppet::Type>] the resources that were changed
      def changed?
        report.resource_statuses.values.select(&:changed?).map { |status| catalog.resource(status.resource) }
      end

      private

      def refuse_cycles
        cycles = relationship_graph.cycles
        return if cycles.empty?

        cycles.flatten.uniq.each { |resource| resource_status(resource).fail_with_event("resource is part of a dependency cycle") }
        Puppet.err(relationship_graph.cycles_message)
        raise Error, "One or more resource dependency cycles detected in graph"
      end

      def check_before_run
        failed = catalog.reject { |resource| checked?(resource) }
        raise Error, "Some pre-run checks failed" if failed.any?
      end

      def checked?(resource)
        resource.pre_run_check
        true
      rescue Error => e
        Puppet.log_exception(e, e.message)
        false
      end

      # The first resource that can be next, with a provider that works as long as there is one.
      def following(left)
        ready = left.select { |resource| relationship_graph.direct_dependencies_of(resource).none? { |other| left.include?(other) } }
        ready.find(&:suitable?) || ready.first
      end

      def evaluate_resource(resource)
        status = resource_status(resource)
        return refuse_provider(resource, status) unless resource.suitable?

        prefetch(resource)
        note_failures(resource, status)
        return skip(resource, status) if status.dependency_failed || status.failed?

        apply(resource, status) unless whit?(resource)
        trigger(resource, status)
      end

      def refuse_provider(resource, status)
        status.failed = true
        provider = resource.provider
        return resource.err("Provider #{provider.class.name} is not functional on this host") if provider

        Puppet.err("Could not find a suitable provider for #{resource.type}")
      end

      # Lets a class of providers look at the system once for all its resources.
      def prefetch(resource)
        provider = resource.provider&.class
        return unless provider.respond_to?(:prefetch) && !@prefetched[provider]

        @prefetched[provider] = true
        same = catalog.select { |other| other.provider.instance_of?(provider) }.to_h { |other| [other.name, other] }
        provider.prefetch(same)
      rescue UnavailableError, LoadError, MissingCommand
        raise
      rescue StandardError => e
        message = "Could not prefetch #{resource.type} provider '#{provider.name}': #{e}"
        Puppet.log_exception(e, message)
        same.each_value { |other| resource_status(other).fail_with_event(message) }
      end

      def note_failures(resource, status)
        failed = relationship_graph.direct_dependencies_of(resource).select do |other|
          found = resource_status(other)
          resource.notice("Dependency #{other} has failures: true") if found.failed? && !whit?(resource)
          found.failed? || found.dependency_failed
        end
        status.dependency_failed = true if failed.any?
      end

      def skip(resource, status)
        status.skipped = true
        return if whit?(resource)

        resource.warning("Skipping because #{status.dependency_failed ? "of failed dependencies" : "provider prefetch failed"}")
      end

      def apply(resource, status)
        refuse_generated(resource)
        ResourceHarness.new.evaluate(resource, status)
      end

      def refuse_generated(resource)
        kind = %i[generate eval_generate].find { |name| resource.respond_to?(name) && Array(resource.public_send(name)).any? }
        raise UnavailableError, "Puppet::Transaction with resources of #{resource.ref}.#{kind}" if kind
      end

      # Calls what events of other resources ask for, and passes events on.
      def trigger(resource, status)
        states = status.events.map(&:status) - ["failure"]
        asked = @triggers.delete(resource) || []
        asked += states if resource.self_refresh? && !resource.deleting?
        if status.events.any?(&:invalidate_refreshes)
          resource.info("Unscheduling refresh on #{resource}")
          asked = []
        end
        states += refresh(resource, status, asked) if asked.any? && resource.respond_to?(:refresh)
        return if states.empty?

        relationship_graph.edges.each do |edge|
          @triggers[edge.target].concat(states) if edge.source.equal?(resource) && edge.callback && edge.event != :NONE
        end
      end

      # Returns the state of the event that this is for others.
      def refresh(resource, status, asked)
        count = "#{asked.size} event#{"s" if asked.size > 1}"
        if resource.noop? || asked.all?("noop")
          resource.notice("Would have triggered 'refresh' from #{count}") unless whit?(resource)
          return ["noop"]
        end

        resource.refresh
        message = "Triggered 'refresh' from #{count}"
        resource.notice(message) unless whit?(resource)
        status.restarted = true
        status << Event.from(resource, name: "refresh", status: "success", message: message)
        ["success"]
      rescue UnavailableError
        raise
      rescue StandardError => e
        status.failed_to_restart = true
        resource.err(status.fail_with_event("Failed to call refresh: #{e}"))
        resource.log_exception(e)
        []
      end

      def whit?(resource)
        resource.type == :whit
      end
    end
  end
end
