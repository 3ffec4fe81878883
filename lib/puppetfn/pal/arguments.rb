# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pal
      # Checks of arguments, with Puppet's messages.
      #
      # @api private
      module Arguments
        module_function

        # @raise [Puppet::Pops::Types::TypeAssertionError]
        def type(text, value, what, allow_nil: false)
          Puppetfn::Type.parse(text).assert("Puppet Pal: #{what}", value) unless allow_nil && value.nil?
        end

        def non_empty_string(value, what, allow_nil: false)
          type("String[1]", value, what, allow_nil: allow_nil)
        end

        def strings(value, what, allow_nil: false)
          type("Array[String[1]]", value, what, allow_nil: allow_nil)
        end

        # @raise [ArgumentError]
        def mutually_exclusive(one, other, one_name, other_name)
          raise Puppetfn::Error[ArgumentError], "Cannot use '#{one_name}' and '#{other_name}' at the same time" if one && other
        end

        # @raise [ArgumentError] when the value is not a String
        def string(value, name)
          raise Puppetfn::Error[ArgumentError], "The argument '#{name}' must be a String, got #{value.class}" unless value.is_a?(String)
        end
      end
    end
  end
end
