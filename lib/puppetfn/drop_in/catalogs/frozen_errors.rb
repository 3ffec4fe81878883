# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Notices changes of frozen objects by functions and templates. More objects are frozen here than in Puppet, so the error
      # gives the catalog to Puppet, even if it is rescued.
      module FrozenErrors
        # @param compilation [Compilation]
        # @yieldreturn [Object]
        # @return [Object] the block's result
        def self.watch(compilation, &)
          watching = TracePoint.new(:raise) do |point|
            compilation.decline_later("a change of a frozen object") if point.raised_exception.is_a?(FrozenError) && compilation.at_work_here?
          end
          watching.enable(target_thread: Thread.current, &)
        end
      end
    end
  end
end
