# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Makes a catalog of Puppet's from the data of one.
      class Builder
        # @param data [Hash{String=>Object}] as {Catalog#to_data_hash} has it
        # @param node [Puppet::Node]
        # @param code_id [String, nil]
        # @param runtime [CatalogRuntime] knows the resource types
        def initialize(data, node, code_id, runtime)
          @data, @node, @code_id, @runtime = data, node, code_id, runtime
          @types = Hash.new { |types, name| types[name] = resource_type(name) }
        end

        # @return [Puppet::Resource::Catalog]
        def build
          # Whoever asks for a type of the environment has Puppet read its manifest first.
          @node.environment.known_resource_types
          catalog = ::Puppet::Resource::Catalog.new(@node.name, @node.environment, @code_id)
          catalog.version = @data["version"]
          catalog.client_version, catalog.server_version = @node.parameters.values_at("clientversion", "serverversion")
          catalog.tag(*@data["tags"])
          add_resources(catalog)
          catalog.add_class(*@data["classes"])
          catalog
        end

        private

        def add_resources(catalog)
          made = @data["resources"].to_h { |resource| ["#{resource["type"]}[#{resource["title"]}]", resource(resource)] }
          made.each_value { |resource| catalog.add_resource(resource) }
          @data["edges"].each { |edge| catalog.add_edge(made.fetch(edge["source"]), made.fetch(edge["target"])) }
        end

        def resource(data)
          resource = ::Puppet::Resource.from_data_hash(data)
          resource.environment = @node.environment
          resource.resource_type = @types[resource.type] unless %w[Class Node].include?(resource.type)
          resource.virtual = true if resource.exported
          title = title(data)
          resource.instance_variable_set(:@title, title) unless title.is_a?(String)
          resource
        end

        # Puppet would look for a file in all modules, for each resource of a defined type again. It has not read the
        # definition: the name is known of it, not the parameters.
        def resource_type(name)
          known = @runtime.resource_type(name) and return known.type
          @node.environment.known_resource_types.definition(name) ||
            ::Puppet::Resource::Type.new(:definition, name.downcase, module_name: name.downcase[/\A[^:]+(?=::)/].to_s)
        end

        # The name is left out where it is the title, unless that is no String: Puppet's own stage and class are called by
        # a Symbol, and numbers may be titles.
        def title(data)
          title = data["title"]
          return :main if title == "main" && %w[Class Stage].include?(data["type"])
          return title unless data.dig("parameters", "name") == title

          title.match?(/\A\d+\z/) ? Integer(title, 10) : title.to_sym
        end
      end
    end
  end
end
