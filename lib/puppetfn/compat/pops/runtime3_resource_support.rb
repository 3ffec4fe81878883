# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      module Evaluator
        # Lookup of resource types and classes for functions.
        module Runtime3ResourceSupport
          # A resource type or class that exists.
          Found = Struct.new(:name) do
            # @return [String]
            def to_s = name
          end

          module_function

          # @param scope [Scope]
          # @param name [String]
          # @return [#name, nil] the resource type of this name, otherwise the class
          def find_resource_type_or_class(scope, name)
            find_resource_type(scope, name) || find_hostclass(scope, name)
          end

          # @param scope [Scope]
          # @param name [String]
          # @return [#name, nil] the resource type of this name
          def find_resource_type(scope, name)
            Found.new(name) if scope.runtime.evaluator.resource_type?(name)
          end

          # @param scope [Scope]
          # @param name [String]
          # @return [#name, nil] the class of this name
          def find_hostclass(scope, name)
            scope.runtime.known_resource_types.hostclass(name)
          end
        end
      end
    end
  end
end
