# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # The messages of a compilation, held back until it is certain that Puppet does not begin again.
      class Messages
        # Where those that hold messages back in a thread are kept.
        HOLDING = :__puppetfn_messages__
        private_constant :HOLDING

        # @return [Messages, nil] what holds the messages of this thread back
        def self.current
          Thread.current.thread_variable_get(HOLDING)
        end

        # @return [Array<Hash>] the warnings that are given once, by keys
        def self.given_once
          [$unique_warnings, $deprecation_warnings].compact # rubocop:disable Style/GlobalVars
        end

        def initialize
          @kept, @held = [], []
          @given = Messages.given_once.flat_map(&:keys).to_h { |key| [key, true] }
        end

        # Holds back what this thread logs during a block.
        #
        # @yieldreturn [Object]
        # @return [Object] what the block returns
        def hold
          thread = Thread.current
          before = thread.thread_variable_get(HOLDING)
          begin
            thread.thread_variable_set(HOLDING, self)
            yield
          ensure
            thread.thread_variable_set(HOLDING, before)
          end
        end

        # Holds back what is logged during a block that Puppet does once: it does not log that again, unless it fails.
        #
        # @yieldreturn [Object]
        # @return [Object] what the block returns
        def keep
          before = @held
          begin
            @held = []
            result = yield
            @kept.concat(@held)
            result
          ensure
            @held = before
          end
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
          [@kept, @held].each { |messages| ::Puppet::Util::Log.newmessage(messages.shift) until messages.empty? }
        end

        # Forgets what Puppet will log itself, and that warnings were given which are given once. Those that other threads have
        # given meanwhile are none of these.
        #
        # @return [void]
        def drop
          texts = @held.map(&:message)
          @held.clear
          Messages.given_once.each do |given|
            # Others may add to it now.
            given.to_a.each { |key, text| given.delete(key) if !@given.key?(key) && texts.any? { |held| held.include?(text.to_s) } }
          end
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
