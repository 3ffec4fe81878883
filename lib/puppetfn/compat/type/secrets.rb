# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The secrets of a resource, to redact: the values of parameters that were Sensitive.
      #
      # @api private
      class Secrets
        UNSAID = "a value is Sensitive, so that what is wrong with it is not shown"
        # Shorter secrets are found as whole words only: their letters are in any text.
        SHORT = 4
        # Stands for one that a message quotes.
        REDACTED = "[value redacted]"
        private_constant :UNSAID, :SHORT, :REDACTED

        # @return [Array<Symbol>] the names of these parameters
        attr_reader :names

        # @param names [Array<Symbol>]
        # @param values [Hash{Symbol=>Object}] of all parameters
        def initialize(names, values)
          @names = names
          @values = values
        end

        # @param name [Symbol]
        # @return [Boolean] whether the parameter is one of them
        def name?(name)
          @names.include?(name)
        end

        # @param value [Object]
        # @return [Boolean] whether a secret is in the value, or in the text that it makes
        def in?(value)
          return false if @names.empty?

          secrets.match?(value.to_s)
        end

        # Returns the names of the parameters with secrets, including parameters that were derived from others.
        #
        # @param values [Hash{Symbol=>Object}]
        # @return [Array<Symbol>]
        def names_in(values)
          values.filter_map { |name, value| name if name?(name) || in?(value) }
        end

        # Returns a failure without its secrets. Where its message quotes a secret, the rest can be shown; where a secret stands
        # without quotes, its place could tell which word of the message it is.
        #
        # @param error [Exception]
        # @return [Exception, String] the error, unless its message has a secret
        def problem(error)
          return error unless in?(error)

          rest = error.to_s.split(quoted, -1)
          rest.any? { |part| in?(part) } ? UNSAID : rest.join(REDACTED)
        end

        private

        def quoted
          any = Regexp.union(texts).source
          /"(?:#{any})"|'(?:#{any})'/i
        end

        # The texts in which the values can appear: as they are, and as Ruby shows them.
        def texts
          texts = parts(@values.values_at(*@names)).map(&:to_s).reject(&:empty?)
          texts.flat_map { |text| [text, text.inspect[1..-2]] }.uniq
        end

        # Where they are in texts, in upper or lower case.
        def secrets
          @secrets ||= begin
            short, long = texts.map { |text| [text, Regexp.escape(text)] }.partition { |text, _| text.length < SHORT }
            Regexp.new([*long.map(&:last), *short.map { |_, text| "(?<!\\w)#{text}(?!\\w)" }].join("|"), Regexp::IGNORECASE)
          end
        end

        def parts(value)
          case value
          when Hash then parts(value.to_a)
          when Array then value.flat_map { |part| parts(part) }
          else [value]
          end
        end
      end
    end
  end
end
