# frozen_string_literal: true

module Puppetfn
  class Scope
    # Questions about a scope and the definitions that its code can use, which Puppet's `Puppet::Parser::Scope` answers.
    module Queries
      # Answers of the class itself.
      module ClassMethods
        # @param value [Object]
        # @return [Boolean] whether the language of Puppet 3 counts a value as true
        def true?(value)
          !["", :undef].include?(value) && (value ? true : false)
        end

        # @param value [Object]
        # @return [Integer, Float, nil] the number that a text or number is
        def number?(value)
          return value if value.is_a?(Numeric)
          return unless value.is_a?(String)

          case value
          when /\A[-+]?0[xX]\h+\z/, /\A[-+]?0[0-7]+\z/ then Integer(value)
          when /\A[-+]?(?:0|[1-9]\d*)\z/ then Integer(value, 10)
          when /\A[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?\z/ then Float(value)
          end
        end
      end

      # @param name [String]
      # @return [Object, nil] the value of a variable with a namespace
      def lookup_qualified_variable(name, options = {})
        lookupvar("::#{name.delete_prefix("::")}", options)
      end

      # @param klass [String, #name] a class
      # @return [Scope, nil] the scope of a class that was evaluated
      def class_scope(klass)
        klass = klass.name if klass.respond_to?(:name)
        number = runtime.evaluator.class_scope(klass.to_s.delete_prefix("::")) if klass
        runtime.scope_numbered(number) if number
      end

      # @return [Boolean]
      def is_classscope?
        resource&.type == "Class" && !main?
      end

      # @return [Boolean]
      def is_nodescope?
        resource&.type == "Node"
      end

      # @return [String, nil] the module of the scope around this one
      def parent_module_name
        parent&.source&.module_name
      end

      # @yieldparam scope [Scope] the top scope
      # @return [Object] the block's result
      def with_global_scope
        yield find_global_scope
      end

      # Calls a block, whose matches of regular expressions are not seen after it.
      #
      # @return [Object] the block's result
      def with_guarded_scope
        yield
      end

      # @return [Scope, nil]
      def enclosing_scope
        parent
      end

      # @return [Integer] how many sets of variables the scope has: one, outside of functions and lambdas
      # @raise [UnavailableError] where functions, lambdas or matches have added sets
      def ephemeral_level
        return 1 unless runtime.evaluated? && (runtime.evaluator.caller_local? || variable_of_caller("0")&.first)

        raise UnavailableError, "Scope#ephemeral_level in functions, lambdas and after matches"
      end

      # @param use_ephemeral [Boolean] whether the groups of a match belong to the table
      # @return [Ephemeral] the variables of the scope alone, to read
      def effective_symtable(use_ephemeral)
        (use_ephemeral ? MatchScope : LocalScope).new(self)
      end

      # @return [Scope, nil] scope of the parent class
      def inherited_scope
        outer = parent if is_classscope?
        outer if outer&.is_classscope?
      end

      # @param name [String]
      # @return [Puppet::Resource::Type, nil] the defined type or class of this name
      def lookuptype(name)
        known_resource_types.definition(name) || known_resource_types.hostclass(name)
      end

      # @param name [String]
      # @return [Puppet::Resource::Type, nil] the class of this name
      def find_hostclass(name)
        known_resource_types.hostclass(name)
      end

      # @param name [String]
      # @return [Puppet::Resource::Type, nil] the defined type of this name
      def find_definition(name)
        known_resource_types.definition(name)
      end

      # @!method find_resource_type(*args)
      #   @raise [Puppet::DevError] always, as in Puppet
      # @!method find_builtin_resource_type(*args)
      #   @raise [Puppet::DevError] always, as in Puppet
      # @!method find_defined_resource_type(*args)
      #   @raise [Puppet::DevError] always, as in Puppet
      # @!method resolve_type_and_titles(*args)
      #   @raise [Puppet::DevError] always, as in Puppet
      %i[find_resource_type find_builtin_resource_type find_defined_resource_type resolve_type_and_titles].each do |name|
        define_method(name) do |*|
          raise Puppet::DevError,
            "Scope##{name}() is no longer supported, use Puppet::Pops::Evaluator::Runtime3ResourceSupport instead"
        end
      end

      # @param text [Object]
      # @param value [Object]
      # @return [Object] another value for undef
      def undef_as(text, value)
        value.nil? || value == :undef ? text : value
      end

      private

      def main?
        resource&.title.to_s == "main"
      end

      def known_resource_types
        runtime.known_resource_types
      end
    end
  end
end
