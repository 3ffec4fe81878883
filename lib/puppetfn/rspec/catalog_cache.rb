# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The catalogs that were compiled last, by what they were compiled of.
    #
    # What an example mocks does not count, as in rspec-puppet: one that mocks what others with the same facts and
    # parameters do not may get their catalog.
    #
    # @api private
    class CatalogCache
      # How many are kept.
      MOST = 16
      private_constant :MOST

      def initialize
        @catalogs = {}
      end

      # @param inputs [Array<Object>] what the catalog depends on
      # @yieldreturn [ExampleCatalog]
      # @return [ExampleCatalog]
      def fetch(inputs)
        catalog = @catalogs.delete(inputs)
        unless catalog
          catalog = yield
          # Examples may change the hashes that they are given.
          inputs = copy(inputs)
        end
        @catalogs.shift if @catalogs.size >= MOST
        @catalogs[inputs] = catalog
      end

      private

      def copy(value)
        case value
        when Hash then value.to_h { |key, element| [copy(key), copy(element)] }
        when Array then value.map { |element| copy(element) }
        when String then value.dup
        else value
        end
      end
    end
  end
end
