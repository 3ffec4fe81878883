# frozen_string_literal: true

module Puppetfn
  class Runtime
    # The node of a catalog: its classes, for functions, and its name in errors.
    module CatalogNode
      # @api private
      # @return [Array<String>, Hash{String=>Hash}] classes that a node classifier named, with their parameters if any has some
      def node_classes
        @node_classes || []
      end

      # @api private
      # @return [Puppet::Resource::TypeCollection]
      def known_resource_types
        @known_resource_types ||= Puppet::Resource::TypeCollection.new(environment, self)
      end

      # @api private
      # @param name [String] of a class or defined type
      # @return [String] its module; empty for the main manifest
      def module_of(name)
        first = name[/\A[^:]+/].to_s
        environment.module(first) ? first : ""
      end

      # Adds the name of the node to errors and logs them, as Puppet's compiler does.
      #
      # @api private
      # @param name [String] the name of the node, which the runtime of a script does not know
      # @param log [Boolean] whether they are logged
      # @yieldreturn [Object]
      # @return [Object] the block's result
      def for_node(name = node, log: true)
        yield
      rescue Puppet::ParseErrorWithIssue => e
        e.node = name
        activate { Puppet.log_exception(e) } if log || lookup_failure?(e)
        raise
      rescue OperationError
        raise
      rescue StandardError => e
        message = "#{e} on node #{name}"
        activate { Puppet.log_exception(e, message) } if log
        raise Puppet::Error, message, e.backtrace
      end

      private

      # Gives the scope the facts of the server; by default the facts of this machine.
      def make_scope(facts:, variables:, server_facts:, **others)
        unless server_facts
          server_facts = Nodes.server_facts(environment.to_s, target.name)
          variables = server_facts.except("environment", *facts.keys).merge(variables)
        end
        Scope.new(self, facts: facts, variables: variables, server_facts: server_facts, **others)
      end

      # Returns true for an error of data that is logged without the name of the node, as Puppet's compiler does, besides the
      # failure that names it. One that names its file, or a mismatch of types, is shown once.
      def lookup_failure?(error)
        return false unless error.is_a?(Puppet::DataBinding::LookupError) && error.file.nil?

        !error.basic_message.match?(%r{(?:\A|[\s('"])/| has wrong type, })
      end

      # Keeps the classes for {#node_classes}.
      def note_classes(classes)
        @node_classes = classes.all? { |_, given| given.empty? } ? classes.map(&:first) : classes.to_h
        classes
      end
    end
  end
end
