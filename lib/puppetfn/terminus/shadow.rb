# frozen_string_literal: true

require "json"
require_relative "catalog_differences"
require_relative "clock"
require_relative "difference_report"
require_relative "secrets"

module Puppetfn
  module Terminus
    # Compiles with Puppet and with the service, answers with Puppet's catalog or error, and reports how the service's differs.
    #
    # @api private
    class Shadow
      # @param service [CompileService]
      # @param file [String, nil] that differences are appended to
      def initialize(service, file)
        @service = service
        @report = DifferenceReport.new(file)
      end

      # @param node [Puppet::Node]
      # @param options [Hash{Symbol=>Object}] of the request for the catalog
      # @yieldreturn [Puppet::Resource::Catalog] Puppet's
      # @return [Puppet::Resource::Catalog] the same
      def compile(node, options)
        start = Clock.now
        catalog = nil
        begin
          catalog = yield
        rescue Puppet::Error => e
          error = e
        end
        compare(node, options, catalog, error, Clock.now - start)
        raise error if error

        catalog
      end

      private

      # Errors of the comparison never fail the catalog.
      def compare(node, options, catalog, error, seconds)
        start = Clock.now
        result = @service.compile(node, options)
        @service.usable if result.kind == :catalog
        times = {"puppet_seconds" => seconds.round(3), "puppetfn_seconds" => (Clock.now - start).round(3)}
        outcome, differences, secrets = differences(node, catalog, error, result)
        @report.add(node, outcome, differences, secrets, times)
      rescue StandardError, SystemStackError => e
        # Messages of errors may have values in them.
        Puppet.warning("puppetfn: the catalogs of #{node.name} could not be compared: #{e.class} at #{(e.backtrace || []).first}")
      end

      # Returns the outcome, the differences, and the texts that must not be reported.
      def differences(node, catalog, error, result)
        case result.kind
        when :catalog
          mine = catalog && data_of(catalog, node.environment)
          secrets = Secrets.new([mine, result.catalog].compact)
          found = mine ? CatalogDifferences.new(mine, result.catalog).to_a : [Difference.of_outcome(error.message, nil)]
        when :error
          secrets = Secrets.new([catalog && data_of(catalog, node.environment)].compact)
          found = error && error.message == result.message ? [] : [Difference.of_outcome(error && error.message, result.message)]
        else
          return [result.kind.to_s, [Difference.new("catalog", "reason", nil, result.message)], Secrets.new([])]
        end
        [found.empty? ? "same" : "different", found, secrets]
      end

      # Returns the catalog as agents would get it.
      def data_of(catalog, environment)
        data = Puppet.override({current_environment: environment, rich_data: true}, "For a comparison") { catalog.to_data_hash }
        catalog.resources.zip(data["resources"]) { |resource, hash| hash["virtual"] = true if resource.virtual? }
        JSON.parse(JSON.generate(data, max_nesting: 0), max_nesting: 1000, create_additions: false)
      end
    end
  end
end
