# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # The messages of a compilation, held back until it is certain that Puppet does not begin again.
      class Messages
        # The thread variable with the {Messages} that hold back messages.
        HOLDING = :__puppetfn_messages__
        # A message, and whether Puppet would not log it again.
        Held = Struct.new(:message, :kept)
        private_constant :HOLDING, :Held

        # @return [Messages, nil] the holder of this thread's messages
        def self.current
          Thread.current.thread_variable_get(HOLDING)
        end

        # @return [Array<Hash>] the warnings that are given once, by keys
        def self.given_once
          [$unique_warnings, $deprecation_warnings].compact # rubocop:disable Style/GlobalVars
        end

        # The part of the message about unqualified keys that Puppet 7 does not have.
        UNQUALIFIED_KEY = /( must use keys qualified with the name of the module); got .*\z/m
        private_constant :UNQUALIFIED_KEY

        # @param text [String] of puppetfn
        # @return [String] as the Puppet at hand has it, which names its own documentation
        def self.of_version(text)
          text = text.sub(UNQUALIFIED_KEY, '\1') if ::Puppet.version.to_i < 8
          text.sub("/docs/puppet/8.11/", "/docs/puppet/#{::Puppet.minor_version}/")
        end

        def initialize
          @held = []
          @keeping = false
          @undoing = []
          @given = Messages.given_once.flat_map(&:keys).to_h { |key| [key, true] }
        end

        # Holds back the messages of this thread during a block.
        #
        # @yieldreturn [Object]
        # @return [Object] the result of the block
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

        # Holds back messages of a block that Puppet runs once, such as loading a file: unless the block fails, these
        # messages are not dropped.
        #
        # @yieldreturn [Object]
        # @return [Object] the result of the block
        def keep
          before, start = @keeping, @held.size
          begin
            @keeping = true
            yield
          rescue Exception # rubocop:disable Lint/RescueException
            @held[start..].each { |held| held.kept = before }
            raise
          ensure
            @keeping = before
          end
        end

        # @return [Integer] the number of messages that are held back
        def size
          @held.size
        end

        # @param message [::Puppet::Util::Log]
        # @return [void]
        def add(message)
          @held << Held.new(message, @keeping)
        end

        # Has a block run if the messages are dropped: Puppet then gives a message again that it gives once.
        #
        # @yieldreturn [void]
        # @return [void]
        def when_dropped(&undo)
          @undoing << undo
        end

        # Logs the messages that were held back.
        #
        # @return [void]
        def send_all
          ::Puppet::Util::Log.newmessage(@held.shift.message) until @held.empty?
        end

        # Forgets the messages that Puppet will log itself, and that warnings were given which are given once. Warnings
        # that other threads have given meanwhile are kept.
        #
        # @return [void]
        def drop
          @undoing.shift.call until @undoing.empty?
          dropped, @held = @held.partition { |held| !held.kept }
          texts = dropped.map { |held| held.message.message }
          Messages.given_once.each do |given|
            # Others may add to it now.
            given.to_a.each do |key, text|
              text = Messages.of_version(text.to_s)
              given.delete(key) if !@given.key?(key) && texts.any? { |held| held.include?(text) }
            end
          end
        end

        # Before `Puppet::Util::Log.newmessage`.
        module Holding
          def newmessage(message)
            holding = Messages.current
            holding ? holding.add(message) : super
          end
        end

        # Before the methods that load a file once: types and providers in the process, functions and data types in the
        # environment.
        module Loading
          %i[load_file instantiate].each do |name|
            define_method(name) do |*arguments|
              holding = Messages.current
              holding ? holding.keep { super(*arguments) } : super(*arguments)
            end
          end
        end
      end
    end
  end
end
