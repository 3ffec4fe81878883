# frozen_string_literal: true

module Puppetfn
  class Scope
    # Default parameters of a scope itself for resources of one type, as Puppet's scopes have them in `@defaults`. New
    # parameters are written to the scope of the evaluator.
    class Defaults < Hash
      # Methods that would change the defaults in another way.
      REFUSED = (%i[clear compact! delete delete_if filter! keep_if merge! reject! replace select! shift transform_keys!
                    transform_values! update] & Hash.instance_methods).freeze
      private_constant :REFUSED

      # @param scope [Scope] whose number no longer changes
      # @return [Hash{String=>Defaults}] the current defaults of a type, for any type
      def self.of_scope(scope)
        Hash.new { |_, type| new(scope, type.to_s) }
      end

      # @param scope [Scope]
      # @param type [String]
      def initialize(scope, type)
        super()
        @scope = scope
        @type = type
        @scope.runtime.evaluator.scope_defaults(scope.number, type).each do |name, value, file, line|
          store_only(name.to_sym, Puppet::Parser::Resource::Param.new(name: name, value: value, source: scope.source, file: file, line: line))
        end
      end

      alias store_only store
      private :store_only

      # @param name [Symbol]
      # @param param [Puppet::Parser::Resource::Param]
      def []=(name, param)
        @scope.runtime.evaluator.replace_defaults(@scope.number, @type, [param.to_change])
        store_only(name, param)
      end
      alias store []=

      REFUSED.each do |name|
        define_method(name) do |*|
          raise UnavailableError, "Changes of a scope's default parameters by the method #{name}"
        end
      end
    end
  end
end
