# frozen_string_literal: true

module Puppetfn
  module RSpec
    class Roles
      # A name of a class, or a pattern: `role::*`, `/^role::/`.
      #
      # @api private
      class Pattern
        # @param text [String]
        # @raise [UsageError] if it is no pattern
        def initialize(text)
          @text = text
          @pattern =
            case text
            when %r{\A/(.*)/\z} then Regexp.new(Regexp.last_match(1))
            else /\A#{Regexp.escape(text.downcase.delete_prefix("::")).gsub('\*', ".*")}\z/
            end
        rescue RegexpError => e
          raise UsageError, "#{text} is not a pattern of classes: #{e.message}"
        end

        # @param name [String]
        # @return [Boolean]
        def match?(name)
          @pattern.match?(name)
        end

        # @return [String]
        def to_s
          @text
        end
      end
    end
  end
end
