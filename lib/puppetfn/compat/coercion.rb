# frozen_string_literal: true

module Puppetfn
  module Puppet
    # Conversion of values that stand for others.
    module Coercion
      # @param value [Object] a Boolean, or its name in any case, or `yes` or `no`
      # @return [Boolean]
      # @raise [RuntimeError] when it is not one of these
      def self.boolean(value)
        value = value.downcase if value.respond_to?(:downcase)
        case value
        when true, :true, "true", :yes, "yes" then true
        when false, :false, "false", :no, "no" then false
        else raise "expected a boolean value"
        end
      end

      # @return [Array<String>]
      def self.boolean_values
        %w[true false yes no]
      end
    end
  end
end
