# frozen_string_literal: true

require_relative "function_wrapper"

module Puppetfn
  module RSpec
    # Groups that describe a function.
    module FunctionExampleGroup
      include FunctionMatchers
      include ManifestMatchers
      include Support

      # @return [FunctionWrapper, nil] the function
      def subject
        @subject ||= find_function
      end

      # @param name [String]
      # @return [FunctionWrapper, nil] nil when there is no such function
      def find_function(name = self.class.top_level_description)
        function = runtime.loader.load(:function, name)
        if function
          FunctionWrapper.new(name, function, runtime)
        elsif Puppet::Parser::Functions.function(name)
          LegacyFunctionWrapper.new(name, scope.method(:"function_#{name}"))
        end
      end

      # Calls another function.
      #
      # @param name [String]
      # @param args [Array<Object>] the arguments, one by one
      # @return [Object]
      def call_function(name, *args)
        scope.call_function(name, args)
      end

      private

      def default_nodename
        Puppet[:certname]
      end

      # rspec-puppet does not tell functions the parameters of the node, nor external data that is trusted.
      def node_of_example
        Node.new(self, nodename, environment.to_s, facts_only: true)
      end

      # Manifests count where a group has no code of its own.
      def declarations
        code = code_of(:pre_condition)
        [code.nil? || code.empty? ? Settings.manifests(self) : [], code]
      end
    end
  end
end
