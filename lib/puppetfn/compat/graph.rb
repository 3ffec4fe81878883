# frozen_string_literal: true

require "delegate"

module Puppetfn
  module Puppet
    # Relationships of resources, as specs of types make them by hand.
    module Graph
      extend StandIn

      # The order of resources that no relationship orders, which nothing here depends on.
      Prioritizer = Class.new
      SequentialPrioritizer = Class.new(Prioritizer)
      TitleHashPrioritizer = Class.new(Prioritizer)
      RandomPrioritizer = Class.new(Prioritizer)

      # The relationships of a catalog, once {populate_from} was called.
      class RelationshipGraph < SimpleDelegator
        # @param _prioritizer [Prioritizer]
        def initialize(_prioritizer)
          super(nil)
        end

        # @param catalog [RalCatalog]
        # @return [void]
        def populate_from(catalog)
          __setobj__(Puppetfn::RelationshipGraph.new(catalog))
        end
      end
    end
  end
end
