# frozen_string_literal: true

module Puppetfn
  module Puppet
    # The node that a catalog is made for.
    class Node
      extend StandIn

      # The facts of a node.
      class Facts
        # @return [String] the name of the node
        attr_accessor :name

        # @return [Hash{String=>Object}]
        attr_accessor :values

        # @param name [String]
        # @param values [Hash{String=>Object}]
        def initialize(name, values = {})
          @name = name
          @values = values
        end

        # @return [Hash{String=>Object}]
        def to_data_hash
          {"name" => name, "values" => values}
        end
      end

      # An environment, under the name that Puppet has for it.
      Environment = Puppetfn::Environment

      # @return [String]
      attr_reader :name

      # @return [Array<String>, Hash{String=>Hash}] classes that a node classifier named
      attr_accessor :classes

      # @return [Hash{String=>Object}] variables of the top scope: facts, and parameters of a node classifier
      attr_reader :parameters

      # @return [Facts, nil]
      attr_reader :facts

      # @return [nil]
      attr_reader :source

      # @return [Hash{String=>Object}]
      attr_accessor :trusted_data

      # @return [Environment]
      attr_reader :environment

      # Returns the node of a runtime.
      #
      # @api private
      # @param runtime [Runtime]
      # @return [Node]
      def self.of(runtime)
        scope = runtime.scope
        parameters = scope.node_parameters.merge("environment" => runtime.environment.to_s, **scope.facts)
        new(runtime.node, environment: runtime.environment, classes: runtime.node_classes, parameters: parameters,
          facts: Facts.new(runtime.node, scope.facts)).tap { |node| node.trusted_data = scope.trusted }
      end

      # @param name [String]
      # @param options [Hash] `:classes`, `:parameters`, `:facts` and `:environment`
      def initialize(name, options = {})
        raise ArgumentError, "Node names cannot be nil" unless name

        @name = name
        @classes, @parameters, @facts, @environment = options.values_at(:classes, :parameters, :facts, :environment)
        @classes ||= []
        @classes = [@classes] if @classes.is_a?(String)
        @parameters ||= {}
      end

      # @return [Hash{String=>Object}]
      def server_facts
        @server_facts ||= {}
      end

      # @return [Symbol]
      def environment_name
        environment&.name
      end

      # @return [Boolean]
      def has_environment_instance?
        !@environment.nil?
      end

      # Adds parameters that are not there yet.
      #
      # @param params [Hash{String=>Object}]
      # @return [void]
      def merge(params)
        @parameters = params.merge(@parameters)
      end

      # @return [Array<String>] names by which node definitions may know it
      def names
        [name]
      end

      # @return [Hash{String=>Object}]
      def to_data_hash
        {"name" => name, "environment" => environment_name.to_s, "classes" => classes, "parameters" => parameters}
      end
    end
  end
end
