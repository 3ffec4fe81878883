# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # The messages of a compilation, held back until it is certain that Puppet does not begin again.
      class Messages
        # Where those that hold messages back in a fiber are kept.
        HOLDING = :__puppetfn_messages__
        private_constant :HOLDING

        # @return [Messages, nil] what holds the messages of this fiber back
        def self.current
          Thread.current[HOLDING]
        end

        def initialize
          @held = []
          @given = [$unique_warnings, $deprecation_warnings].map(&:dup) # rubocop:disable Style/GlobalVars
        end

        # Holds back what this fiber logs during a block.
        #
        # @yieldreturn [Object]
        # @return [Object] what the block returns
        def hold
          thread = Thread.current
          before = thread[HOLDING]
          thread[HOLDING] = self
          yield
        ensure
          thread[HOLDING] = before
        end

        # @param message [::Puppet::Util::Log]
        # @return [void]
        def add(message)
          @held << message
        end

        # Logs what was held back.
        #
        # @return [void]
        def send_all
          @held.each { |message| ::Puppet::Util::Log.newmessage(message) }
        end

        # Forgets what was held back, and which warnings were given once.
        #
        # @return [void]
        def drop
          $unique_warnings, $deprecation_warnings = @given # rubocop:disable Style/GlobalVars
        end

        # Before `Puppet::Util::Log.newmessage`.
        module Holding
          def newmessage(message)
            holding = Messages.current
            holding ? holding.add(message) : super
          end
        end
      end
    end
  end
end
