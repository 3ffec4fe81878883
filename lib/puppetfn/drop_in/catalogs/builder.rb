# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Makes a catalog of Puppet's from the resources that puppetfn has compiled, as Puppet's compiler returns it: with
      # exported resources, which its callers remove, and without merely virtual ones.
      class Builder
        # The common fields of resources of a type: the name of the type, its implementation, and the parameter that `name`
        # stands for.
        Type = Struct.new(:name, :implementation, :name_parameter)
        private_constant :Type

        # @param compilation [Compilation]
        # @param node [::Puppet::Node]
        # @param code_id [String, nil]
        def initialize(compilation, node, code_id)
          @compilation, @node, @code_id = compilation, node, code_id
          @runtime = compilation.runtime
          @environment = node.environment
          @types = {}
          # Puppet 7 does not know other paths of an environment than its own.
          has_paths = @environment.respond_to?(:externalize_path)
          @files = Hash.new { |files, file| files[file] = has_paths ? @environment.externalize_path(file) : file }
          @references = {}.compare_by_identity
        end

        # @return [::Puppet::Resource::Catalog]
        def build
          catalog = ::Puppet::Resource::Catalog.new(@node.name, @environment, @code_id)
          # Access to a type of the environment has Puppet read its manifest first.
          catalog.version = @environment.known_resource_types.version
          add_resources(catalog)
          catalog.add_class(*@runtime.evaluator.classes)
          catalog.tag(*@runtime.evaluator.catalog_tags)
          catalog
        end

        private

        def add_resources(catalog)
          described, edges = @runtime.activate { @runtime.evaluator.snapshot }
          named = {}.compare_by_identity
          made = described.map { |known| resource(known, named, catalog) }
          made.each { |resource| catalog.add_resource(resource) if resource }
          edges.each { |source, target| catalog.add_edge(made[source], made[target]) if made[source] && made[target] }
        end

        # Makes a resource from the description by Evaluator#described. Puppet's own `initialize` would compute the same again:
        # it would look for the type and make the tags anew.
        def resource(known, named, catalog)
          name, title, parameters, file, line, virtual, exported, sensitive, tags, all_strings, kind, given_title = known
          return if virtual && !exported

          type = @types[name] ||= kind == "compilable_type" ? native_type(name) : Type.new(name, definition(name), :name)
          Puppetfn::Puppet::Parser::Resource.prepare(parameters, named) unless all_strings
          resource = ::Puppet::Resource.allocate
          resource.instance_variable_set(:@type, type.name)
          resource.instance_variable_set(:@title, title_of(name, given_title || title))
          resource.instance_variable_set(:@rstype, type.implementation)
          resource.instance_variable_set(:@parameters, parameters(parameters, type))
          resource.instance_variable_set(:@tags, ::Puppet::Util::TagSet.new(tags))
          resource.exported, resource.virtual, resource.kind = exported, virtual, kind
          resource.environment, resource.catalog = @environment, catalog
          resource.file, resource.line = (file ? @files[file] : line && ""), line
          resource.sensitive_parameters = sensitive
          resource
        end

        def title_of(type, title)
          title = Values.title(type, title)
          type == "Class" ? ::Puppet::Resource.type_and_title(type, title).last : title
        end

        def parameters(given, type)
          changed = type.name_parameter != :name && given.key?(:name)
          given = given.transform_keys { |name| name == :name ? type.name_parameter : name } if changed
          given.transform_values! { |value| value.is_a?(String) ? value : parameter(value) }
        end

        def parameter(value)
          case value
          when String then value
          when Puppetfn::Puppet::Resource then @references[value] ||= ::Puppet::Resource.new(value.type, value.title)
          when Array then value.map { |element| parameter(element) }
          else @compilation.values.to_puppet(value)
          end
        end

        def native_type(name)
          implementation = @runtime.resource_type(name).type
          keys = implementation.key_attributes
          Type.new(::Puppet::Resource.type_and_title(name, "").first, implementation, keys.one? ? keys.first : :name)
        end

        # Puppet would look for a file in all modules, for each resource of a defined type again. It has not read the
        # definition: only the name is known, not the parameters.
        def definition(name)
          return if %w[Class Node].include?(name)

          @environment.known_resource_types.definition(name) ||
            ::Puppet::Resource::Type.new(:definition, name.downcase, module_name: name.downcase[/\A[^:]+(?=::)/].to_s)
        end
      end
    end
  end
end
