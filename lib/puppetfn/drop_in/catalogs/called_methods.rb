# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Functions of the 3.x API that other functions and templates call as methods of a scope, as in
      # `scope.function_template(["m/t.erb"])`. Puppet calls them without a loader.
      class CalledMethods
        # Functions that come with Puppet: puppetfn's are called in their place.
        BUILT_IN = LegacyFunctions::PuppetsOwn.built_in_names.to_h { |name| [name.to_s, true] }.freeze
        private_constant :BUILT_IN

        # @param compilation [Compilation]
        def initialize(compilation)
          @compilation = compilation
          @harmless = {}
        end

        # Has Puppet compile the catalog if one of them, or one that these call, has effects outside of it, or asks `frozen?`.
        #
        # @param names [Array<String>]
        # @return [void]
        # @raise [Declined]
        def expect_harmless(names)
          names.each do |name|
            next if BUILT_IN.key?(name) || @harmless.key?(name)

            @harmless[name] = true
            check(name, file(name))
          end
        end

        private

        def check(name, path)
          @compilation.decline("the function #{name}, which has effects") if Effects.in_file?(path)
          @compilation.decline("the function #{name}, which asks what is frozen") if LoadedFunction.looks_for_frozen?(path)
          @compilation.strict_settings.watch if Effects.on_strict?(path)
          expect_harmless(Effects.called_in_file(path))
        end

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
