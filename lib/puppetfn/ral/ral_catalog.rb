# frozen_string_literal: true

module Puppetfn
  # The resources of a catalog as instances of their types: with values that were checked and munged, with defaults, and
  # with their containers.
  #
  #   ral = runtime.catalog.to_ral
  #   ral.resource("File[/etc/motd]")[:ensure]  # => :file
  #   ral.relationship_graph.cycles             # => []
  class RalCatalog
    include Enumerable

    # A resource, and one that it contains.
    Edge = Catalog::Edge

    # @return [String] the name of the node
    attr_reader :name

    # @return [Environment]
    attr_reader :environment_instance

    # @return [Array<Puppet::Type>] in the order in which they were declared
    attr_reader :resources
    alias vertices resources

    # @return [Array<Edge>] containment edges
    attr_reader :edges

    # @return [Array<String>]
    attr_reader :classes

    # @return [String, nil] the identifier of the code
    attr_reader :code_id

    # Creates a catalog without resources, in the runtime at work.
    #
    # @param name [String, nil] the name of the node
    # @param environment [Environment, nil]
    # @param code_id [String, nil]
    # @yieldparam catalog [RalCatalog]
    # @return [RalCatalog]
    def self.empty(name = nil, environment = nil, code_id = nil)
      runtime = Runtime.current!("Puppet::Resource::Catalog.new")
      environment = runtime.environment unless environment.is_a?(Environment)
      catalog = new(nil, runtime, name: name, environment: environment, code_id: code_id)
      yield catalog if block_given?
      catalog
    end

    # @param catalog [Catalog, nil] whose resources it has
    # @param runtime [Runtime]
    # @raise [Puppet::ResourceError] when a resource is wrong
    def initialize(catalog, runtime, name: catalog.name, environment: catalog.environment_instance, code_id: nil)
      @host_config = true
      @runtime = runtime
      @name = name
      @environment_instance = environment
      @code_id = code_id
      @classes = catalog ? catalog.classes : []
      @resources = []
      @edges = []
      @table = {}
      @around = {}.compare_by_identity
      @inside = {}.compare_by_identity
      running { build(catalog) } if catalog
    end

    # Specs know it as Puppet's class of catalogs.
    #
    # @param type [Module]
    # @return [Boolean]
    def is_a?(type)
      type.equal?(Catalog) || super
    end
    alias kind_of? is_a?

    # @return [RalCatalog] this
    def to_ral
      self
    end

    # Methods that only Puppet has. Without this, `filter` would be `Enumerable#filter`.
    #
    # @!method to_resource
    #   @raise [UnavailableError] always
    # @!method filter
    #   @raise [UnavailableError] always
    %i[to_resource filter].each do |name|
      define_method(name) { |*, **| raise UnavailableError, "Puppet::Resource::Catalog##{name}" }
    end

    # Applies the resources to this system.
    #
    # @option options [Puppet::Transaction::Report] :report
    # @yieldparam transaction [Puppet::Transaction]
    # @return [Puppet::Transaction]
    def apply(options = {})
      transaction = Puppet::Transaction.new(self, options[:report])
      begin
        transaction.report.as_logging_destination { transaction.evaluate }
      ensure
        Puppet::Util::Storage.store if host_config?
      end
      yield transaction if block_given?
      transaction
    end

    # Adds the names of classes.
    #
    # @param names [Array<String>]
    # @return [void]
    def add_class(*names)
      @classes |= names.map(&:to_s)
    end

    # Adds an edge.
    #
    # @param source [Puppet::Type] the container
    # @param target [Puppet::Type] the contained resource
    # @return [void]
    def add_edge(source, target)
      contain(source, target)
    end

    # Creates a resource and adds it.
    #
    # @param type [String, Symbol]
    # @param options [Hash] the parameters, with the title
    # @return [Puppet::Type]
    def create_resource(type, options)
      Puppet::Type.type(type).new(options).tap { |resource| add_resource(resource) }
    end

    # @yieldparam resource [Puppet::Type]
    def each(&block)
      @resources.each(&block)
    end

    # @param type [String, Symbol, Class<Puppet::Type>] a type, or a reference such as `File[/tmp/x]` without a title
    # @param title [String, nil]
    # @return [Puppet::Type, nil]
    def resource(type, title = nil)
      type, title = Puppet::Resource.type_and_title(type, title) unless type.is_a?(Class)
      name = type.is_a?(Class) ? type.reference_name : type
      title = title.to_s
      @table.dig(name, title) || by_other_form(type, name, title)
    end

    # @return [Array<Array(String, String)>] types with titles, and with the other keys that resources are found by
    def resource_keys
      @table.flat_map { |type, keys| keys.keys.map { |key| [type, *key] } }
    end

    # @return [Array<String>]
    def resource_refs
      resource_keys.filter_map { |type, title| "#{type}[#{title}]" if title.is_a?(String) }
    end

    # Adds a resource.
    #
    # @param resources [Array<Puppet::Type>]
    # @return [void]
    # @raise [Puppet::Resource::Catalog::DuplicateResourceError] when its type and title exist already
    # @raise [ArgumentError] when one of its other names exists already
    def add_resource(*resources)
      resources.each { |resource| add(resource) }
    end

    # Adds an alias of a resource.
    #
    # @param resource [Puppet::Type]
    # @param name [String, Array<Object>]
    # @return [void]
    # @raise [ArgumentError] when another resource has it
    def alias(resource, name)
      type, title = resource.reference
      return if name == title

      names = [name].flatten
      key = names.one? ? names.first : names
      known = (@table[type] ||= {})
      existing = (known[key] ||= resource)
      return if existing.equal?(resource)

      key = [type, *names]
      place = Puppet::Util::Errors.error_location_with_space(resource.file, resource.line)
      place = " at#{place}" unless place.empty?
      raise Error[ArgumentError], "Cannot alias #{resource.ref} to #{name.inspect}#{place}; resource #{key.inspect} already declared" \
                           "#{Puppet::Util::Errors.error_location_with_space(existing.file, existing.line)}"
    end

    # @param resource [Puppet::Type]
    # @param direction [:in, :out] the container, or the members
    # @return [Array<Puppet::Type>]
    def adjacent(resource, direction: :out)
      (direction == :in ? @around : @inside).fetch(resource, [])
    end

    # @param resource [Puppet::Type]
    # @return [Puppet::Type, nil]
    def container_of(resource)
      adjacent(resource, direction: :in).first
    end

    # @return [RelationshipGraph]
    # @raise [Puppet::Error] when a resource names one that is not there
    def relationship_graph
      @relationship_graph ||= running { RelationshipGraph.new(self) }
    end

    # Notifies all resources that the catalog is complete.
    #
    # @return [void]
    # @raise [Puppet::ResourceError] when one names another that is not there
    def finalize
      running { @resources.each(&:finish) }
    end

    # @return [Boolean] whether it is for the machine that the agent runs on
    attr_accessor :host_config
    alias host_config? host_config

    # @return [Symbol]
    def environment
      environment_instance.name
    end

    # @return [String]
    def to_s
      "#{self.class}(#{name})"
    end
    alias inspect to_s

    private

    def running(&block)
      @runtime.activate { @runtime.resource_types.hold(&block) }
    end

    def build(catalog)
      declared, edges = catalog.snapshot
      instances = declared.map { |resource| instance(resource) if resource && (!resource.virtual? || resource.exported?) }
      edges.each { |container, content| contain(instances[container], instances[content]) }
    end

    def instance(declared)
      declared.catalog = self
      declared.resource_type = (@types ||= {}).fetch(declared.type) { |name| @types[name] = Puppet::Type.type(name) }
      instance = declared.to_ral
      add(instance)
    end

    def add(resource)
      type, title = resource.reference
      known = (@table[type] ||= {})
      refuse_duplicate(resource, known[title]) if known.key?(title)
      known[title] = resource
      @resources << resource
      resource.catalog = self
      add_names(resource)
      resource
    end

    def contain(container, content)
      return unless container && content

      @edges << Edge.new(container, content)
      (@inside[container] ||= []) << content
      (@around[content] ||= []) << container
    end

    def add_names(resource)
      aliases(resource).each { |name| self.alias(resource, name) }
      return unless resource.isomorphic?

      key = resource.uniqueness_key
      self.alias(resource, key) unless key == [resource.title] || key.none?
    end

    # A type may have a parameter of its own that is called `alias`.
    def aliases(resource)
      given = resource.parameter(:alias)
      given&.metaparam? ? Array(given.value).flatten : []
    end

    # A title can be another form of the resource's name.
    def by_other_form(type, name, title)
      type = Puppet::Type.type(type) unless type.is_a?(Class)
      return if type.nil? || type.plan.titled

      values = type.parse_title(title)
      key = type.namevar ? values[type.namevar] : Puppet::Resource.new(name, title).uniqueness_key
      @table.dig(name, key) unless key == title || key == [title]
    end

    def refuse_duplicate(resource, existing)
      place = Puppet::Util::Errors.error_location_with_space(existing.file, existing.line)
      place = " at#{place}" unless place.empty?
      raise Puppet::Resource::Catalog::DuplicateResourceError,
            "Duplicate declaration: #{resource.ref} is already declared#{place}; cannot redeclare"
    end
  end
end
