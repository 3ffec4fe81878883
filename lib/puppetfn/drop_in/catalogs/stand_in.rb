# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Gives the objects of a class the one that they stand in for, as functions and templates see it.
      module StandIn
        # @param original [Class] one of Puppet's
        # @return [void]
        def stands_in_for(original)
          include(Module.new do
            define_method(:class) { original }
            define_method(:instance_of?) { |other| original.equal?(other) }
          end)
        end
      end
    end
  end
end
