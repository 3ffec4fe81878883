# frozen_string_literal: true

module Puppetfn
  class Scope
    # The scope of a class that was evaluated, as code elsewhere sees it.
    #
    # @api private
    class ClassScope < Scope
      # @param scope [Scope] any other scope of the runtime
      # @param name [String] of the class
      def initialize(scope, name) # rubocop:disable Lint/MissingSuper
        @top = scope.find_global_scope
        @runtime = scope.runtime
        @variables = scope.variables
        @changes = 0
        @class_name = name
        extend(runtime.legacy_functions)
      end

      # (see Scope#variable_of_caller)
      def variable_of_caller(name)
        @variables.get("#{@class_name}::#{name}") unless name.include?("::")
      end

      # @raise [UnavailableError] always
      def to_hash(_recursive = true, _include_undef = false)
        raise UnavailableError, "Scope#to_hash of another class"
      end

      # @raise [UnavailableError] always: only the class's own code sets its defaults and declarations
      def number
        raise UnavailableError, "Declaring resources in the scope of another class"
      end

      # @return [Puppet::Parser::Resource]
      def resource
        compiler.findresource("Class", @class_name)
      end

      # @return [Puppet::Resource::Type]
      def source
        Puppet::Resource::Type.new(:hostclass, @class_name, runtime.module_of(@class_name), runtime)
      end

      # @return [Scope] the top scope
      def find_global_scope
        @top
      end
      alias parent find_global_scope

      # @return [Boolean] false
      def is_topscope?
        false
      end

      private

      def assign(name, _value)
        raise UnavailableError, "Setting $#{@class_name}::#{name} from code outside of the class"
      end
    end
    private_constant :ClassScope
  end
end
