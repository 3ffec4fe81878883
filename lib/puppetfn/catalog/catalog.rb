# frozen_string_literal: true

module Puppetfn
  # The class below has Puppet's name for it.
  const_set(:Catalog, Puppet.const_set(:Resource, Class.new).const_set(:Catalog, Class.new))

  # The resources of a node, as code has declared them.
  #
  # @example
  #   runtime = Puppetfn::Runtime.new(node: "web1")
  #   runtime.evaluate_string("notify { 'hi': }")
  #   runtime.catalog.resource("Notify[hi]").tags.to_a  # => ["notify", "hi", "class"]
  #
  # A function that asks for the catalog sees it as it is at that moment.
  class Catalog
    include CatalogWrites
    include Enumerable

    # A resource, and one that it contains.
    Edge = Struct.new(:source, :target) do
      # @return [String]
      def to_s = "#{source} => #{target}"
    end

    class << self
      # Creates a catalog. One without a runtime, as specs of types make it, has instances of resource types.
      #
      # @param arguments [Array<Object>] the runtime; or the name of a node and its environment, neither of which is needed
      # @return [Catalog, RalCatalog]
      # @yieldparam catalog [RalCatalog]
      def new(*arguments, &block)
        equal?(Catalog) && !arguments.first.is_a?(Runtime) ? RalCatalog.empty(*arguments, &block) : super
      end
    end

    # @return [Runtime] that compiles the catalog
    attr_reader :runtime

    # @param runtime [Runtime]
    def initialize(runtime)
      @runtime = runtime
    end

    # @return [String] the name of the node
    def name
      @runtime.node
    end

    # @return [String] the name of the environment
    def environment
      @runtime.environment.to_s
    end

    # @return [Environment]
    def environment_instance
      @runtime.environment
    end

    # All resources, including virtual ones, in the order in which they were declared.
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
      # The class of the top level has an empty name in the core.
      known = evaluator.resource(type, type == "Class" && title == :main ? "" : title.to_s)
      declared(known[:type], known[:title]) if known
    end

    # @return [Array<Array(String, String)>] the type and title of each resource
    def resource_keys
      evaluator.resources
    end

    # @return [Array<Edge>] containment edges
    def edges
      evaluator.edges.map { |ends| Edge.new(*ends.map { |type, title| declared(type, title) }) }
    end

    # @return [Array<String>] the names of the classes that were evaluated
    def classes
      evaluator.classes
    end

    # @return [Puppet::Util::TagSet] tags of the catalog as a whole: the names of its classes among them
    def tags
      Puppet::Util::TagSet.new(evaluator.catalog_tags)
    end

    # @param tags [Array<String>]
    # @return [Boolean] whether the catalog has one of the tags
    def tagged?(*tags)
      tags.flatten.any? { |tag| self.tags.include?(tag.to_s.downcase) }
    end

    # Returns the catalog as agents get it: hashes, arrays and the other values of JSON. Values that JSON does not have
    # become hashes that name their type, as `Puppet::Resource::Catalog#to_data_hash` has them with rich data.
    #
    #   runtime.evaluate_string("notify { 'hi': message => Timespan('1-00:00') }")
    #   notify = runtime.catalog.to_data_hash["resources"].last
    #   notify["parameters"]["message"]  # => {"__ptype"=>"Timespan", "__pvalue"=>"1-00:00:00.0"}
    #
    # @param virtual [Boolean] whether resources are wanted that are only virtual
    # @param version [Integer, String] version of the code
    # @return [Hash{String=>Object}]
    # @raise [Puppet::Error] for values that data cannot represent: types that contain themselves
    def to_data_hash(virtual: false, version: time_of_code)
      with_warnings(evaluator.catalog_data(environment, version, uuid, virtual))
    end

    # @return [String] the catalog as JSON, see {#to_data_hash}
    def to_json(*args)
      return with_warnings(evaluator.catalog_json(environment, time_of_code, uuid)) if args.compact.empty?

      require "json"
      JSON.generate(to_data_hash, *args)
    end

    # Draws the containment and the dependencies of the resources.
    #
    #   runtime.evaluate_string("file { '/a': } -> file { '/b': }")
    #   runtime.catalog.graph(format: :dot)[/.*->.*b.*/]  # => "  \"File[/a]\" -> \"File[/b]\";"
    #
    # @param options [Hash{Symbol=>Object}] options of {Graph.draw}
    # @return [String] SVG, if `format` does not say otherwise
    # @raise (see Graph.draw)
    def graph(**options)
      Graph.draw(self, **options)
    end

    # Tells why a resource is here, if {Runtime#keep_origins} was called before code was evaluated.
    #
    #   runtime.keep_origins
    #   runtime.evaluate_string("class ntp { file { '/etc/ntp.conf': } } include ntp", "site.pp")
    #   runtime.catalog.why("File[/etc/ntp.conf]")["chain"].map { |origin| origin["resource"] }  # => ["Class[Ntp]", "Class[main]"]
    #
    # @param reference [String] such as `File[/etc/motd]`
    # @return [Hash{String=>Object}] the output of `puppetfn why --format json`: `node`, `resource`, `chain` and
    #   `relations`, without Sensitive values
    # @raise [ArgumentError] when it is no reference
    # @raise [Puppet::Error] when there is no such resource, or its origin was not kept
    def why(reference)
      @runtime.activate { evaluator.why(reference.to_s) }
    end

    # Returns the edges of dependency cycles: see {Graph.cycle_edges}.
    #
    # @api private
    # @return [Array<Array<String>>]
    def cycle_edges
      @runtime.activate { evaluator.cycle_edges }
    end

    # Returns the relationships of a resource and of its containers, in the form of `relations` of {#why}.
    #
    # @api private
    # @param reference [String]
    # @return [Array<Hash{String=>Object}>]
    # @raise [Puppet::Error] if there is no such resource
    def relations(reference)
      @runtime.activate { evaluator.relations(reference.to_s) }
    end

    # Returns the resources as instances of their types, which check and munge the values.
    #
    #   runtime.evaluate_string("file { '/etc/motd': mode => '644' }")
    #   runtime.catalog.to_ral.resource("File[/etc/motd]")[:mode]  # => "0644"
    #
    # @return [RalCatalog]
    # @raise [Puppet::ResourceError] when a resource is wrong
    def to_ral
      RalCatalog.new(self, @runtime)
    end

    # @return [FilteredCatalog] the catalog with the values that titles give as parameters
    def to_resource
      filter { false }
    end

    # Returns the catalog without some resources, unlike `Enumerable#filter`.
    #
    # @yieldparam resource [Puppet::Resource]
    # @yieldreturn [Boolean] whether the resource is left out
    # @return [FilteredCatalog]
    def filter(&block)
      FilteredCatalog.new(self, &block)
    end

    # Returns a snapshot of all resources, independent of the catalog.
    #
    # @api private
    # @return [Array(Array<Puppet::Resource>, Array<Array(Integer, Integer)>)] the resources, and the containment edges
    #   as pairs of indices
    def snapshot
      described, edges = evaluator.snapshot
      named = {}.compare_by_identity
      resources = described.map do |known|
        resource = Puppet::Resource.described(known)
        Puppet::Parser::Resource.prepare(resource.parameters, named) unless resource.all_strings?
        resource
      end
      [resources, edges]
    end

    # @return [Integer] the time at which the version was first asked for, in seconds since 1970
    # @api private
    def time_of_code
      @time_of_code ||= Time.now.to_i
    end

    # @return [String] UUID of this catalog
    def uuid
      require "securerandom"
      @uuid ||= SecureRandom.uuid
    end

    # @return [String]
    def to_s
      "Catalog(#{name})"
    end
    alias inspect to_s

    private

    # Logs the warnings of a result.
    def with_warnings((result, warnings))
      warnings.each { |warning| @runtime.activate { Puppet.warning(warning) } }
      result
    end

    def evaluator
      @runtime.evaluator
    end

    def declared(type, title)
      Puppet::Parser::Resource.declared(@runtime, type, title)
    end
  end
end
