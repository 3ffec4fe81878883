# frozen_string_literal: true

require_relative "any_subject"

module Puppetfn
  module RSpec
    # Matchers for type aliases.
    module TypeAliasMatchers
      # @param values [Array<Object>]
      # @return [AllowValue] whether all values are of the type
      def allow_value(*values)
        AllowValue.new(values)
      end
      alias allow_values allow_value

      # `is_expected.to allow_values(...)`, and `is_expected.not_to`, which passes as in rspec-puppet as soon as one of the values is not of
      # the type: if other values are, it warns.
      class AllowValue
        include AnySubject

        # @param values [Array<Object>]
        def initialize(values)
          @values = values
        end

        # @param subject [#call] raises an error for a value that is not of the type
        # @return [Boolean]
        def matches?(subject)
          @refused = refusals(subject)
          @refused.empty?
        end

        # @param subject [#call]
        # @return [Boolean] whether one of the values is not of the type
        def does_not_match?(subject)
          allowed = @values.select { |value| allowed?(subject, value) }
          return false if allowed.size == @values.size

          warn_of(allowed) if allowed.any?
          true
        end

        # @return [String]
        def description
          "match value#{"s" if @values.size != 1} #{list(@values)}"
        end

        # @return [String]
        def failure_message
          "expected that the type alias would #{description} but it raised the " \
            "error#{"s" if @refused.size != 1} #{@refused.join(", ")}"
        end

        # @return [String]
        def failure_message_when_negated
          "expected that the type alias would not #{description} but it does"
        end

        private

        def warn_of(allowed)
          place = ::RSpec.current_example&.location
          verb = allowed.one? ? "is" : "are"
          warn "#{"#{place}: " if place}`not_to allow_value` passes as one of the values is not of the type, though #{list(allowed)} #{verb}"
        end

        def list(values)
          values.map(&:inspect).join(", ")
        end

        def allowed?(subject, value)
          return subject.allows?(value) if subject.respond_to?(:allows?)

          subject.call(value)
          true
        rescue Puppet::Error
          false
        end

        # Returns the messages about the values that are not of the type.
        def refusals(subject)
          @values.filter_map do |value|
            subject.call(value)
            nil
          rescue Puppet::Error => e
            e.message
          end
        end
      end
    end
  end
end
