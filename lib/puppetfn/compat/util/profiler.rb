# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Puppet's profiler without profilers. See Puppet's `util/profiler.rb`.
      module Profiler
        module_function

        # @param _message [String]
        # @param _metric_id [Array<Object>]
        # @yield
        # @return [Object] what the block returns
        def profile(_message, _metric_id = nil)
          yield
        end

        # @return [Array]
        def current
          []
        end
      end
    end
  end
end
