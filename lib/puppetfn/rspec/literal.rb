# frozen_string_literal: true

module Puppetfn
  module RSpec
    # A Ruby value as rspec-puppet writes it in the Puppet language: as `inspect` shows it, mostly.
    #
    # @api private
    class Literal
      # Strings that Puppet reads as Ruby shows them.
      PLAIN_STRING = /\A(?:[^\\]|\\["\\nrt])*\z/
      # Integers that Puppet has.
      INTEGERS = ((-2**63)...(2**63))
      private_constant :PLAIN_STRING, :INTEGERS

      # @param value [Object]
      def initialize(value)
        @value = value
      end

      # Returns the value in the Puppet language.
      #
      # @return [String]
      def to_s
        write(@value)
      end

      # @return [Boolean] whether {#value} is the value of the code
      def plain?
        plain_value?(@value)
      end

      # @return [Object] the value of the code
      def value
        read(@value)
      end

      private

      def write(value)
        case value
        when Hash then "{ #{value.map { |key, element| "#{write(key)} => #{write(element)}" }.join(", ")} }"
        when Array then "[ #{value.map { |element| write(element) }.join(", ")} ]"
        when :default, :undef then value.name
        when Symbol then write(value.name)
        else value.inspect.gsub("$", "\\$")
        end
      end

      def plain_value?(value)
        case value
        when Hash then value.all? { |pair| plain_value?(pair) }
        when Array then value.all? { |element| plain_value?(element) }
        when Symbol then plain_value?(value.name)
        when String then value.instance_of?(String) && value.encoding == Encoding::UTF_8 && value.inspect.match?(PLAIN_STRING)
        when Integer then INTEGERS.cover?(value)
        when Float then value.finite?
        else [nil, true, false].include?(value)
        end
      end

      # Ruby's nil is written as the word nil, which is a string.
      def read(value)
        case value
        when Hash then value.to_h { |key, element| [read(key), read(element)] }
        when Array then value.map { |element| read(element) }
        when :undef then nil
        when :default then :default
        when Symbol then value.name
        when nil then "nil"
        else value
        end
      end
    end
  end
end
