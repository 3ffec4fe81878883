# frozen_string_literal: true

module Puppetfn
  module Terminus
    # The time for durations and deadlines.
    #
    # @api private
    module Clock
      # @return [Float] seconds of a clock that is never set
      def self.now
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end
