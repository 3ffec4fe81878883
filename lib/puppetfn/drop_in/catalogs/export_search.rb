# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Finds exported resources of other nodes with the terminus that Puppet's collectors search, PuppetDB's for example.
      #
      # See Puppet's `pops/evaluator/collectors/exported_collector.rb`.
      class ExportSearch
        # The syntax of a reference. In a filter of Puppet's it is an object.
        REFERENCE = /\A(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*\[.*\]\z/m
        private_constant :REFERENCE

        # @param compilation [Compilation]
        # @param node [String] the name of the node that collects
        def initialize(compilation, node)
          @compilation, @node = compilation, node
        end

        # @param type [String] the type of the resources
        # @param condition [Array, nil] the condition of the collector, in PuppetDB's AST query language
        # @param scope [LentScope] of the collector
        # @return [Array<Array(String, String, Hash)>] the node, the title and the parameters of each resource
        # @raise [Declined] if the condition has a reference, or the terminus does not name the nodes
        # @raise [StandardError] whatever the terminus raises
        def find(type, condition, scope)
          found = ::Puppet::Resource.indirection.search(type, host: @node, filter: condition && filter(condition), scope: scope)
          found.map do |resource|
            exported(resource.is_a?(::Puppet::Parser::Resource) ? resource : resource.to_resource(scope))
          end
        end

        private

        # Returns a condition as Puppet's collectors have it.
        def filter(condition)
          operator, first, second = condition
          case operator
          when "and", "or" then condition.drop(1).map { |side| filter(side) }.reduce { |left, right| [left, operator, right] }
          when "not" then filter(first).dup.tap { |comparison| comparison[1] = "!=" }
          else [first.is_a?(Array) ? first.last : first, "==", plain(second)]
          end
        end

        def plain(value)
          @compilation.decline("a reference in a collector of exported resources") if value.is_a?(String) && value.match?(REFERENCE)

          value
        end

        def exported(resource)
          node, separator, = resource.collector_id.to_s.partition("|")
          @compilation.decline("exported resources that do not name their node") if separator.empty?

          parameters = resource.parameters.to_h { |name, parameter| [name.to_s, @compilation.values.from_puppet(parameter.value)] }
          [node, resource.title, parameters]
        end
      end
    end
  end
end
