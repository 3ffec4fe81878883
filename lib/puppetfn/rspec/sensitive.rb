# frozen_string_literal: true

module Puppetfn
  module RSpec
    # A sensitive value to compare with: it shows the value that it wraps, and equals every sensitive value of the same.
    class Sensitive < Puppet::Pops::Types::PSensitiveType::Sensitive
      # @return [true]
      def sensitive?
        true
      end

      # @return [String]
      def inspect
        "Sensitive(#{unwrap.inspect})"
      end
      alias to_s inspect

      # @return [Boolean] whether the other wraps the same, or a match if a Regexp is wrapped
      def ==(other)
        return super unless other.respond_to?(:unwrap)

        unwrap.is_a?(Regexp) ? unwrap.match?(other.unwrap) : unwrap == other.unwrap
      end
    end

    # Code in the Puppet language, among values.
    class RawString
      # @param code [String]
      def initialize(code)
        @code = code
      end

      # @return [String]
      def inspect
        @code
      end
    end
  end
end
