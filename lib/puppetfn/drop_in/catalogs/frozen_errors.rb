# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Notices when functions and templates change what is frozen. More is frozen for them than by Puppet: the error gives the catalog
      # to Puppet, even if they rescue it.
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
