# frozen_string_literal: true

module Puppetfn
  # The resources of a node, as code has declared them.
  #
  #   runtime.evaluate_string("notify { 'hi': }")
  #   runtime.catalog.resource("Notify[hi]").tags  # => ["notify", "hi", "class"]
  #
  # A function that asks for the catalog sees it as it is at that moment.
  class Catalog
    include Enumerable

    # What contains what.
    Edge = Struct.new(:source, :target) do
      # @return [String]
      def to_s = "#{source} => #{target}"
    end

    # @param runtime [Runtime]
    def initialize(runtime)
      @runtime = runtime
    end

    # @return [String] the name of the node
    def name
      @runtime.node
    end

    # @return [Symbol] the name of the environment
    def environment
      @runtime.environment.name
    end

    # @return [Environment]
    def environment_instance
      @runtime.environment
    end

    # All resources, in the order in which they were declared, also those that are virtual.
    #
    # @return [Array<Puppet::Parser::Resource>]
    def resources
      evaluator.resources.map { |type, title| declared(type, title) }
    end
    alias vertices resources

    # @yieldparam resource [Puppet::Parser::Resource]
    def each(&block)
      resources.each(&block)
    end

    # @param type [String, #name] a type, or a reference such as `File[/tmp/x]` without a title
    # @param title [String, nil]
    # @return [Puppet::Parser::Resource, nil] the resource, if it is declared
    def resource(type, title = nil)
      type = type.name if type.respond_to?(:name)
      type, title = Puppet::Resource.type_and_title(type&.to_s, title)
      known = evaluator.resource(type, title.to_s)
      declared(known[:type], known[:title]) if known
    end

    # @return [Array<Array(String, String)>] the type and title of each resource
    def resource_keys
      evaluator.resources
    end

    # Declares resources.
    #
    # @param resources [Array<Puppet::Resource>]
    # @return [void]
    # @raise [Puppet::Error] when one is declared already, or is of no type that there is
    def add_resource(*resources)
      resources.each { |resource| Puppet::Parser::Resource.declare(@runtime, resource) }
    end

    # Takes resources out of the catalog. What they have declared themselves stays.
    #
    # @param resources [Array<Puppet::Resource>] those that are not there count for nothing
    # @return [void]
    def remove_resource(*resources)
      resources.each { |resource| evaluator.remove(resource.type, resource.title.to_s) }
    end

    # @return [Array<Edge>] what contains what
    def edges
      evaluator.edges.map { |ends| Edge.new(*ends.map { |type, title| declared(type, title) }) }
    end

    # @return [Array<String>] the names of the classes that were evaluated
    def classes
      evaluator.classes
    end

    # @return [Array<String>] tags of the catalog as a whole: the names of its classes among them
    def tags
      evaluator.catalog_tags
    end

    # @param tags [Array<String>]
    # @return [Boolean] whether the catalog has one of the tags
    def tagged?(*tags)
      tags.flatten.any? { |tag| self.tags.include?(tag.to_s.downcase) }
    end

    def to_data_hash
      require_relative "pal/json_catalog_encoder"
      Puppet::Pal::CatalogData.new(evaluator, {}).to_h(virtual: false)
    end

    # @return [String]
    def to_s
      "Catalog(#{name})"
    end
    alias inspect to_s

    private

    def evaluator
      @runtime.evaluator
    end

    def declared(type, title)
      Puppet::Parser::Resource.declared(@runtime, type, title)
    end
  end
end
