# frozen_string_literal: true

require "set"

module Puppetfn
  module RSpec
    # The order of the resources of a catalog, as far as rspec-puppet looks: at their own parameters, at relationships that
    # their types add, and at their containers.
    #
    # @api private
    class Relationships
      # Methods with the relationships that types add, by the parameter with the same meaning.
      AUTOMATIC = {
        before: :eachautobefore, notify: :eachautonotify, require: :eachautorequire, subscribe: :eachautosubscribe
      }.freeze
      private_constant :AUTOMATIC

      # @param catalog [Catalog]
      def initialize(catalog)
        @catalog = catalog
        @named = {}
        @reached = {}
      end

      # @param resource [Puppet::Resource]
      # @param other [String, Puppet::Resource]
      # @return [Boolean]
      def that_comes_before(resource, other)
        precedes?(resource, find(other))
      end

      # (see #that_comes_before)
      def that_requires(resource, other)
        precedes?(find(other), resource)
      end

      # (see #that_comes_before)
      def that_notifies(resource, other)
        notifies?(resource, find(other))
      end

      # (see #that_comes_before)
      def that_subscribes_to(resource, other)
        notifies?(find(other), resource)
      end

      private

      # Subscriptions of the latter are ignored: rspec-puppet looks at the former's.
      def precedes?(first, second)
        pairs(first, second) do |former, latter|
          before = reached(former, :before) | reached(former, :notify)
          required = reached(latter, :require) | reached(former, :subscribe)
          before.include?(latter.to_ref) || required.include?(former.to_ref) || before.intersect?(required)
        end
      end

      def notifies?(first, second)
        pairs(first, second) do |former, latter|
          reached(former, :notify).include?(latter.to_ref) || reached(latter, :subscribe).include?(former.to_ref)
        end
      end

      # Returns whether something is true of the resources, or of any that contain them.
      def pairs(first, second, &block)
        return false if first.nil? || second.nil?

        with_containers(first).product(with_containers(second)).any?(&block)
      end

      # Returns the references that a resource leads to by parameters of one kind.
      def reached(resource, kind)
        @reached[[resource.to_ref, kind]] ||= Set.new.tap { |found| follow(resource, kind, found, Set.new) }
      end

      def follow(resource, kind, found, seen)
        return unless seen.add?(resource.to_ref)

        [resource[kind]].flatten.compact.each do |other|
          target = find(other)
          found << (target ? target.to_ref : other.to_s)
          next unless target

          found.merge(other_names(target))
          follow(target, kind, found, seen)
        end
        automatic(resource, kind).each do |reference|
          found << reference
          target = find(reference)
          follow(target, kind, found, seen) if target
        end
      end

      def other_names(resource)
        resource.resource_type ? ["#{resource.type}[#{resource.uniqueness_key.first}]"] : []
      end

      def automatic(resource, kind)
        type = resource.resource_type or return []
        references = []
        type.public_send(AUTOMATIC.fetch(kind)) do |other, block|
          @instances ||= {}
          instance = @instances[resource.to_ref] ||= resource.to_ral
          Array(instance.instance_eval(&block)).compact.each { |title| references << "#{other.to_s.capitalize}[#{title}]" }
        end
        references
      end

      # Specs may call a resource by its name.
      def find(other)
        reference = other.respond_to?(:to_ref) ? other.to_ref : other.to_s
        @named.fetch(reference) { @named[reference] = @catalog.resource(reference) || by_name(reference) }
      end

      def by_name(reference)
        type, name = Puppet::Resource.type_and_title(nil, reference)
        @catalog.resources.find do |resource|
          resource.type == type && resource.resource_type && resource.uniqueness_key.first == name
        end
      end

      def with_containers(resource)
        @containers ||= @catalog.edges.to_h { |edge| [edge.target.to_ref, edge.source] }
        containers = [resource]
        while (container = @containers[containers.last.to_ref]) && containers.none? { |known| known.to_ref == container.to_ref }
          containers << container
        end
        containers
      end
    end
  end
end
