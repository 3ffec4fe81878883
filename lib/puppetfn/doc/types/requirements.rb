# frozen_string_literal: true

require_relative "../syntax"
require_relative "values"

class Puppetfn::Doc
  module Types
    # What values of an attribute must be, as types of Puppet's: a value that is none of such a type makes the resource
    # fail, with a message of the type.
    #
    # @api private
    module Requirements
      # What stands for the value in messages.
      INSPECTED = "%{inspect}"
      SHOWN = "%{value}"
      CLASS = "%{class}"

      class << self
        # Returns what `newvalues` and the like require.
        #
        # @param values [Array<Symbol, String, Regexp, Boolean>]
        # @param aliases [Array<String>] other names of them
        # @param each [Boolean] whether that is required of each value of an Array
        # @return [Hash]
        def of_values(values, aliases, each)
          regexps, names = values.partition { |value| value.is_a?(Regexp) }
          names = names.map(&:to_s)
          message = +"Invalid value #{INSPECTED}."
          message << " Valid values are #{names.uniq.join(", ")}." if names.any?
          message << " Valid values match #{regexps.map(&:inspect).join(", ")}." if regexps.any?
          {type: type_of_values(names + aliases, regexps), refused: false, as_text: true, each: each, message: message}
        end

        # Returns what the block of `validate` requires.
        #
        # @return [Array<Hash>] what is required one after the other, as far as it is understood
        def of_validation(block, each, evaluation)
          Validation.new(block, evaluation).requirements.map { |requirement| requirement.merge(each: each) }
        end

        # @return [String] a type in the Puppet language
        def type_of_values(names, regexps)
          types = []
          types << "Enum[#{names.uniq.map { |name| quoted(name) }.join(", ")}]" if names.any?
          types.concat(regexps.map { |regexp| pattern(regexp) })
          types.concat(%w[true false].select { |name| names.include?(name) || regexps.any? { |regexp| regexp.match?(name) } }
            .map { |name| "Boolean[#{name}]" })
          types << "Numeric" if regexps.any? || names.any?(/\A-?\d/)
          types << "Collection" if regexps.any?
          "Variant[#{types.join(", ")}]"
        end

        # @return [String] the type of texts that a regular expression matches
        def pattern(regexp)
          source = regexp.options.zero? ? regexp.source : regexp.to_s
          "Pattern[Regexp[#{quoted(source)}]]"
        end

        # @return [String] a text in the Puppet language
        def quoted(text)
          "'#{text.gsub(/[\\']/) { |mark| "\\#{mark}" }}'"
        end
      end
    end
  end
end

require_relative "validation"
