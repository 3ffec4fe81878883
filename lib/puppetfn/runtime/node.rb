# frozen_string_literal: true

module Puppetfn
  class Runtime
    # The node that a catalog is made for, as functions ask for it.
    module NodeQueries
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

      private

      # Keeps the classes for {#node_classes}.
      def note_classes(classes)
        @node_classes = classes.all? { |_, given| given.empty? } ? classes.map(&:first) : classes.to_h
        classes
      end
    end

    include NodeQueries
  end
end
