# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # What must not be shown of a resource: the values of parameters that were Sensitive.
      #
      # @api private
      class Secrets
        UNSAID = "a value is Sensitive, so that what is wrong with it is not shown"
        # Shorter ones are looked for as words only: their letters are in any text.
        SHORT = 4
        private_constant :UNSAID, :SHORT

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

        # Returns the names of the parameters with secrets, also of those that were derived from others.
        #
        # @param values [Hash{Symbol=>Object}]
        # @return [Array<Symbol>]
        def names_in(values)
          values.filter_map { |name, value| name if name?(name) || in?(value) }
        end

        # Returns what is said of a failure.
        #
        # @param error [Exception]
        # @return [Exception, String] the error, unless its message has a secret
        def problem(error)
          in?(error) ? UNSAID : error
        end

        private

        # What the values are in texts: as they are, as Ruby shows them, and in other cases.
        def secrets
          @secrets ||= begin
            texts = parts(@values.values_at(*@names)).map(&:to_s).reject(&:empty?)
            texts = texts.flat_map { |text| [text, text.inspect[1..-2]] }.uniq
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
