# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The parameters of a resource, as specs compare them: texts count, so that 1 is "1".
    #
    # @api private
    class Parameters
      class << self
        # @param expected [Hash{Symbol=>Object}]
        # @param unset [Array<Symbol>]
        # @param refused [Hash{Symbol=>Object}]
        # @return [Array<String>] what is asked for, in words
        def describe(expected, unset, refused)
          wishes = expected.map { |name, value| value.nil? ? "#{name} undefined" : "#{name} #{shown(name, value, "=")}" } +
            unset.map { |name| "#{name} undefined" } + refused.map { |name, value| "#{name} #{shown(name, value, "!")}" }
          wishes.empty? ? [] : ["with #{wishes.join(", ")}"]
        end

        private

        # The content of files is too long to be shown.
        def shown(name, value, sign)
          return "supplied string" if name == :content && value.is_a?(String) && sign == "="

          "#{sign}#{value.is_a?(Regexp) ? "~" : ">"} #{value.inspect}"
        end
      end

      # @param resource [Puppet::Parser::Resource]
      # @param asked [Array<Symbol>] the parameters that count in any case
      def initialize(resource, asked)
        @values = resource.to_hash
        resource.sensitive_parameters.each { |name| @values[name] = Sensitive.new(unwrapped(@values[name])) }
        # Every resource has the parameter that its title stands for.
        name_parameter = (resource.to_hash.keys - resource.parameters.keys).first || :name
        @values.delete(name_parameter) unless asked.include?(name_parameter)
      end

      # @return [Integer] how many are set
      def count
        @values.size
      end

      # @param expected [Hash{Symbol=>Object}] what parameters have to be
      # @param unset [Array<Symbol>] parameters that must not be set
      # @param refused [Hash{Symbol=>Object}] what parameters must not be
      # @return [Array<String>] what is not as it has to be
      def problems(expected, unset, refused)
        wrong = expected.reject { |name, value| value.nil? ? @values[name].nil? : same?(value, @values[name], listed: true) }
          .map { |name, value| "expected #{name} to be #{value.nil? ? "undefined" : value.inspect}, and it is #{shown(name)}" }
        wrong += unset.reject { |name| @values[name].nil? }
          .map { |name| "expected #{name} to be undefined, and it is #{shown(name)}" }
        wrong + refused.select { |name, value| same?(value, @values[name], listed: true) }
          .map { |name, value| "expected #{name} not to be #{value.inspect}" }
      end

      private

      def shown(name)
        @values[name].nil? ? "undefined" : @values[name].inspect
      end

      def unwrapped(value)
        value.respond_to?(:unwrap) ? value.unwrap : value
      end

      # Puppet makes a value of a list with one, which specs need not know.
      def same?(expected, actual, listed: false)
        actual = [actual] if listed && expected.is_a?(Array) && !actual.is_a?(Array)
        return false if actual.nil? && !expected.nil? && !expected.is_a?(Proc)

        case expected
        when Proc then expected.call(actual)
        when Regexp then expected.match?(actual.to_s)
        when Hash then same_entries?(expected, actual)
        when Array then same_elements?(expected, actual)
        when Puppet::Pops::Types::PSensitiveType::Sensitive then expected == actual
        else ::RSpec::Matchers.is_a_matcher?(expected) ? expected.matches?(actual) : expected.to_s == actual.to_s
        end
      end

      def same_entries?(expected, actual)
        actual.is_a?(Hash) && actual.size == expected.size &&
          expected.all? { |key, value| same?(value, actual.fetch(key) { actual[key.to_s] }) }
      end

      def same_elements?(expected, actual)
        actual.is_a?(Array) && actual.size == expected.size &&
          expected.zip(actual).all? { |value, element| same?(value, element) }
      end
    end
  end
end
