# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The value of an attribute with its memoized outcome, shared by all resources that are given it. It becomes
      # a parameter when one is needed.
      #
      # @api private
      class KnownValue
        # @return [Object] as it was declared
        attr_reader :value

        # @return [Boolean] whether the parameter would show {#outcome}
        attr_reader :shown

        # @param attribute [Attribute]
        # @param value [String, Symbol, Numeric, Boolean]
        # @param outcome [String, Symbol, Numeric, Boolean] the value after munging
        def initialize(attribute, value, outcome)
          @attribute, @value, @outcome = attribute, value, outcome
          @shown = attribute.shown_as_is && !outcome.is_a?(String)
        end

        # @return [String, Symbol, Numeric, Boolean] a String is copied, since it can be changed in place
        def outcome
          @outcome.is_a?(String) ? @outcome.dup : @outcome
        end

        # @return [Integer] the place of the attribute in the order in which attributes are set
        def index
          @attribute.index
        end

        # @param resource [Type]
        # @return [Parameter] for the resource, with the value
        def parameter(resource)
          parameter = @attribute.make(resource)
          parameter.take(@value.is_a?(String) ? @value.dup : @value, outcome)
          parameter
        end
      end
    end
  end
end
