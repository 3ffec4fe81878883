# frozen_string_literal: true

module Puppetfn
  class Runtime
    # Writes of functions to the catalog and to scopes.
    module Writes
      # Has a scope represent the code that called the running function from now on, as it has singleton methods or
      # variables now.
      #
      # @api private
      # @param scope [Scope]
      # @return [void]
      def pin_scope(scope)
        return unless scope.is_a?(CallerScope)

        @caller_scope = nil if scope.equal?(@caller_scope)
        (@pinned_scopes ||= {})[scope.pin] = scope
      end

      # Notes that a scope looks up variables in a way of its own.
      #
      # @api private
      # @return [void]
      def redefine_lookups
        @lookups_redefined = true
      end

      # @api private
      # @return [Boolean, nil] whether some scope looks up variables in a way of its own
      def lookups_redefined?
        @lookups_redefined
      end

      # @api private
      # @param number [Integer]
      # @return [Scope] the scope of this number, as functions see it
      def scope_numbered(number)
        return scope if number.zero?

        @pinned_scopes&.[](number) || CallerScope.new(scope, number)
      end

      # Returns the default parameters of a scope whose methods functions have redefined, or that is within such a one.
      #
      # @api private
      # @param number [Integer]
      # @param type [String]
      # @return [Array<Array(String, Object)>]
      def resource_defaults(number, type)
        activate { scope_numbered(number).lookupdefaults(type).map { |name, param| [name.to_s, param.value] } }
      end

      # @api private
      # @return [Hash{Array=>Puppet::Parser::Resource}] declared resources that functions hold, by type and title
      def declared_resources
        @declared_resources ||= {}
      end

      # @api private
      # @return [CatalogLoans]
      def loans
        @loans ||= CatalogLoans.new(self)
      end

      # Writes changes that functions made to parameters of resources to the catalog.
      #
      # @api private
      # @param is_last [Boolean] whether no function has parameters any more
      # @return [void]
      def settle_loans(is_last)
        @loans&.settle(is_last)
      end
    end
  end
end
