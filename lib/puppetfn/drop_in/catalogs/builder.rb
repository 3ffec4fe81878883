# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Makes a catalog of Puppet's from the resources that puppetfn has compiled, as Puppet's compiler returns it: with
      # what is exported, which others take out, and without what is only virtual.
      class Builder
        # @param compilation [Compilation]
        # @param node [::Puppet::Node]
        # @param code_id [String, nil]
        def initialize(compilation, node, code_id)
          @compilation, @node, @code_id = compilation, node, code_id
          @runtime = compilation.runtime
          @environment = node.environment
          @types = Hash.new { |types, name| types[name] = resource_type(name) }
          @references = {}.compare_by_identity
        end

        # @return [::Puppet::Resource::Catalog]
        def build
          catalog = ::Puppet::Resource::Catalog.new(@node.name, @environment, @code_id)
          # Whoever asks for a type of the environment has Puppet read its manifest first.
          catalog.version = @environment.known_resource_types.version
          catalog.client_version, catalog.server_version = @node.parameters.values_at("clientversion", "serverversion")
          add_resources(catalog)
          catalog.add_class(*@runtime.evaluator.classes)
          catalog.tag(*@runtime.evaluator.catalog_tags)
          catalog
        end

        private

        def add_resources(catalog)
          resources, edges = @runtime.activate { @runtime.catalog_so_far.snapshot }
          made = resources.map { |resource| resource(resource, catalog) unless resource.virtual? && !resource.exported? }
          made.each { |resource| catalog.add_resource(resource) if resource }
          edges.each { |source, target| catalog.add_edge(made[source], made[target]) if made[source] && made[target] }
        end

        def resource(compiled, catalog)
          title = Values.title(compiled.type, compiled.given_title || compiled.title)
          resource = ::Puppet::Resource.new(@types[compiled.type] || compiled.type, title, environment: @environment,
            kind: compiled.kind, file: compiled.file || ("" if compiled.line), line: compiled.line)
          resource.catalog = catalog
          # Setting it makes the resource virtual, which one that was realized is not.
          resource.exported = compiled.exported?
          resource.virtual = compiled.virtual?
          resource.instance_variable_set(:@tags, ::Puppet::Util::TagSet.new(compiled.lent_tags))
          compiled.parameters.each { |name, value| resource[name] = parameter(value) }
          resource.sensitive_parameters = compiled.sensitive_parameters
          resource
        end

        def parameter(value)
          case value
          when String then value
          when Puppetfn::Puppet::Resource then @references[value] ||= ::Puppet::Resource.new(value.type, value.title)
          when Array then value.map { |element| parameter(element) }
          else @compilation.values.to_puppet(value)
          end
        end

        # Puppet would look for a file in all modules, for each resource of a defined type again. It has not read the
        # definition: the name is known of it, not the parameters.
        def resource_type(name)
          return if %w[Class Node].include?(name)

          known = @runtime.resource_type(name) and return known.type
          @environment.known_resource_types.definition(name) ||
            ::Puppet::Resource::Type.new(:definition, name.downcase, module_name: name.downcase[/\A[^:]+(?=::)/].to_s)
        end
      end
    end
  end
end
