# frozen_string_literal: true

module Puppetfn
  # The signatures of a function.
  class FunctionSignature
    # @return [String] the name of the function
    attr_reader :name

    # @return [Array<Signature>]
    attr_reader :signatures

    # @param function [Function, NativeFunction]
    def initialize(function)
      owner = function.is_a?(Function) ? function.class : function
      @name = owner.name
      @signatures = owner.signatures
    end

    # Returns true if the function accepts arguments.
    #
    # @example
    #   signature = Puppetfn::Runtime.new.function_signature("map")
    #   signature.callable_with?([[1, 2]], ->(x) { x })  # => true
    #   signature.callable_with?([[1, 2]])               # => false
    # @param args [Array<Object>]
    # @param block [Proc, nil]
    # @return [Boolean]
    def callable_with?(args, block = nil)
      signatures.any? { |signature| signature.callable_with?(args, block) }
    end

    # @return [Array<Type>] a Callable for each signature
    def callables
      signatures.map(&:type)
    end

    # @return [String] a line for each signature, as `name(String a, Integer b?)`
    def to_s
      signatures.map { |signature| "#{name}#{signature}" }.join("\n")
    end
  end
end
