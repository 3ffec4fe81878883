# frozen_string_literal: true

require "rspec/matchers"
require_relative "any_subject"

module Puppetfn
  module RSpec
    # Matchers for functions.
    module FunctionMatchers
      # @return [Run] checks whether a function returns, and its result
      def run
        Run.new
      end

      # `run.with_params(...).with_lambda { }.and_return(...)` or `.and_raise_error(...)`.
      class Run
        include AnySubject

        # Failures of the process, not of the function.
        NOT_CAUGHT = [Interrupt, SignalException, NoMemoryError].freeze
        private_constant :NOT_CAUGHT

        # Sets the arguments of the call.
        #
        # @param params [Array<Object>]
        # @return [self]
        def with_params(*params)
          @params = params
          # The function may change them.
          @shown_params = params.inspect[1..-2]
          self
        end

        # Sets the lambda of the call.
        #
        # @return [self]
        def with_lambda(&block)
          @block = block
          self
        end

        # Expects a result.
        #
        # @param value [Object] a value, which may contain matchers of RSpec, or a Regexp
        # @return [self]
        def and_return(value)
          @expectation = :return
          @expected = value
          self
        end

        # Expects an error.
        #
        # @param error [Class, String, Regexp] the class, or the message
        # @param message [String, Regexp, nil]
        # @return [self]
        def and_raise_error(error, message = nil)
          @expectation = :raise
          error, message = Exception, error if error.is_a?(String) || error.is_a?(Regexp)
          @expected = error
          @expected_message = message
          self
        end

        # @param function [#execute, nil]
        # @return [Boolean]
        def matches?(function)
          @function = function
          call
          case @expectation
          when :return then returned? && matching?(@actual)
          when :raise then !returned? && matching_error?
          else returned?
          end
        end

        # @return [String]
        def description
          "run #{shown_call} #{@expectation ? "and #{expectation}" : "without error"}"
        end

        # @return [String]
        def failure_message
          "expected #{shown_call} to #{expectation_in_past}#{outcome}"
        end

        # @return [String]
        def failure_message_when_negated
          "expected #{shown_call} to not #{expectation_in_past}"
        end

        private

        def call
          @error = nil
          # Ruby would raise the same, and examples may expect it. Without a place of its own Ruby does not show the
          # code here.
          raise NoMethodError, "there is no function '#{described}' in the modules of the example", caller if @function.nil?

          @actual = @function.execute(*@params, &@block)
        rescue *NOT_CAUGHT
          raise
        rescue Exception => e # rubocop:disable Lint/RescueException
          @error = e
        end

        def described
          ::RSpec.current_example&.example_group&.top_level_description
        end

        def returned?
          @error.nil?
        end

        def matching?(actual)
          case @expected
          # Ruby 3.2 has taken `=~` from objects that match nothing.
          when Regexp then actual.respond_to?(:=~) && !(actual =~ @expected).nil?
          else actual == @expected || (matchers_in?(@expected) && ::RSpec::Support::FuzzyMatcher.values_match?(@expected, actual))
          end
        end

        def matchers_in?(value)
          case value
          when Array then value.any? { |element| matchers_in?(element) }
          when Hash then value.any? { |pair| matchers_in?(pair) }
          else ::RSpec::Matchers.is_a_matcher?(value) || value.class.name.to_s.start_with?("RSpec::Mocks::ArgumentMatchers::")
          end
        end

        def matching_error?
          return false unless @error.is_a?(@expected)

          case @expected_message
          when nil then true
          when Regexp then @expected_message.match?(@error.message)
          else @error.message == @expected_message
          end
        end

        def shown_call
          name = @function.respond_to?(:func_name) ? @function.func_name : described
          "#{name}(#{@shown_params})"
        end

        def expectation
          case @expectation
          when :return then @expected.is_a?(Regexp) ? "match #{@expected.inspect}" : "return #{shown(@expected)}"
          else
            "raise an #{@expected}#{expected_message}"
          end
        end

        # In descriptions, rspec-puppet leaves out the space before a text: reports are compared by them.
        def expected_message
          case @expected_message
          when nil then ""
          when Regexp then " with the message matching #{@expected_message.inspect}"
          else "with the message #{@expected_message.inspect}"
          end
        end

        def shown(value)
          ::RSpec::Matchers.is_a_matcher?(value) ? value.description : value.inspect
        end

        def expectation_in_past
          case @expectation
          when :return then "have returned #{shown(@expected)}"
          when :raise then "have raised #{@expected.inspect}#{" matching #{@expected_message.inspect}" if @expected_message}"
          else "have run successfully"
          end
        end

        def outcome
          if returned?
            " instead of #{"returning " if @expectation == :raise}#{@actual.inspect}"
          else
            " instead of #{"raising " if @expectation == :return}#{@error.class}(#{@error.message})\n" \
              "#{::RSpec.configuration.backtrace_formatter.format_backtrace(@error.backtrace).join("\n")}"
          end
        end
      end
    end
  end
end
