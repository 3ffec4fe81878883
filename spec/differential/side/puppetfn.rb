# frozen_string_literal: true

$LOAD_PATH.unshift(File.expand_path("../../../lib", __dir__))
require "puppetfn"

module Differential
  module Side
    # puppetfn behind the interface that Side::Puppet has.
    class Puppetfn
      def self.boot(modulepath: MODULEPATH, facts: FACTS, variables: VARIABLES)
        runtime = ::Puppetfn::Runtime.new(modulepath: modulepath, facts: facts, variables: variables, node: nil)
        # As on the other side: code is a script, and deprecations are no part of an answer.
        runtime.settings[:disable_warnings] = ["deprecations"]
        yield new(runtime)
      end

      def initialize(runtime)
        @runtime = runtime
      end

      def call_function(name, *args, &block)
        @runtime.call_function(name, *args, &block)
      end

      def evaluate(code)
        @runtime.evaluate_string(code)
      end

      def type(string)
        @runtime.compiler.type(string)
      end

      def type?(value)
        ::Puppetfn::Type === value
      end

      def sensitive_class
        ::Puppet::Pops::Types::PSensitiveType::Sensitive
      end

      def callables(name)
        @runtime.function_signature(name).callables.map(&:to_s)
      end

      def signatures(name)
        @runtime.function_signature(name).signatures.map { |signature| "(#{signature.signature_string})" }
      end

      def scope
        @runtime.scope
      end

      def strict=(level)
        @runtime.settings[:strict] = level
      end

      def capture_logs
        before = @runtime.logs.size
        value = yield
        [value, @runtime.logs.to_a[before..]]
      end
    end
  end
end
