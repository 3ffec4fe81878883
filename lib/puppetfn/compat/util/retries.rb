# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Warnings that are given once for each class. See Puppet's `util/warnings.rb`.
      module Warnings
        @given = {}

        # @param message [String]
        # @param owner [Class]
        # @yield logs the message
        # @return [nil]
        def self.maybe_log(message, owner)
          known = (@given[owner] ||= [])
          return if known.include?(message)

          yield
          known << message
          nil
        end

        # @return [void]
        def self.forget
          @given.clear
        end

        module_function

        # @return [nil]
        def notice_once(message)
          Warnings.maybe_log(message, self.class) { Puppet.notice(message) }
        end

        # @return [nil]
        def debug_once(message)
          Warnings.maybe_log(message, self.class) { Puppet.debug(message) } if Log.level == :debug
        end

        # @return [nil]
        def warnonce(message)
          Warnings.maybe_log(message, self.class) { Puppet.warning(message) }
        end

        # @return [nil]
        def clear_warnings
          Warnings.forget
          nil
        end
      end

      # Blocks that are tried again. See Puppet's `util/retry_action.rb`.
      module RetryAction
        # A block is not tried again.
        class RetryException < Exception # rubocop:disable Lint/InheritException
          class NoBlockGiven < RetryException; end
          class NoRetriesGiven < RetryException; end
          class RetriesExceeded < RetryException; end
        end

        # @option options [Integer] :retries
        # @option options [Array<Class>] :retry_exceptions
        # @return [Object] the result of the block
        # @raise [RetryException]
        def self.retry_action(options = {})
          raise RetryException::NoBlockGiven unless block_given?

          retries = options[:retries] or raise RetryException::NoRetriesGiven
          failures = 0
          begin
            yield
          rescue *(options[:retry_exceptions] || [StandardError]) => e
            raise RetryException::RetriesExceeded, "#{retries} exceeded", e.backtrace if failures >= retries

            Puppet.info("Caught exception #{e.class}:#{e} retrying")
            failures += 1
            sleep(((2**failures) - 1) * 0.1)
            retry
          end
        end
      end
    end
  end
end
