# frozen_string_literal: true

module Puppetfn
  # Writes of functions to the catalog. Unsupported ones are errors.
  module CatalogWrites
    # Attributes that the data of the catalog has.
    ATTRIBUTES = %i[name version code_id catalog_uuid catalog_format].freeze
    # Attributes that Puppet's compiler drops when it removes virtual resources.
    DROPPED = %i[client_version server_version from_cache host_config retrieval_duration].freeze
    # Mutating methods of Puppet's catalogs that puppetfn does not support.
    REFUSED = %i[add_resource_after add_resource_before add_vertex alias apply clear create_resource environment= environment_instance=
                 finalize metadata= recursive_metadata= remove_vertex! set_tags write_class_file write_graph write_resource_file].freeze
    private_constant :ATTRIBUTES, :DROPPED, :REFUSED

    DROPPED.each { |name| attr_accessor name }

    ATTRIBUTES.each do |name|
      define_method(:"#{name}=") do |value|
        evaluator.set_catalog_attribute(name.name, value)
        (@attributes ||= {})[name] = value
      end
    end

    REFUSED.each do |name|
      define_method(name) { |*| raise UnavailableError, "Puppet::Resource::Catalog##{name}" }
    end

    # @return [Object] the value that a function has set, or the time in seconds since 1970
    # @raise [UnavailableError] if a program of the environment determines the version
    def version
      return @attributes[:version] if @attributes&.key?(:version)
      raise UnavailableError, "The version of the catalog" unless @runtime.settings[:config_version].to_s.empty?

      time_of_code
    end

    # @return [String, nil]
    def code_id = @attributes&.[](:code_id)

    # Adds resources. As in Puppet, nothing contains them, and defined types are not evaluated.
    #
    # @param resources [Array<Puppet::Resource>]
    # @return [void]
    # @raise [Puppet::Error] when one is declared already, or its type does not exist
    # @see Compiler#add_resource
    def add_resource(*resources)
      resources.each { |resource| Puppet::Parser::Resource.add(@runtime, resource, nil) }
    end

    # Removes resources from the catalog. The resources that they have declared themselves stay.
    #
    # @param resources [Array<Puppet::Resource>] missing ones are ignored
    # @return [void]
    def remove_resource(*resources)
      resources.each do |resource|
        evaluator.remove(resource.type, resource.title.to_s)
        @runtime.declared_resources.delete([resource.type, resource.title.to_s])
      end
    end

    # Adds an edge.
    #
    # @param source [Puppet::Resource, Edge] the container
    # @param target [Puppet::Resource] the contained resource
    # @return [void]
    # @raise [Puppet::Error] when one of them is not in the catalog
    def add_edge(source, target = nil, _label = nil)
      source, target = source.source, source.target if target.nil?
      evaluator.add_edge(ends(source), ends(target))
    end
    alias add_relationship add_edge

    # Takes an edge away.
    #
    # @param edge [Edge]
    # @return [void]
    def remove_edge!(edge)
      evaluator.remove_edge(ends(edge.source), ends(edge.target))
    end

    # Adds names to the classes of the catalog, and their tags.
    #
    # @param names [Array<String>]
    # @return [void]
    # @raise [Puppet::Error] when one cannot be a tag
    def add_class(*names)
      names.each { |name| evaluator.add_class(name.to_s) }
    end

    # Tags the catalog as a whole.
    #
    # @param tags [Array<String>]
    # @return [void]
    # @raise [Puppet::Error] when one is not a tag
    def tag(*tags)
      evaluator.tag_catalog(tags)
    end

    # @raise [UnavailableError] always: tags of classes cannot be taken away
    # @api private
    def tags=(_tags)
      raise UnavailableError, "Puppet::Resource::Catalog#tags="
    end

    # Adds the tags of something else.
    def merge_tags_from(other)
      tag(*other.tags.to_a)
    end

    # @raise [UnavailableError] always
    # @api private
    def instance_variable_set(name, _value)
      raise UnavailableError, "The instance variable #{name} of a Puppet::Resource::Catalog"
    end

    # @raise [UnavailableError] always
    # @api private
    def instance_variable_get(name)
      raise UnavailableError, "The instance variable #{name} of a Puppet::Resource::Catalog"
    end

    private

    def ends(resource)
      title = resource.is_a?(Puppet::Parser::Resource) ? resource.evaluator_title : resource.title.to_s
      [resource.type, title]
    end
  end
end
