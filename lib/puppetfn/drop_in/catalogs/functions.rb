# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # A function in Ruby that Puppet has loaded, as the code calls it that puppetfn evaluates.
      class LoadedFunction
        # Code that may behave differently with frozen arguments.
        LOOKS_FOR_FROZEN = /\bfrozen\?|\bFrozenError\b/
        private_constant :LOOKS_FOR_FROZEN

        @changing = {}
        @looking = {}

        # Whether the file that a method is from may change arguments in place.
        #
        # @param path [String, nil]
        # @return [Boolean]
        def self.changes_arguments?(path)
          return true unless path && File.file?(path)

          key = [path, File.mtime(path)]
          @changing.fetch(key) { @changing[key] = FunctionLoader.changes_in_place?(RegularFile.read(path)) }
        end

        # Returns true if the file of a method has code that may behave differently with frozen arguments.
        #
        # @param path [String, nil]
        # @return [Boolean]
        def self.looks_for_frozen?(path)
          return false unless path && File.file?(path)

          key = [path, File.mtime(path)]
          @looking.fetch(key) { @looking[key] = RegularFile.read(path).scrub.match?(LOOKS_FOR_FROZEN) }
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
          expect_harmless
          values = @compilation.values
          arguments = values.to_puppet(arguments)
          arguments.each { |argument| changes_arguments? ? Values.freeze_strings(argument) : Values.freeze_data(argument) }
          scope = @compilation.lend_scope(scope)
          @compilation.strict_settings.expect_same_after do
            values.from_puppet(block ? landing { invoke(scope, arguments, values.block_to_puppet(block)) } : invoke(scope, arguments, nil))
          end
        end

        # @return [Boolean] whether it may change its arguments in place
        def changes_arguments?
          @changes_arguments = LoadedFunction.changes_arguments?(path) if @changes_arguments.nil?
          @changes_arguments
        end

        # Has Puppet compile the catalog, because its signatures have Puppet's types.
        #
        # @return [void]
        # @raise [Declined] always
        def dispatcher_for_deferred
          @compilation.decline("a Deferred call of the function #{@name}")
        end

        # Has Puppet compile the catalog if the file of the function has side effects, or asks `frozen?`.
        #
        # @return [void]
        # @raise [Declined]
        def expect_harmless
          @is_harmless ||= begin
            @compilation.effect_guard.expect_harmless(@name, path)
            true
          end
        end

        private

        def invoke(scope, arguments, block)
          @function.call(scope, *arguments, &block)
        end

        # Where a lambda leaves the code around it by `return` or `next`, functions of Puppet throw: the code receives it.
        def landing
          value = catch(:next) do
            jumper = catch(:return) { return yield }
            raise UncaughtThrowError.new(:return, jumper, "uncaught throw %p")
          end
          raise UncaughtThrowError.new(:next, value, "uncaught throw %p")
        end

        def path
          klass = @function.class
          # The caller of a function of the 3.x API is Puppet's.
          return legacy_path(klass.method3x) if klass < ::Puppet::Functions::Function3x

          klass.instance_methods(false).filter_map { |name| klass.instance_method(name).source_location&.first }.first
        end

        # Returns the file of the method that is the body of a function of the 3.x API, where it is of that function alone.
        def legacy_path(method)
          file, = ::Puppet::Parser::Functions.environment_module(@compilation.environment).instance_method(:"real_#{method}").source_location
          file if file&.end_with?("/parser/functions/#{@name}.rb")
        rescue NameError
          nil
        end
      end

      # A function of the 3.x API. It has no path if another file or a program has defined it.
      class LegacyFunction < LoadedFunction
        private

        def invoke(scope, arguments, block)
          mapped = ::Puppet::Pops::Evaluator::Runtime3FunctionArgumentConverter.map_args(arguments, scope, "")
          result = scope.public_send(@function, mapped, &block)
          result if ::Puppet::Parser::Functions.rvalue?(@name, scope.environment)
        end

        def path = legacy_path(@function)
      end

      # Before the methods by which functions ask where the code is that has called them.
      module Stack
        def stacktrace
          compilation = Compilation.current
          compilation ? compilation.runtime.evaluator.caller_places + super : super
        end

        def top_of_stack
          compilation = Compilation.current
          (compilation ? compilation.runtime.evaluator.caller_places.first : nil) || super
        end
      end

      # Before the methods by which functions of Puppet call others. puppetfn runs functions that come with Puppet, and
      # functions in the Puppet language, for its own catalogs.
      module Calls
        protected

        def internal_call_function(scope, function_name, arguments, &block)
          compilation = Compilation.current
          return super if compilation.nil?

          if compilation.in_ruby?(function_name.to_s, loader)
            compilation.expect_harmless(function_name.to_s, loader)
            return super
          end

          compilation.call_function(scope, function_name, arguments, &block)
        end
      end
    end
  end
end
