# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Leaves catalogs to Puppet whose functions have effects outside of them. Functions of the 3.x API that functions and templates
      # call as methods of a scope, as in `scope.function_template(["m/t.erb"])`, count too: Puppet calls them without a loader.
      class EffectGuard
        # Functions that come with Puppet: puppetfn's are called in their place.
        BUILT_IN = LegacyFunctions::PuppetsOwn.built_in_names.to_h { |name| [name.to_s, true] }.freeze
        private_constant :BUILT_IN

        # @param compilation [Compilation]
        def initialize(compilation)
          @compilation = compilation
          @harmless = {}
        end

        # Has Puppet compile the catalog if a function, or one that it calls as a method of a scope, has effects outside of it, or asks
        # `frozen?`.
        #
        # @param name [String]
        # @param path [String, nil] of the file with its code
        # @return [void]
        # @raise [Declined]
        def expect_harmless(name, path)
          @compilation.decline("the function #{name}, which has effects") if Effects.in_file?(path)
          @compilation.decline("the function #{name}, which asks what is frozen") if LoadedFunction.looks_for_frozen?(path)
          @compilation.strict_settings.watch if Effects.on_strict?(path)
          expect_harmless_methods(Effects.called_in_file(path))
        end

        # Does the same for functions that are called as methods of a scope.
        #
        # @param names [Array<String>]
        # @return [void]
        # @raise (see #expect_harmless)
        def expect_harmless_methods(names)
          names.each do |name|
            next if BUILT_IN.key?(name) || @harmless.key?(name)

            @harmless[name] = true
            expect_harmless(name, file(name))
          end
        end

        private

        # Returns the file of a function, which is not loaded for that: code may ask whether it is.
        def file(name)
          environment = @compilation.environment
          loaded = ::Puppet::Parser::Functions.environment_module(environment)
          method = :"real_function_#{name}"
          return loaded.instance_method(method).source_location&.first if loaded.method_defined?(method)

          ::Puppet::Util::Autoload.get_file("puppet/parser/functions/#{name}", environment)
        end
      end
    end
  end
end
