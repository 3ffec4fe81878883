# frozen_string_literal: true

require "set"

module Puppetfn
  module RSpec
    # In which order the resources of a catalog are, as far as they say so themselves.
    #
    # A resource is also where the resources are that contain it: what comes before a class comes before all that
    # the class declares.
    #
    # @api private
    class Relationships
      # Where a parameter says that its resource comes first, and where it says that it comes last.
      FIRST = {before: :order, notify: :refresh}.freeze
      LAST = {require: :order, subscribe: :refresh}.freeze
      private_constant :FIRST, :LAST

      # @param catalog [Catalog]
      def initialize(catalog)
        @catalog = catalog
      end

      # @param resource [Puppet::Parser::Resource]
      # @param other [String, #to_ref]
      # @return [Boolean]
      def that_comes_before(resource, other)
        follows?(resource.to_ref, reference(other), %i[order refresh])
      end

      # (see #that_comes_before)
      def that_requires(resource, other)
        follows?(reference(other), resource.to_ref, %i[order refresh])
      end

      # (see #that_comes_before)
      def that_notifies(resource, other)
        follows?(resource.to_ref, reference(other), %i[refresh])
      end

      # (see #that_comes_before)
      def that_subscribes_to(resource, other)
        follows?(reference(other), resource.to_ref, %i[refresh])
      end

      private

      def follows?(first, last, kinds)
        goals = with_containers(last).to_set
        open = with_containers(first)
        seen = open.to_set
        until open.empty?
          found = open.flat_map { |reference| steps[reference].select { |kind, _| kinds.include?(kind) }.map(&:last) }
          return true if found.any? { |reference| goals.include?(reference) }

          open = found.uniq.flat_map { |reference| [reference, *contained[reference]] }.select { |reference| seen.add?(reference) }
        end
        false
      end

      # What directly follows each resource.
      def steps
        @steps ||= @catalog.resources.each_with_object(Hash.new { |steps, key| steps[key] = [] }) do |resource, steps|
          FIRST.each { |name, kind| references(resource, name) { |other| steps[resource.to_ref] << [kind, other] } }
          LAST.each { |name, kind| references(resource, name) { |other| steps[other] << [kind, resource.to_ref] } }
        end
      end

      def references(resource, name, &block)
        [resource[name]].flatten.compact.map { |other| reference(other) }.each(&block)
      end

      # As the catalog has it: specs may call a resource by its name.
      def reference(other)
        text = other.respond_to?(:to_ref) ? other.to_ref : other.to_s
        @catalog.resource(text)&.to_ref || text
      end

      def with_containers(reference)
        containers = [reference]
        while (container = containers_of[containers.last]) && !containers.include?(container)
          containers << container
        end
        containers
      end

      def containers_of
        @containers_of ||= @catalog.edges.to_h { |edge| [edge.target.to_ref, edge.source.to_ref] }
      end

      def contained
        @contained ||= @catalog.edges.group_by { |edge| edge.source.to_ref }
          .transform_values { |edges| edges.map { |edge| edge.target.to_ref } }.tap { |contained| contained.default = [] }
      end
    end
  end
end
