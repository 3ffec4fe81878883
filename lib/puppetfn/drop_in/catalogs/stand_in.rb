# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Replaces the objects of a class by their originals for functions and templates.
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
