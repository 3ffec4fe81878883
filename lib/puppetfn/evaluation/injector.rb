# frozen_string_literal: true

require "monitor"

module Puppetfn
  # The objects that are injected into functions, by type and key; see {Runtime#bind}.
  class Injector
    # Returns the values of a binding.
    class Producer
      # @param type [Type] the type of the values
      # @param label [String] the name of the binding in messages
      # @yieldparam scope [Scope] the scope of the function
      # @yieldreturn [Object] a value
      def initialize(type, label, &block)
        @type = type
        @label = label
        @block = block
      end

      # @param scope [Scope, nil] the scope of the function
      # @return [Object] the next value
      # @raise [Puppet::Pops::Types::TypeAssertionError] when it is not of the type that it is bound to
      def produce(scope = nil)
        value = @block.arity.zero? ? @block.call : @block.call(scope)
        @type.assert("what is bound to #{@label}", value)
      end
    end

    # Makes its value when it is first needed, and keeps it.
    class Singleton < Producer
      def initialize(...)
        super
        @lock = Monitor.new
      end

      # (see Producer#produce)
      def produce(scope = nil)
        @lock.synchronize do
          @value = super unless defined?(@value)
          @value
        end
      end
    end
    private_constant :Singleton

    def initialize
      @producers = {}
    end

    # Binds a value, which the block makes when it is first needed.
    #
    # @param type [Type]
    # @param key [String, nil]
    # @return [void]
    def bind(type, key, &block)
      add(Singleton, type, key, &block)
    end

    # Binds values, which the block makes each time that one is needed.
    #
    # @param type [Type]
    # @param key [String, nil]
    # @return [void]
    def bind_producer(type, key, &block)
      add(Producer, type, key, &block)
    end

    # @param scope [Scope] the scope of the function
    # @param type [Type]
    # @param key [String, nil]
    # @return [Object] a value of a binding
    # @raise [BindingError] when there is none
    def lookup(scope, type, key = nil)
      lookup_producer(scope, type, key).produce(scope)
    end

    # @param _scope [Scope] the scope of the function
    # @param type [Type]
    # @param key [String, nil]
    # @return [Producer] the producer of a binding's values
    # @raise [BindingError] when there is none
    def lookup_producer(_scope, type, key = nil)
      @producers.fetch([type, key.to_s]) { raise BindingError.new(type, key) }
    end

    private

    def add(kind, type, key, &block)
      raise Error[ArgumentError], "A block that gives what is bound is missing" unless block

      label = key.to_s.empty? ? type.to_s : "#{type} with the key '#{key}'"
      @producers[[type, key.to_s]] = kind.new(type, label, &block)
      nil
    end
  end
end
