# frozen_string_literal: true

module Puppetfn
  module RSpec
    # A formatter that records events, for another process.
    #
    # @api private
    class Recorder
      # The parts of an exception that formatters show.
      Failure = Struct.new(:class_name, :message, :backtrace, :cause, :all) do
        # @param exception [Exception, nil]
        # @return [Failure, nil]
        def self.of(exception)
          return if exception.nil?

          parts = exception.all_exceptions.map { |part| of(part) } if exception.respond_to?(:all_exceptions)
          new(exception.class.name, exception.message, exception.backtrace, of(exception.cause), parts)
        end
      end

      # The result of running an example.
      Outcome = Struct.new(:id, :metadata, :result)

      # The fields of a deprecation: its subject, and its place.
      DEPRECATION = %i[deprecated message replacement call_site].freeze
      METADATA = %i[description full_description].freeze
      EXCEPTIONS = %i[exception pending_exception].freeze
      RESULTS = %i[status started_at finished_at run_time pending_message pending_fixed].freeze
      EXAMPLES = %i[example_started example_finished example_passed example_failed example_pending].freeze
      private_constant :DEPRECATION, :METADATA, :RESULTS, :EXAMPLES

      ::RSpec::Core::Formatters.register self, :example_group_started, :example_group_finished, :message, :deprecation, *EXAMPLES

      # @param _output [IO]
      def initialize(_output)
        @events = []
      end

      # @return [Array<Array>] the events since the last call
      def take
        @events.tap { @events = [] }
      end

      EXAMPLES.each do |event|
        define_method(event) { |notification| @events << [event, outcome(notification.example)] }
      end

      %i[example_group_started example_group_finished].each do |event|
        define_method(event) { |notification| @events << [event, notification.group.id] }
      end

      # @param notification [::RSpec::Core::Notifications::MessageNotification]
      def message(notification)
        @events << [:message, notification.message.to_s]
      end

      # @param notification [::RSpec::Core::Notifications::DeprecationNotification]
      def deprecation(notification)
        @events << [:deprecation, DEPRECATION.to_h { |part| [part, notification.public_send(part)&.to_s] }]
      end

      private

      def outcome(example)
        result = example.execution_result
        values = RESULTS.to_h { |name| [name, result.public_send(name)] }
        EXCEPTIONS.each { |name| values[name] = Failure.of(result.public_send(name)) }
        Outcome.new(example.id, example.metadata.slice(*METADATA).transform_values(&:to_s), values)
      end
    end
  end
end
