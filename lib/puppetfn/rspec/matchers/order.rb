# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The order in which Puppet applies the resources of a catalog, from parameters, arrows, types and containers.
    #
    # {Relationships} has rspec-puppet's view, which lacks some relationships and has others that do not exist: too uncertain for negations.
    #
    # @api private
    class Order
      # @param catalog [Catalog]
      # @raise [Puppet::Error] if a resource is not as its type wants it
      def initialize(catalog)
        @ral = catalog.to_ral
        @graph = @ral.relationship_graph
        whit = Puppet::Type.type(:whit)
        @anchors = @graph.vertices.grep(whit).to_h { |vertex| [vertex[:name], vertex] }
      end

      # @param resource [Puppet::Resource]
      # @param other [String, Puppet::Resource]
      # @return [Boolean]
      def that_comes_before(resource, other)
        precedes?(resource, other)
      end

      # (see #that_comes_before)
      def that_requires(resource, other)
        precedes?(other, resource)
      end

      # (see #that_comes_before)
      def that_notifies(resource, other)
        notifies?(resource, other)
      end

      # (see #that_comes_before)
      def that_subscribes_to(resource, other)
        notifies?(other, resource)
      end

      private

      def precedes?(first, second)
        reaches?(end_of(first), start_of(second)) { |vertex| @graph.adjacent(vertex) }
      end

      def notifies?(first, second)
        reaches?(end_of(first), start_of(second)) { |vertex| notified.fetch(vertex, []) }
      end

      # Returns the vertices that are notified of changes, by vertex; the contents of containers are among them.
      def notified
        @notified ||= @graph.edges.select(&:callback).group_by(&:source).transform_values { |edges| edges.map(&:target) }.compare_by_identity
      end

      def reaches?(from, to)
        return false if from.nil? || to.nil?

        seen = {from => true}.compare_by_identity
        waiting = [from]
        while (vertex = waiting.shift)
          yield(vertex).each do |following|
            return true if following.equal?(to)

            waiting << following unless seen.key?(following)
            seen[following] = true
          end
        end
        false
      end

      # A container has two vertices.
      def start_of(resource)
        vertex("admissible", resource)
      end

      def end_of(resource)
        vertex("completed", resource)
      end

      def vertex(anchor, resource)
        found = @ral.resource(resource.respond_to?(:to_ref) ? resource.to_ref : resource.to_s) or return
        @anchors.fetch("#{anchor}_#{found.ref}", found)
      end
    end
  end
end
