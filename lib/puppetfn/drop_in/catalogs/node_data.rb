# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Data of a node terminus that puppetfn does not take.
      module NodeData
        # Names that Puppet sets itself, in the main class, too, where they are errors; and names of match groups.
        RESERVED = /\A(?:facts|server_facts|trusted|title|name|module_name|caller_module_name|\d+)\z/
        private_constant :RESERVED

        class << self
          # Returns the data that only Puppet can handle.
          #
          # @param node [::Puppet::Node]
          # @return [String, nil] nil if there is nothing
          def problem(node)
            parameters = node.parameters
            reserved = parameters.each_key.find { |name| RESERVED.match?(name) } and return "the node parameter #{reserved}"
            return "a node parameter that is no data" unless parameters.each_value.all? { |value| value.is_a?(Symbol) || data?(value) }
            return "a class parameter of the node that is no data" unless node.classes.is_a?(Array) || data?(node.classes)

            "facts that are no data" unless given(node).all? { |values| data?(values) }
          end

          # Freezes the parts of a node that code must not change, as Puppet does.
          #
          # @param node [::Puppet::Node]
          # @return [void]
          def freeze(node)
            given(node).each { |values| Values.freeze_data(values) }
          end

          private

          def given(node)
            [node.facts&.values, node.trusted_data, node.server_facts].compact
          end

          # Frozen values have been checked before, by Puppet or {freeze}.
          def data?(value)
            case value
            when String, Numeric, nil, true, false then true
            when Array then value.frozen? || value.all? { |element| data?(element) }
            when Hash then value.frozen? || value.all? { |key, element| data?(key) && data?(element) }
            else false
            end
          end
        end
      end
    end
  end
end
