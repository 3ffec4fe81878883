# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pal
      # The context that {Pal.in_environment} sets for the length of a block.
      #
      # @api private
      class Context
        CURRENT = :__puppetfn_pal__
        private_constant :CURRENT

        # Puppet's names for parts of it.
        NAMES = {pal_env: :environment, pal_facts: :facts, pal_variables: :variables, pal_current_node: :node}.freeze

        # The node, with the attributes that code asks for.
        Node = Struct.new(:name, :environment)

        class << self
          # @return [Context, nil]
          def current
            Thread.current[CURRENT]
          end

          # @return [Context]
          # @raise [Puppet::Context::UndefinedBindingError] outside of all environments
          def current!
            current or raise Puppet::Context::UndefinedBindingError, "Unable to lookup 'pal_env'"
          end
        end

        # @return [Environment]
        attr_reader :environment

        # @return [String, nil] the manifest that the environment is configured to have
        attr_reader :manifest

        # @return [Hash, nil]
        attr_reader :facts

        # @return [Hash]
        attr_reader :variables

        def initialize(environment, facts:, variables:, manifest: nil)
          @environment = environment
          @manifest = manifest
          @facts = facts
          @variables = variables
        end

        # @return [Node]
        def node
          @node ||= Node.new(Runtime.process.node_name, environment)
        end

        # Makes this the context for the length of a block.
        def during
          before = Thread.current[CURRENT]
          begin
            Thread.current[CURRENT] = self
            yield
          ensure
            Thread.current[CURRENT] = before
          end
        end
      end
    end
  end
end
