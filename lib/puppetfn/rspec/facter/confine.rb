# frozen_string_literal: true

require "time"

module Puppetfn
  module RSpec
    module Facter
      # A condition of a resolution.
      #
      # @api private
      class Confine
        # @param fact [String, Symbol, nil]
        # @param values [Array<Object>] of which the fact must have one, or be in it or match it
        # @yieldparam value [Object] the value of the fact, if there is one
        def initialize(fact, values = [], &block)
          raise ArgumentError, "One or more values or a block must be provided" if values.empty? && !block

          @fact = fact
          @values = values
          @block = block
        end

        # An error of a block is a no.
        #
        # @return [Boolean]
        def true?
          return holds? unless @fact

          value = comparable(Facter[@fact]&.value)
          return false if value.nil?

          @block ? holds?(value) : @values.any? { |wanted| comparable(wanted) === value }
        end

        private

        def holds?(*value)
          @block.call(*value) ? true : false
        rescue StandardError
          false
        end

        # Names are compared in lower case.
        def comparable(value)
          value = value.to_s if value.is_a?(Symbol)
          value.is_a?(String) ? value.downcase : value
        end
      end

      # Values as facts have them: with keys that are strings, and strings in UTF-8.
      #
      # @api private
      module Normalization
        # Raised for a value that no fact can have.
        class Error < StandardError; end

        TYPES = [Integer, Float, TrueClass, FalseClass, NilClass, Symbol, String, Array, Hash, Date, Time].freeze
        private_constant :TYPES

        # @param value [Object]
        # @return [Object]
        # @raise [Error]
        def self.normalize(value)
          case value
          when Integer, Float, true, false, nil, Symbol then value
          when Date, Time then value.iso8601
          when String then text(value)
          when Array then value.map { |element| normalize(element) }
          when Hash then value.to_h { |key, element| [normalize(key).to_s, normalize(element)] }
          else raise Error, "Expected #{value} to be one of #{TYPES.inspect}, but was #{value.class}"
          end
        end

        def self.text(value)
          text = value.encode(Encoding::UTF_8)
          return text if text.valid_encoding?

          raise Error, "String #{value.inspect} doesn't match the reported encoding #{value.encoding}"
        rescue EncodingError
          raise Error, "String encoding #{value.encoding} is not UTF-8 and could not be converted to UTF-8"
        end
        private_class_method :text
      end
    end
  end
end
