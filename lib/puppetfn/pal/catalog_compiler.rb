# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pal
      # A compiler that makes a catalog of the declarations in code.
      class CatalogCompiler < Compiler
        # @return [Boolean] true
        def has_catalog?
          true
        end

        # Yields an encoder of the catalog as JSON.
        #
        # @param pretty [Boolean] whether it is on several lines
        # @param exclude_virtual [Boolean] whether resources are left out that were not realized
        # @yieldparam encoder [JsonCatalogEncoder]
        # @return [Object] the result of the block
        def with_json_encoding(pretty: true, exclude_virtual: true)
          yield JsonCatalogEncoder.new(catalog, pretty: pretty, exclude_virtual: exclude_virtual)
        end

        # @return [Hash{String=>Object}] the catalog as it is now, with virtual resources
        def catalog_data_hash
          catalog.to_h(virtual: true)
        end

        # Evaluates the code added since, and checks the catalog.
        #
        # @return [void]
        # @raise [Puppet::Error] when it fails, or resources are missing that others refer to
        def compile_additions
          evaluate_additions
          validate
        end

        # Evaluates collectors and resources of defined types.
        #
        # @return [void]
        def evaluate_additions
          @runtime.evaluator.advance_catalog(:additions)
        end

        # Checks that the targets of references exist.
        #
        # @return [void]
        def validate
          @runtime.evaluator.advance_catalog(:validation)
        rescue ParseErrorWithIssue => e
          raise Error, e.message, e.backtrace
        end

        # Evaluates the node definition for the node.
        #
        # @return [void]
        def evaluate_ast_node
          @runtime.evaluator.advance_catalog(:node)
        end

        private

        def catalog
          @catalog ||= CatalogData.new(@runtime.compiler.catalog)
        end
      end
    end
  end
end
