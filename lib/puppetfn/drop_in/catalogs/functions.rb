# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # A function in Ruby that Puppet has loaded, as the code calls it that puppetfn evaluates.
      class LoadedFunction
        @changing = {}

        # Whether the file that a method is from may change arguments in place.
        #
        # @param path [String, nil]
        # @return [Boolean]
        def self.changes_arguments?(path)
          return true unless path && File.file?(path)

          key = [path, File.mtime(path)]
          @changing.fetch(key) { @changing[key] = FunctionLoader.changes_in_place?(File.read(path, mode: "rb")) }
        end

        # @param compilation [Compilation]
        # @param name [String]
        # @param function [::Puppet::Pops::Functions::Function]
        def initialize(compilation, name, function)
          @compilation, @name, @function = compilation, name, function
        end

        # @param scope [Puppetfn::Scope] of the caller
        # @param arguments [Array<Object>] values of puppetfn
        # @return [Object] a value of puppetfn
        def call(scope, *arguments, &block)
          values = @compilation.values
          arguments = values.to_puppet(arguments)
          values.from_puppet(invoke(@compilation.lend_scope(scope), arguments, values.block_to_puppet(block)))
        end

        # @return [Boolean] whether it may change its arguments in place
        def changes_arguments?
          @changes_arguments = self.class.changes_arguments?(path) if @changes_arguments.nil?
          @changes_arguments
        end

        private

        def invoke(scope, arguments, block)
          @function.call(scope, *arguments, &block)
        end

        def path
          klass = @function.class
          klass.instance_methods(false).filter_map { |name| klass.instance_method(name).source_location&.first }.first
        end
      end

      # A function of the 3.x API that has no file of its own: another file or a program has defined it.
      class LegacyFunction < LoadedFunction
        private

        def invoke(scope, arguments, block)
          mapped = ::Puppet::Pops::Evaluator::Runtime3FunctionArgumentConverter.map_args(arguments, scope, "")
          result = scope.public_send(@function, mapped, &block)
          result if ::Puppet::Parser::Functions.rvalue?(@name, scope.environment)
        end

        def path = nil
      end

      # Before the methods by which functions ask where the code is that has called them.
      module Stack
        def stacktrace
          compilation = Compilation.current
          compilation ? compilation.runtime.evaluator.caller_places + super : super
        end

        def top_of_stack
          stacktrace.first || []
        end
      end

      # Before the methods by which functions of Puppet call others: those that come with Puppet, and those in the Puppet
      # language, puppetfn runs for its own catalogs.
      module Calls
        protected

        def internal_call_function(scope, function_name, arguments, &block)
          compilation = Compilation.current
          return super if compilation.nil? || compilation.in_ruby?(function_name.to_s, loader)

          compilation.call_function(scope, function_name, arguments, &block)
        end
      end
    end
  end
end
