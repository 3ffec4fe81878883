# frozen_string_literal: true

require "rspec-puppet"

module Puppetfn
  module RSpec
    # The cache of catalogs. Libraries of spec helpers create a new one after they have changed functions.
    class Cache
      def initialize
        CatalogExampleGroup.cache.clear
      end
    end
  end
end
