# frozen_string_literal: true

require "json"

module Puppetfn
  module Puppet
    module Pal
      # A catalog in the form in which agents get it: values that JSON does not have are hashes that say what
      # they are.
      #
      # @api private
      module CatalogData
        class << self
          # @param catalog [Hash{String=>Object}]
          # @param virtual [Boolean] whether resources are wanted that were not realized
          # @return [Hash{String=>Object}]
          def of(catalog, virtual:)
            resources = catalog["resources"].reject { |resource| resource["virtual"] && !virtual }
            left = resources.to_h { |resource| [reference(resource), true] }
            edges = catalog["edges"].select { |edge| edge.each_value.all? { |name| left.key?(name) } }
            catalog.merge("resources" => resources.map { |resource| resource_data(resource) }, "edges" => edges)
          end

          # @param resource [Hash{String=>Object}]
          # @return [String] `File[/etc/motd]`
          def reference(resource)
            "#{resource["type"]}[#{resource["title"]}]"
          end

          # @param resource [Hash{String=>Object}]
          # @return [Hash{String=>Object}]
          def resource_data(resource)
            parameters = Pops::Serialization::ToDataConverter.convert(parameters_of(resource),
              rich_data: true, symbol_as_string: true, local_reference: false, type_by_reference: true,
              message_prefix: reference(resource))
            data = resource.except("virtual", "parameters", "sensitive_parameters")
            data["parameters"] = parameters if parameters.any?
            data["sensitive_parameters"] = resource["sensitive_parameters"] if resource["sensitive_parameters"].any?
            data
          end

          private

          # Puppet states the name of what is there before all code.
          def parameters_of(resource)
            return resource["parameters"] unless ["Stage[main]", "Class[main]"].include?(reference(resource))

            {"name" => "main"}.merge(resource["parameters"])
          end
        end
      end

      # Makes JSON of a catalog, see {CatalogCompiler#with_json_encoding}.
      class JsonCatalogEncoder
        # @return [Boolean]
        attr_reader :pretty

        # @return [Boolean]
        attr_reader :exclude_virtual

        # @api private
        def initialize(catalog, pretty: true, exclude_virtual: true)
          @catalog = catalog
          @pretty = pretty
          @exclude_virtual = exclude_virtual
        end

        # @return [String] the whole catalog as JSON
        def encode
          data = CatalogData.of(@catalog, virtual: !exclude_virtual)
          pretty ? JSON.pretty_generate(data) : JSON.generate(data)
        end

        # @param type [String] in any case
        # @param title [String]
        # @return [String, nil] a resource as JSON, always on one line, as in Puppet; nil when there is none
        # @raise [ArgumentError] when either is nil
        def encode_resource(type, title)
          raise ArgumentError, "Both type and title must be given" if type.nil? || title.nil?

          wanted = [type.to_s.downcase, title.to_s.downcase]
          found = @catalog["resources"].find do |resource|
            same_title = resource["type"] == "Class" ? resource["title"].downcase == wanted.last : resource["title"] == title.to_s
            resource["type"].downcase == wanted.first && same_title && !(exclude_virtual && resource["virtual"])
          end
          found && JSON.generate(CatalogData.resource_data(found))
        end
      end
    end
  end
end
