# frozen_string_literal: true

module Puppetfn
  # A function that is written in the Puppet language.
  class CodeFunction
    include ClassOfFunction

    # @return [String]
    attr_reader :name

    # @return [Array<Signature>]
    attr_reader :signatures

    # @param name [String]
    # @param signatures [Array<Signature>]
    # @param runtime [Runtime]
    def initialize(name, signatures, runtime)
      @name = name
      @signatures = signatures
      @runtime = runtime
    end

    # Calls the function.
    #
    # @param _scope [Scope] the caller's scope; the function sees the top scope
    # @param args [Array<Object>]
    # @return [Object]
    # @raise [ArgumentError] when it does not accept the arguments
    def call(_scope, *args, &block)
      @runtime.evaluator.call(name, args, block)
    end
  end
end
