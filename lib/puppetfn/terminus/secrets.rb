# frozen_string_literal: true

module Puppetfn
  module Terminus
    # The sensitive values of catalogs, which reports redact wherever else in the catalog they are used.
    #
    # @api private
    class Secrets
      REDACTED = "[value redacted]"
      # Shorter texts occur in unrelated values.
      MIN_LENGTH = 4
      TYPE_KEY = "__ptype"
      VALUE_KEY = "__pvalue"
      SENSITIVE = "Sensitive"
      private_constant :MIN_LENGTH, :TYPE_KEY, :VALUE_KEY, :SENSITIVE

      # @param catalogs [Array<Hash>] JSON
      def initialize(catalogs)
        @texts = []
        catalogs.each { |catalog| catalog["resources"].each { |resource| collect(resource) } }
        @texts = @texts.uniq.select { |text| text.length >= MIN_LENGTH }.sort_by { |text| -text.length }
      end

      # Returns the value without anything sensitive.
      #
      # @param value [Object] of JSON
      # @return [Object]
      def redact(value)
        case value
        when Hash
          return REDACTED if value[TYPE_KEY] == SENSITIVE

          value.each_with_object({}) { |(key, element), all| all[redact(key)] = redact(element) }
        when Array then value.map { |element| redact(element) }
        when String then @texts.reduce(value) { |text, secret| text.gsub(secret, REDACTED) }
        else value
        end
      end

      private

      def collect(resource)
        parameters = resource["parameters"] || {}
        names = resource["sensitive_parameters"] || []
        parameters.each { |name, value| names.include?(name) ? add(value) : find(value) }
      end

      def find(value)
        case value
        when Hash
          return add(value[VALUE_KEY]) if value[TYPE_KEY] == SENSITIVE

          value.each_value { |element| find(element) }
        when Array then value.each { |element| find(element) }
        end
      end

      def add(value)
        case value
        when Hash, Array then value.each { |element| add(element) }
        when String, Integer, Float then @texts << value.to_s
        end
      end
    end
  end
end
