# frozen_string_literal: true

require_relative "cycle"

module Puppetfn
  module RSpec
    # The catalog that examples see: complete, with values in place of deferred calls, and without merely virtual resources.
    #
    # Queries are cached, for many examples ask the same.
    class ExampleCatalog < Catalog
      # @return [Runtime] the runtime that compiled it
      attr_reader :runtime

      # The module whose resource coverage includes the catalog, or nil for all modules; false until it is included.
      #
      # @api private
      # @return [String, nil, false]
      attr_accessor :covered_as

      # @param runtime [ExampleRuntime] has compiled it
      # @param exported [Boolean] whether it is of the resources that are exported, and of nothing else
      def initialize(runtime, exported)
        super(runtime)
        @exported = exported
        @known = {}
        @deferred = Deferred.new(runtime)
        @covered_as = false
      end

      # To specs, this is Puppet's own class.
      #
      # @return [Class]
      def class
        Catalog
      end

      # (see #class)
      def instance_of?(type)
        type.equal?(Catalog)
      end

      # @return [String] the name of the environment
      def environment
        super.name
      end

      # @return [Integer] when it was first asked for, in seconds; manifests of modules have no version of their own
      def version
        @version ||= Time.now.to_i
      end

      # @return [Array<Puppet::Resource>]
      def resources
        @resources ||= snapshot.first.compact.freeze
      end
      alias vertices resources

      # Where the resources are declared, which costs less than the resources.
      #
      # @api private
      # @yieldparam type [String]
      # @yieldparam title [String]
      # @yieldparam file [String, nil]
      def each_place
        evaluator.overview.each do |type, title, file, virtual, exported|
          yield type, title, file if @exported ? exported : !virtual
        end
      end

      # (see Catalog#resource)
      def resource(type, title = nil)
        type = type.name if type.respond_to?(:name)
        type, title = Puppet::Resource.type_and_title(type&.to_s, title)
        @known.fetch([type, title]) { @runtime.activate { find(type, title.to_s) } }
      end

      # @return [Array<Array(String, String)>]
      def resource_keys
        resources.map { |resource| [resource.type, resource.title.to_s] }
      end

      # (see Catalog#edges)
      def edges
        @edges ||= begin
          resources, edges = snapshot
          edges.map { |ends| resources.values_at(*ends) }.select(&:all?).map { |ends| Edge.new(*ends) }.freeze
        end
      end

      # @param resource [Puppet::Resource]
      # @return [Puppet::Resource, nil] its container
      def container_of(resource)
        adjacent(resource, direction: :in).first
      end

      # @param resource [Puppet::Resource]
      # @param direction [:in, :out]
      # @return [Array<Puppet::Resource>] its members, or its containers
      def adjacent(resource, direction: :out)
        @adjacent ||= {out: edges.group_by { |edge| edge.source.ref }.transform_values { |found| found.map(&:target) },
                       in: edges.group_by { |edge| edge.target.ref }.transform_values { |found| found.map(&:source) }}
        @adjacent.fetch(direction).fetch(resource.ref, [])
      end

      # @param resource [Puppet::Resource]
      # @return [Hash{Puppet::Resource=>Integer}] its direct and indirect containers
      def upstream_from_vertex(resource)
        reached(resource, :in)
      end

      # @param resource [Puppet::Resource]
      # @return [Hash{Puppet::Resource=>Integer}] its direct and indirect members
      def downstream_from_vertex(resource)
        reached(resource, :out)
      end

      # (see Catalog#to_ral)
      def to_ral
        @runtime.resource_types.choose_providers_anew
        super
      end

      # Returns the cycles among the resources.
      #
      # @api private
      # @return [Array<Cycle>]
      # @raise [Puppet::Error] when a resource is not as its type wants it
      def cycles
        @cycles ||= Cycle.all(self)
      end

      # (see Catalog#snapshot)
      def snapshot
        @snapshot ||= @runtime.activate do
          resources, edges = super
          [resources.map { |resource| @known.fetch(key(resource)) { keep(resource) } }, edges]
        end
      end

      # @return [Relationships]
      def relationships
        @relationships ||= Relationships.new(self)
      end

      private

      # As Puppet has it: the values mean nothing.
      def reached(resource, direction)
        adjacent(resource, direction: direction).each_with_object({}) do |other, found|
          found[other] = 1
          found.update(reached(other, direction))
        end
      end

      # By its title, by another form of the title, or by an alias; not by a parameter that names it.
      def find(type, title)
        known = evaluator.resource(type, title)
        if known && known[:title] != title && !Array(known[:parameters]["alias"]).include?(title)
          known = nil
        end
        known ||= by_other_form(type, title)
        declared(known[:type], known[:title]) if known
      end

      def by_other_form(type, title)
        key = Puppet::Resource.new(type, title).uniqueness_key
        evaluator.resource(type, key.first) if key.one? && key != [title] && key.first.is_a?(String)
      end

      # As it is apart from the runtime that compiled it.
      def declared(type, title)
        @known.fetch([type, title]) { @runtime.activate { keep(super.detached) } }
      end

      # With values in place of deferred calls, or nil if examples do not see it.
      def keep(resource)
        @deferred.resolve_in(resource)
        resource.catalog = self
        @known[key(resource)] = (resource if @exported ? resource.exported? : !resource.virtual?)
      end

      def key(resource)
        [resource.type, resource.title.to_s]
      end
    end
  end
end
