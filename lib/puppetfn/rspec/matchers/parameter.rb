# frozen_string_literal: true

require_relative "line_ends"

module Puppetfn
  module RSpec
    # The expectation of one parameter of a resource. Texts count, so that 1 is "1".
    #
    # @api private
    class Parameter
      # A difference from the expectation.
      Problem = Struct.new(:text, :expected, :actual) do
        # @return [String]
        def to_s = text
      end

      # @return [Symbol]
      attr_reader :name

      # @return [Object] the expected or refused value; nil if it must not be set
      attr_reader :expected

      # @param name [String, Symbol]
      # @param expected [Object] a value, a Regexp, a Proc that gets the value, or a matcher of RSpec
      # @param refused [Boolean] whether the parameter must not have the value
      def initialize(name, expected, refused: false)
        @name = name.to_sym
        @expected = expected
        @refused = refused
      end

      # @return [String] in the words of descriptions
      def to_s
        return "#{name} #{"un" if @refused}defined" if expected.nil?
        # The content of files is too long to be shown.
        return "#{name} #{"not " if @refused} supplied string" if name == :content && expected.is_a?(String)

        "#{name} #{@refused ? "!" : "="}#{expected.is_a?(Regexp) ? "~" : ">"} #{expected.inspect}"
      end

      # @param values [Hash{Symbol=>Object}] the parameters of the resource
      # @return [Problem, nil]
      def problem(values)
        actual = values[name]
        if expected.nil?
          return actual.nil? ? nil : Problem.new("#{name} undefined but it is set to #{actual.inspect}")
        end

        actual = Sensitive.new(actual.unwrap) if actual.is_a?(Puppet::Pops::Types::PSensitiveType::Sensitive)
        # Puppet makes a value of a list with one, which specs need not know.
        actual = [actual] if expected.is_a?(Array) && !actual.is_a?(Array)
        describe(actual) unless as_wanted?(expected, actual)
      end

      private

      def describe(actual)
        # The difference of contents is shown.
        to = "#{expected.inspect} but it is set to #{actual.inspect}"
        to = "supplied string" if name == :content && expected.is_a?(String)
        Problem.new("#{name} #{"not " if @refused}set to #{to}", *compared(actual))
      end

      # The values whose difference is shown.
      def compared(actual)
        return [expected, actual] unless expected.is_a?(String) && actual.is_a?(String)

        # The message does not show contents.
        LineEnds.show(expected, actual, on_one_line: name == :content)
      end

      # As in rspec-puppet, a parameter that must not be something has to be set, and cannot be a list or hash.
      def as_wanted?(expected, actual)
        return false if actual.nil? && !expected.nil? && !expected.is_a?(Proc)

        case expected
        when Proc then expected.call(actual) == !@refused
        when Regexp then expected.match?(actual.to_s) != @refused
        when Hash then alike?(expected, actual) && expected.all? { |key, value| as_wanted?(value, actual[key]) }
        when Array then alike?(expected, actual) && expected.zip(actual).all? { |value, element| as_wanted?(value, element) }
        when Puppet::Pops::Types::PSensitiveType::Sensitive then expected == actual
        else same?(expected, actual) != @refused
        end
      end

      def alike?(expected, actual)
        !@refused && actual.instance_of?(expected.class) && actual.size == expected.size
      end

      def same?(expected, actual)
        ::RSpec::Matchers.is_a_matcher?(expected) ? expected.matches?(actual) : expected.to_s == actual.to_s
      end
    end
  end
end
