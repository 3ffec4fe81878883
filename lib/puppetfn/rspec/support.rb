# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The common methods of all example groups of rspec-puppet.
    module Support
      include GenericMatchers

      # @return [Object] the place where rspec-puppet keeps its set-up
      attr_accessor :adapter

      # @return [String] the name of the environment
      def environment
        "rp_env"
      end

      # @return [String] the described name, in lower case
      def class_name
        self.class.top_level_description.downcase
      end

      # @return [String] the name of the node
      def nodename(_type = nil)
        Settings.given?(self, :node) ? node : default_nodename
      end

      # Returns the facts that code sees if the node has this name.
      #
      # @param node [String]
      # @return [Hash{String=>Object}]
      def facts_hash(node)
        Node.new(self, node, environment.to_s).facts.dup
      end

      # @return [Hash{String=>Object}] the variables that the node has beside its facts
      def node_params_hash
        Node.new(self, nodename, environment.to_s).parameters
      end

      # @return [Hash{String=>Object}] the extensions of the node's certificate
      def trusted_facts_hash(_node = nil)
        Node.new(self, nodename, environment.to_s).trusted.fetch("extensions")
      end

      # @return [Hash{String=>Object}] the value of `$trusted["external"]`
      def trusted_external_data_hash
        Node.new(self, nodename, environment.to_s).trusted.fetch("external")
      end

      # @return [Scope] the top scope
      def scope
        runtime.scope
      end

      # @return [Catalog] the catalog of the declarations
      def catalogue
        runtime.compiler.catalog
      end

      # Puts a mock in place of a function of any kind, for this example.
      #
      # @param name [String]
      # @yield the body of the function
      # @return [FunctionMock]
      def mock_function(name, &answer)
        FunctionMock.new(name, &answer).tap { |mock| ExampleRuntime.current.mock(mock) }
      end

      # Returns a reference to a resource, as a value for the Puppet language.
      #
      # @param type [String]
      # @param title [String]
      # @return [RawString]
      def ref(type, title)
        RawString.new("#{type}['#{title}']")
      end

      # @param value [Object]
      # @return [Sensitive]
      def sensitive(value)
        Sensitive.new(value)
      end

      private

      # Returns the runtime of the example, which has its node from now on.
      def runtime
        @runtime ||= ExampleRuntime.current.prepare(node_of_example, *declarations)
      end

      def node_of_example
        Node.new(self, nodename, environment.to_s)
      end

      # Returns the manifests and the code that come first.
      def declarations
        [Settings.manifests(self), code_of(:pre_condition)]
      end

      def code_of(name)
        code = public_send(name) if Settings.given?(self, name)
        Array(code).compact.join("\n") unless code.nil?
      end
    end
  end
end
