# frozen_string_literal: true

require_relative "difference"
require_relative "secrets"

module Puppetfn
  module Terminus
    # The differences of two catalogs' JSON, by resource and parameter.
    #
    # @api private
    class CatalogDifferences
      # Attributes of the catalog besides its resources, edges and classes. Its version is a time or of a script, and its UUID is random.
      CATALOG = %w[name environment code_id catalog_format].freeze
      # Attributes of a resource besides its parameters.
      RESOURCE = %w[file line kind exported virtual].freeze
      private_constant :CATALOG, :RESOURCE

      # @param puppet [Hash{String=>Object}]
      # @param puppetfn [Hash{String=>Object}]
      def initialize(puppet, puppetfn)
        @puppet = puppet
        @puppetfn = puppetfn
      end

      # @return [Array<Difference>]
      def to_a
        @differences = []
        CATALOG.each { |name| values("catalog", name, @puppet[name], @puppetfn[name]) }
        sets("catalog", "tags", @puppet["tags"], @puppetfn["tags"])
        sets("catalog", "classes", @puppet["classes"], @puppetfn["classes"])
        compare_resources
        sets("catalog", "edges", *[@puppet, @puppetfn].map { |catalog| edges(catalog) })
        @differences
      end

      private

      def compare_resources
        mine, its = [@puppet, @puppetfn].map { |catalog| catalog["resources"].each_with_object({}) { |one, all| all[reference(one)] = one } }
        (mine.keys | its.keys).each do |name|
          if mine[name] && its[name]
            compare_resource(name, mine[name], its[name])
          else
            add(name, "resource", *[mine, its].map { |catalog| catalog.key?(name) ? "declared" : nil })
          end
        end
        compare_order(mine.keys, its.keys)
      end

      def compare_resource(name, mine, its)
        RESOURCE.each { |attribute| values(name, attribute, mine[attribute] || nil, its[attribute] || nil) }
        sets(name, "tags", mine["tags"], its["tags"])
        sensitive = [mine, its].map { |one| one["sensitive_parameters"] || [] }
        sets(name, "sensitive_parameters", *sensitive)
        mine, its = [mine, its].map { |one| one["parameters"] || {} }
        (mine.keys | its.keys).each do |parameter|
          values(name, parameter, mine[parameter], its[parameter], sensitive.flatten.include?(parameter))
        end
      end

      # Agents apply resources without relationships in this order.
      def compare_order(mine, its)
        mine, its = [mine & its, its & mine]
        at = mine.each_index.find { |index| mine[index] != its[index] }
        add("catalog", "order", mine[at], its[at]) if at
      end

      def values(resource, attribute, mine, its, is_sensitive = false)
        return if same?(mine, its)

        add(resource, attribute, *[mine, its].map { |value| is_sensitive && !value.nil? ? Secrets::REDACTED : value })
      end

      def sets(resource, attribute, mine, its)
        mine, its = [mine || [], its || []]
        only_mine, only_its = [mine - its, its - mine]
        only_mine.uniq.each { |element| add(resource, attribute, element, nil) }
        only_its.uniq.each { |element| add(resource, attribute, nil, element) }
      end

      def add(resource, attribute, mine, its)
        @differences << Difference.new(resource, attribute, mine, its)
      end

      # `1` and `1.0` are other values to agents.
      def same?(mine, its)
        case mine
        when Hash then its.is_a?(Hash) && mine.size == its.size && mine.all? { |key, value| its.key?(key) && same?(value, its[key]) }
        when Array then its.is_a?(Array) && mine.size == its.size && mine.each_index.all? { |index| same?(mine[index], its[index]) }
        else mine.eql?(its)
        end
      end

      def reference(resource)
        "#{resource["type"]}[#{resource["title"]}]"
      end

      def edges(catalog)
        (catalog["edges"] || []).map { |edge| "#{edge["source"]} -> #{edge["target"]}" }
      end
    end
  end
end
