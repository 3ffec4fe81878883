# frozen_string_literal: true

module Puppetfn
  module Puppet
    # What Puppet has for specs.
    module Test
      extend StandIn

      # Collects messages that are logged.
      class LogCollector
        # @param logs [#<<]
        def initialize(logs)
          @logs = logs
        end

        # @param message [Logs::Message]
        # @return [void]
        def <<(message)
          @logs << message
        end
      end
    end
  end
end
