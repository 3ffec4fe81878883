# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Functions
      # An injection that a function declares: the value of a binding, or the producer of its values.
      #
      # @api private
      class Injection
        # @param type [Type, String]
        # @param name [Symbol] of the parameter or attribute
        # @param key [String, nil]
        # @param loader [Loader, nil] finds the type aliases that the type may name
        # @param producer [Boolean] whether the producer is wanted instead of a value
        def initialize(type, name, key, loader, producer:)
          raise Puppetfn::Error[ArgumentError], "Injection name argument must be a Symbol. Got #{name.class}" unless name.is_a?(Symbol)

          @type = type.is_a?(Puppetfn::Type) ? type : parse(type, loader)
          @key = key
          @producer = producer
        end

        # @param loader [Loader, nil] the function's loader
        # @param scope [Scope]
        # @return [Object] the bound value, or its producer
        def fetch(loader, scope)
          injector = (loader&.runtime || Runtime.current!("The injection of objects")).injector
          @producer ? injector.lookup_producer(scope, @type, @key) : injector.lookup(scope, @type, @key)
        end

        private

        def parse(text, loader)
          unless text.is_a?(String)
            raise Puppetfn::Error[ArgumentError], "Injection 'type' must be a String reference to a Puppet Data Type. Got #{text.class}"
          end

          Puppetfn::Type.parse(text, loader)
        rescue ParseError => e
          raise Puppetfn::Error[ArgumentError], "Parsing of type string '\"#{text}\"' failed with message: <#{e.message}>.\n"
        end
      end

      # Declares attributes of a function that are injected.
      module InjectedAttributes
        # An attribute that holds a value which is bound in the runtime, looked up when it is first read.
        #
        # @param type [Type, String] the type that the value is bound to
        # @param attribute_name [Symbol] the name of the method that reads it
        # @param injection_key [String, nil] tells bindings of one type apart
        # @return [void]
        # @see Runtime#bind
        def attr_injected(type, attribute_name, injection_key = nil)
          injected_attribute(attribute_name, Injection.new(type, attribute_name, injection_key, loader, producer: false))
        end

        # An attribute that holds the {Injector::Producer} of values which are bound in the runtime.
        #
        # @param (see #attr_injected)
        # @return [void]
        # @see Runtime#bind_producer
        def attr_injected_producer(type, attribute_name, injection_key = nil)
          injected_attribute(attribute_name, Injection.new(type, attribute_name, injection_key, loader, producer: true))
        end

        private

        # Returns the type of hashes whose values are of a type.
        def hash_of(type)
          Pops::Types::TypeFactory.hash_of(type)
        end

        # Returns the type of the instances of a Ruby class, which may be given by its name.
        def type_of(ruby_class)
          Pops::Types::TypeFactory.type_of(ruby_class)
        end

        def injected_attribute(name, injection)
          define_method(name) do
            @injected ||= {}
            @injected.fetch(name) { @injected[name] = injected(injection, closure_scope) }
          end
        end
      end
    end
  end
end
