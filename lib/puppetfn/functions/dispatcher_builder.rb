# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Functions
      # The receiver of the blocks of `dispatch` and `argument_mismatch`.
      #
      # The parameters are declared from left to right. Types are given as type objects, or as text in the
      # syntax of the Puppet language; names are Symbols.
      class DispatcherBuilder < SignatureBuilder
        # @!method param(type, name)
        #   A parameter that must be given.

        alias required_param param

        # @!method optional_param(type, name)
        #   A parameter that may be left out, and all that follow it with it.

        # @!method repeated_param(type, name)
        #   The last parameter, which takes any number of arguments.

        alias optional_repeated_param repeated_param

        # @!method required_repeated_param(type, name)
        #   The last parameter, which takes one argument or more.

        # @!method block_param(type = "Callable", name = :block)
        #   A block that must be given.

        alias required_block_param block_param

        # @!method optional_block_param(type = "Callable", name = :block)
        #   A block that may be given.

        # @!method return_type(type)
        #   The type that results of the function are checked against.

        # An argument that callers do not give, and that is not part of the signature: a value that is bound in
        # the runtime.
        #
        # @param type [Type, String] the type that the value is bound to
        # @param name [Symbol] the name of the parameter
        # @param injection_key [String, nil] tells bindings of one type apart
        # @see Runtime#bind
        def injected_param(type, name, injection_key = nil)
          inject(Injection.new(type, name, injection_key, @loader, producer: false))
        end

        # An argument as {#injected_param} has it, but it is the {Injector::Producer} of the values.
        #
        # @see Runtime#bind_producer
        def injected_producer_param(type, name, injection_key = nil)
          inject(Injection.new(type, name, injection_key, @loader, producer: true))
        end
        alias injected_provider_param injected_producer_param

        # @param loader [Loader, nil] finds the type aliases that types may name
        def initialize(loader = nil)
          super
          @loader = loader
        end

        private :inject
      end

      # Adds arguments that functions may have injected, invisibly to their callers.
      class InternalDispatchBuilder < DispatcherBuilder
        # Adds the {Scope} of the caller.
        def scope_param
          inject(:scope)
        end

        # Adds a cache: `cache.retrieve(self)` is the same Hash in every call.
        def cache_param
          inject(:cache)
        end

        # Adds a compiler that makes a catalog. There is none where code is a script.
        def compiler_param
          inject(:pal_catalog_compiler)
        end

        # Adds a compiler for scripts.
        def script_compiler_param
          inject(:pal_script_compiler)
        end

        # Adds a compiler of either kind.
        def pal_compiler_param
          inject(:pal_compiler)
        end
      end
    end
  end
end
