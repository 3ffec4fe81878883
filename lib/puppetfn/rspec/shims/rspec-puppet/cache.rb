# frozen_string_literal: true

require "rspec-puppet"

module Puppetfn
  module RSpec
    # The cache of catalogs. Libraries of specs make a new one where functions are not what they were.
    class Cache
      def initialize
        CatalogExampleGroup.cache.clear
      end
    end
  end
end
