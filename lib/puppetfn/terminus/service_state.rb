# frozen_string_literal: true

require_relative "clock"

module Puppetfn
  module Terminus
    # The availability of the service. Logs each change once, and schedules the next request after a failure.
    #
    # @api private
    class ServiceState
      # Reasons that are remembered, so that each is logged once.
      MAX_REASONS = 200
      private_constant :MAX_REASONS

      # @param socket [String] for messages
      # @param retry_after [Float] the seconds in which a service that did not answer in time is left alone
      def initialize(socket, retry_after)
        @socket = socket
        @retry_after = retry_after
        @failure = nil
        @retry_at = nil
        @reasons = {}
        @mutex = Mutex.new
      end

      # @return [Boolean] whether to ask the service
      def ask?
        @mutex.synchronize { @retry_at.nil? || Clock.now >= @retry_at }
      end

      # Notes an answer.
      #
      # @return [void]
      def answered
        recovered = @mutex.synchronize do
          @retry_at = nil
          @failure.tap { @failure = nil }
        end
        Puppet.notice("puppetfn: the compile service at #{@socket} answers again") if recovered
      end

      # Notes a request without an answer that could be used.
      #
      # @param kind [Symbol] a change of kind is logged
      # @param message [String]
      # @return [void]
      def failed(kind, message)
        is_new = @mutex.synchronize do
          @retry_at = Clock.now + @retry_after if kind == :slow
          (@failure != kind).tap { @failure = kind }
        end
        tell(is_new, "puppetfn: the compile service at #{@socket} cannot be used: #{message}. Until it can, Puppet compiles the catalogs")
      end

      # Notes a catalog that the service leaves to Puppet.
      #
      # @param environment [String]
      # @param node [String]
      # @param reason [String]
      # @return [void]
      def declined(environment, node, reason)
        key = [environment, reason.gsub(node, "")]
        is_new = @mutex.synchronize do
          !@reasons.key?(key) && @reasons.size < MAX_REASONS && (@reasons[key] = true)
        end
        tell(is_new, "puppetfn: Puppet compiles the catalog of #{node} in environment #{environment}: #{reason}")
      end

      private

      def tell(is_new, message)
        is_new ? Puppet.warning(message) : Puppet.debug { message }
      end
    end
  end
end
