# frozen_string_literal: true

module Puppetfn
  module Terminus
    # Builds Puppet's catalog of the service's JSON, as Puppet's compiler would have returned it. Unlike `from_data_hash`, which agents
    # use, it keeps virtual resources and the node's environment, which filters, static catalogs and PuppetDB's terminus depend on.
    #
    # @api private
    class CatalogBuilder
      # The catalog has a value that Puppet does not read as the value that was written.
      class Unreadable < StandardError; end

      # The key of a value's type in rich data.
      RICH_KEY = "__ptype"
      # The names of types of types. Puppet 7 and 8 read them as other types.
      TYPE_PREFIX = "Pcore::"
      CLASS = "Class"
      STAGE = "Stage"
      # The titles of the resource for top-level code and of the stage that always exists are symbols in Puppet. The first is made of an empty text.
      MAIN = "main"
      MAIN_TITLES = {CLASS => "", STAGE => :main}.freeze
      private_constant :RICH_KEY, :TYPE_PREFIX, :CLASS, :STAGE, :MAIN, :MAIN_TITLES

      # @param environment [Puppet::Node::Environment]
      def initialize(environment)
        @environment = environment
        @definitions = {}
      end

      # @param data [Hash{String=>Object}] the catalog's JSON
      # @param is_rich [Boolean] whether values may be rich data
      # @return [Puppet::Resource::Catalog]
      # @raise [ArgumentError] if an edge names a resource that does not exist
      # @raise [Unreadable]
      def build(data, is_rich)
        context = {current_environment: @environment, rich_data: true}
        # Made once for each environment.
        context[:loaders] = Puppet::Pops::Loaders.new(@environment) if is_rich || isolated?
        Puppet.override(context, "For the catalog of #{data["name"]}") do
          catalog = Puppet::Resource::Catalog.new(data["name"], @environment)
          describe(catalog, data)
          add_edges(catalog, add_resources(catalog, data["resources"], is_rich), data["edges"] || [])
          catalog
        end
      end

      private

      def describe(catalog, data)
        catalog.tag(*data["tags"]) if data["tags"]
        catalog.version = data["version"] if data["version"]
        catalog.code_id = data["code_id"] if data["code_id"]
        catalog.catalog_uuid = data["catalog_uuid"] if data["catalog_uuid"]
        catalog.catalog_format = data["catalog_format"] if data["catalog_format"]
        catalog.add_class(*data["classes"]) if data["classes"]
      end

      def add_resources(catalog, resources, is_rich)
        resources.each_with_object({}) do |data, by_reference|
          resource = resource(data, is_rich)
          catalog.add_resource(resource)
          by_reference["#{data["type"]}[#{data["title"]}]"] = resource
        end
      end

      def add_edges(catalog, resources, edges)
        edges.each do |edge|
          source, target = edge.values_at("source", "target").map do |reference|
            resources[reference] || raise(ArgumentError, "there is no resource #{reference} for an edge")
          end
          catalog.add_edge(source, target)
        end
      end

      def resource(data, is_rich)
        resource = Puppet::Resource.allocate
        resource.environment = @environment
        type = resource_type(data)
        resource.resource_type = type if type
        changes = {"parameters" => {}}
        changes["title"] = MAIN_TITLES.fetch(data["type"], MAIN) if data["title"] == MAIN
        resource.initialize_from_hash(data.merge(changes))
        set_parameters(resource, data["parameters"], is_rich) if data["parameters"]
        resource.virtual = data["virtual"] == true
        resource
      end

      def set_parameters(resource, parameters, is_rich)
        is_rich &&= rich?(parameters)
        values = is_rich ? Puppet::Pops::Serialization::FromDataConverter.convert(parameters) : parameters
        values.each { |name, value| resource[name] = value }
        return if !is_rich || resource.to_data_hash["parameters"] == parameters

        raise Unreadable, "#{resource.ref} has a value that Puppet cannot read"
      end

      def rich?(value)
        case value
        when Hash
          type = value[RICH_KEY]
          raise Unreadable, "a parameter's value is a type" if type.is_a?(String) && type.start_with?(TYPE_PREFIX)

          # All values are looked at for types of types.
          value.each_value.map { |element| rich?(element) }.any? || !type.nil?
        when Array then value.map { |element| rich?(element) }.any?
        else false
        end
      end

      # Puppet's compiler gives each resource its type, so that no type is looked for under the name of a class or a defined type.
      # Returns nil for types in Ruby, which Puppet loads when they are needed.
      def resource_type(data)
        name = data["type"]
        if name == CLASS
          Puppet::Resource::Type.new(:hostclass, data["title"] == MAIN ? "" : data["title"])
        elsif data["kind"] == Puppet::Resource::DEFINED_TYPE_STRING
          @definitions[name] ||= Puppet::Resource::Type.new(:definition, name)
        elsif isolated? && !name.include?(":")
          # Types generated for an environment, as in puppet/pops/evaluator/runtime3_resource_support.rb.
          Puppet.lookup(:loaders).private_environment_loader.load(:resource_type_pp, name.downcase)
        end
      end

      def isolated?
        return @is_isolated if defined?(@is_isolated)

        path = @environment.configuration && @environment.configuration.path_to_env
        @is_isolated = !path.nil? && File.directory?(File.join(path, ".resource_types"))
      end
    end
  end
end
