# frozen_string_literal: true

require "delegate"

module Puppetfn
  # A catalog without some of its resources, and without virtual ones. The others are copies, as in Puppet: they have the values that
  # their titles give as parameters.
  class FilteredCatalog < SimpleDelegator
    include Enumerable

    # @param catalog [Catalog]
    # @yieldparam resource [Puppet::Resource]
    # @yieldreturn [Boolean] whether the resource is left out
    def initialize(catalog)
      super(catalog)
      @resources = catalog.resources.reject { |resource| (resource.virtual? && !resource.exported?) || yield(resource) }.map(&:copy_as_resource)
      @references = @resources.to_h { |resource| [resource.ref, resource] }
    end

    # @return [Array<Puppet::Resource>]
    attr_reader :resources
    alias vertices resources

    # @yieldparam resource [Puppet::Resource]
    def each(&block)
      @resources.each(&block)
    end

    # @param type [String]
    # @param title [String, nil]
    # @return [Puppet::Resource, nil]
    def resource(type, title = nil)
      found = __getobj__.resource(type, title)
      found && @references[found.ref]
    end

    # @return [Array<Array(String, String)>]
    def resource_keys
      @resources.map { |resource| [resource.type, resource.title] }
    end

    # @return [Array<Catalog::Edge>] the edges between the resources
    def edges
      __getobj__.edges.select { |edge| [edge.source, edge.target].all? { |resource| @references.key?(resource.to_s) } }
    end

    # @yieldparam resource [Puppet::Resource]
    # @return [FilteredCatalog]
    def filter(&block)
      FilteredCatalog.new(self, &block)
    end

    # @return [RalCatalog]
    # @raise [Puppet::ResourceError] if a resource is wrong
    def to_ral
      RalCatalog.new(self, runtime)
    end

    # @api private
    # @return [Array(Array<Puppet::Resource, nil>, Array<Array(Integer, Integer)>)] as {Catalog#snapshot}
    def snapshot
      declared, edges = __getobj__.snapshot
      [declared.map { |resource| resource if resource && @references.key?(resource.ref) }, edges]
    end
  end
end
