# frozen_string_literal: true

module Puppetfn
  class Scope
    # Variables that belong to a scope alone, as Puppet's scopes keep them: a table for the scope and one for each
    # function, lambda and match within it, each with the variables of the tables before it.
    class Ephemeral
      # @param scope [Scope, nil]
      def initialize(scope = nil)
        @scope = scope
      end

      # @return [Boolean] whether variables can be set in the table
      def is_local_scope?
        false
      end

      # @param name [String]
      # @return [Object, nil] the value of a variable
      def [](name)
        variables[name]
      end

      # @param name [String]
      # @return [true, nil] whether there is such a variable
      def include?(name)
        variables.key?(name) || nil
      end

      # @param _name [String]
      # @return [Boolean] whether this table itself has the variable
      def bound?(_name)
        false
      end

      # @param target [Hash{String=>Object}]
      # @param include_undef [Boolean] whether variables that are undef are wanted, too
      # @return [Hash{String=>Object}] the same Hash, with the variables
      def add_entries_to(target = {}, include_undef = false)
        target.merge!(variables(include_undef))
      end

      # @raise [UnavailableError] always
      def []=(name, _value)
        raise UnavailableError, "Setting $#{name} in a table of variables"
      end

      # @raise [UnavailableError] always
      def delete(name)
        raise UnavailableError, "Deleting $#{name}"
      end

      private

      def variables(include_undef = true)
        @scope ? @scope.to_hash(false, include_undef) : {}
      end
    end

    # A table of a scope, function or lambda.
    class LocalScope < Ephemeral
      # (see Ephemeral#is_local_scope?)
      def is_local_scope?
        true
      end

      # @param name [String]
      # @return [Boolean] whether the scope itself has the variable
      def bound?(name)
        @scope&.bound?(name) || false
      end
    end

    # A table of the groups of a match.
    class MatchScope < Ephemeral
      # (see Ephemeral#[])
      def [](name)
        group?(name) ? @scope&.lookupvar(name) : super
      end

      # (see Ephemeral#include?)
      def include?(name)
        bound?(name) || super
      end

      # @param name [String]
      # @return [Integer, nil] 0 for the number of a group if there was a match
      def bound?(name)
        group?(name) && @scope&.lookupvar("0") && 0
      end

      private

      def group?(name)
        name.match?(/\A\d+\z/) || nil
      end
    end
  end
end
