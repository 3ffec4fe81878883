# frozen_string_literal: true

require "json"

module Puppetfn
  module Puppet
    module Pal
      # A catalog in the form in which agents get it: values that JSON does not have are hashes that say what
      # they are.
      #
      # @api private
      class CatalogData
        # @param evaluator [Evaluator] has the catalog
        # @param identity [Hash{String=>Object}] what is the same for each catalog of a compilation
        def initialize(evaluator, identity)
          @evaluator = evaluator
          @identity = identity
        end

        # @param virtual [Boolean] whether resources are wanted that were not realized
        # @return [Hash{String=>Object}] the catalog as it is now
        def to_h(virtual:)
          found = resources(virtual: virtual)
          {"tags" => @evaluator.catalog_tags}.merge(@identity,
            "resources" => found.map { |resource| resource_data(resource) },
            "edges" => edges(found.to_h { |resource| [reference(*resource.values_at(:type, :title)), true] }),
            "classes" => @evaluator.classes)
        end

        # @param type [String] in any case
        # @param title [String]
        # @param virtual [Boolean] whether it may be one that was not realized
        # @return [Hash{String=>Object}, nil]
        def resource(type, title, virtual:)
          found = resources(virtual: virtual).find do |resource|
            same_title = resource[:type] == "Class" ? resource[:title].casecmp?(title) : resource[:title] == title
            same_title && resource[:type].casecmp?(type)
          end
          found && resource_data(found)
        end

        private

        def resources(virtual:)
          found = @evaluator.resources.map { |type, title| @evaluator.resource(type, title) }
          virtual ? found : found.reject { |resource| resource[:virtual] }
        end

        def edges(left)
          edges = @evaluator.edges.map { |ends| ends.map { |type, title| reference(type, title) } }
          edges.select { |ends| ends.all? { |name| left.key?(name) } }
            .map { |source, target| {"source" => source, "target" => target} }
        end

        def resource_data(known)
          name = reference(*known.values_at(:type, :title))
          parameters = Pops::Serialization::ToDataConverter.convert(parameters(name, known),
            rich_data: true, symbol_as_string: true, local_reference: false, type_by_reference: true,
            message_prefix: name)
          data = {"type" => known[:type], "title" => known[:title], "tags" => known[:tags]}
          # Code that is from no file has an empty name.
          data.update("file" => known[:file].to_s, "line" => known[:line]) if known[:line]
          data.update("exported" => known[:exported], "kind" => known[:kind])
          data["parameters"] = parameters if parameters.any?
          data["sensitive_parameters"] = known[:sensitive] if known[:sensitive].any?
          data
        end

        # The parameters that say more than the title does. Puppet states the name of what is there before all
        # code.
        def parameters(reference, known)
          stated = ["Stage[main]", "Class[main]"].include?(reference) ? {"name" => "main"} : {}
          telling = known[:parameters].reject { |name, value| value.nil? || [name, value] == known[:name_parameter] }
          stated.merge(with_references(telling))
        end

        # In place of references to resources, catalogs have their text.
        def with_references(value)
          case value
          when Array then value.map { |element| with_references(element) }
          when Hash then value.to_h { |key, element| [with_references(key), with_references(element)] }
          when Pops::Types::PCatalogEntryType then Pops::Evaluator::Runtime3Converter.convert(value, nil, nil).to_s
          else value
          end
        end

        def reference(type, title)
          "#{type}[#{title}]"
        end
      end

      # Makes JSON of a catalog, see {CatalogCompiler#with_json_encoding}.
      class JsonCatalogEncoder
        # @return [Boolean]
        attr_reader :pretty

        # @return [Boolean]
        attr_reader :exclude_virtual

        # @api private
        # @param catalog [CatalogData]
        def initialize(catalog, pretty: true, exclude_virtual: true)
          @catalog = catalog
          @pretty = pretty
          @exclude_virtual = exclude_virtual
        end

        # @return [String] the whole catalog as JSON
        def encode
          data = @catalog.to_h(virtual: !exclude_virtual)
          pretty ? JSON.pretty_generate(data) : JSON.generate(data)
        end

        # @param type [String] in any case
        # @param title [String]
        # @return [String, nil] a resource as JSON, always on one line, as in Puppet; nil when there is none
        # @raise [ArgumentError] when either is nil
        def encode_resource(type, title)
          raise ArgumentError, "Both type and title must be given" if type.nil? || title.nil?

          found = @catalog.resource(type.to_s, title.to_s, virtual: !exclude_virtual)
          found && JSON.generate(found)
        end
      end
    end
  end
end
