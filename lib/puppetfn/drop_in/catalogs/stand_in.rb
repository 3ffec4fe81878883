# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Gives objects the class that they stand in for, as functions and templates see it.
      module StandIn
        # @param original [Class] one of Puppet's
        # @return [Module] to be included in the class that stands in for it
        def self.for(original)
          Module.new do
            define_method(:class) { original }
            define_method(:instance_of?) { |other| original.equal?(other) }
          end
        end
      end
    end
  end
end
