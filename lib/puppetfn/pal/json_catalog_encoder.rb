# frozen_string_literal: true

require "json"

module Puppetfn
  module Puppet
    module Pal
      # The catalog of a compilation as data.
      #
      # @api private
      class CatalogData
        # @param catalog [Puppetfn::Catalog]
        def initialize(catalog)
          @catalog = catalog
          @version = Time.now.to_i
        end

        # @param virtual [Boolean] whether resources are wanted that were not realized
        # @return [Hash{String=>Object}] the catalog as it is now
        def to_h(virtual:)
          @catalog.to_data_hash(virtual: virtual, version: @version)
        end

        # @param type [String] in any case
        # @param title [String]
        # @param virtual [Boolean] whether it may be one that was not realized
        # @return [Hash{String=>Object}, nil]
        def resource(type, title, virtual:)
          to_h(virtual: virtual)["resources"].find do |resource|
            same_title = resource["type"] == "Class" ? resource["title"].casecmp?(title) : resource["title"] == title
            same_title && resource["type"].casecmp?(type)
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
          raise Puppetfn::Error[ArgumentError], "Both type and title must be given" if type.nil? || title.nil?

          found = @catalog.resource(type.to_s, title.to_s, virtual: !exclude_virtual)
          found && JSON.generate(found)
        end
      end
    end
  end
end
