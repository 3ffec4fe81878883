# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The stand-in for a function in an example, whoever calls it: Puppet code, other functions or the example.
    #
    #   mock = mock_function("mymodule::secret").with_params("db").and_return("s3cret")
    #   mock_function("mymodule::now") { |*args| Time.at(0) }
    #   ...
    #   expect(mock.call_count).to eq(1)
    #
    # Without {#with_params} it takes all arguments; without an answer it returns nil.
    class FunctionMock
      # A call that no answer matches. Like the errors of RSpec's mocks, it is not a StandardError: functions must not
      # take it for an error of their own.
      class UnexpectedCall < Exception; end # rubocop:disable Lint/InheritException

      # @return [String]
      attr_reader :name

      # @return [Array<Array<Object>>] the arguments of each call, in their order
      attr_reader :calls

      # @param name [String]
      # @yield the body of the function
      def initialize(name, &answer)
        @name = name
        @calls = []
        @answers = []
        @default = answer
      end

      # Limits the following answers to calls with these arguments.
      #
      # @param params [Array<Object>] values, which may contain matchers of RSpec
      # @yield the body of the function for these arguments
      # @return [self]
      def with_params(*params, &answer)
        @answers.unshift([params, answer])
        self
      end

      # @param values [Array<Object>] the results of the calls, one after the other; the last one for all that follow
      # @return [self]
      def and_return(*values)
        answer { values.size > 1 ? values.shift : values.first }
      end

      # @param error [Class, Exception, String] as `raise` takes it
      # @param message [Array<String>]
      # @return [self]
      def and_raise_error(error, *message)
        answer { raise error, *message }
      end

      # @return [Integer] number of calls
      def call_count
        calls.size
      end

      # @param params [Array<Object>] values, which may contain matchers of RSpec; none for any
      # @return [Boolean] whether the function was called, or called with these arguments
      def called?(*params)
        params.empty? ? calls.any? : calls.any? { |call| matching?(params, call) }
      end

      # Answers a call.
      #
      # @api private
      def call(arguments, &block)
        @calls << arguments
        _, answer = @answers.find { |params, _| matching?(params, arguments) }
        answer ||= @default
        raise UnexpectedCall, unexpected(arguments) unless answer || @answers.empty?

        answer&.call(*arguments, &block)
      end

      # @return [String]
      def inspect
        "#<#{self.class} #{name}, called #{call_count} time#{"s" if call_count != 1}>"
      end

      private

      def answer(&answer)
        if @answers.empty? then @default = answer else @answers.first[1] = answer end
        self
      end

      def matching?(params, arguments)
        ::RSpec::Support::FuzzyMatcher.values_match?(params, arguments)
      end

      def unexpected(arguments)
        expected = @answers.map { |params, _| list(params) }.reverse
        "#{name}(): the mock expects the arguments #{expected.join(" or ")}, got #{list(arguments)}"
      end

      def list(values)
        "(#{values.map(&:inspect).join(", ")})"
      end
    end
  end
end
