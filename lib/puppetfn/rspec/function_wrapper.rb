# frozen_string_literal: true

module Puppetfn
  module RSpec
    # A function, as the subject of examples.
    class FunctionWrapper
      # @return [String]
      attr_reader :func_name

      # @return [Function, NativeFunction, CodeFunction]
      attr_reader :func

      # @param name [String]
      # @param function [Function, NativeFunction, CodeFunction]
      # @param runtime [Runtime]
      def initialize(name, function, runtime)
        @func_name = name
        @func = function
        @runtime = runtime
      end

      # Calls the function. The arguments are frozen, as arguments from Puppet code often are.
      #
      # @param args [Array<Object>]
      # @yield the lambda that the function is given
      # @return [Object] the result of the function
      def execute(*args, &block)
        @runtime.activate { @func.call(@runtime.scope, *args.each { |arg| freeze_all(arg) }, &block) }
      end

      # @return [String]
      def inspect
        "#<#{self.class} #{func_name}>"
      end

      # @deprecated use {#execute}
      # @param _scope [Scope]
      # @param args [Array<Object>]
      # @return [Object]
      def call(_scope, *args)
        ::RSpec.deprecate("subject.call", replacement: "is_expected.to run.with().and_raise_error(), or execute()")
        execute(*args)
      end

      private

      def freeze_all(value)
        case value
        when Array then value.each { |element| freeze_all(element) }
        when Hash then value.each { |pair| freeze_all(pair) }
        when String # Frozen below.
        else return
        end
        value.freeze
      end
    end

    # A function of the 3.x API that a spec defined, as the subject of examples.
    class LegacyFunctionWrapper
      # @return [String]
      attr_reader :func_name

      # @param name [String]
      # @param function [Method] of a scope
      def initialize(name, function)
        @func_name = name
        @func = function
      end

      # @param args [Array<Object>]
      # @return [Object]
      def execute(*args)
        @func.call(args)
      end

      # @deprecated use {#execute}
      # @param args [Array<Object>]
      # @return [Object]
      def call(*args)
        ::RSpec.deprecate("subject.call", replacement: "is_expected.to run.with().and_raise_error(), or execute()")
        @func.call(*args)
      end
    end
  end
end
