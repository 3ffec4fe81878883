# frozen_string_literal: true

module Puppetfn
  module Puppet
    module ResourceApi
      # The data types of attributes.
      module DataTypeHandling
        PRESENCE = %w[absent present].freeze
        private_constant :PRESENCE

        module_function

        # @param attribute [Symbol]
        # @param text [String]
        # @return [Puppetfn::Type]
        # @raise [DevError] when it is not a type
        def parse_puppet_type(attribute, text)
          Runtime.current!("the type #{text}").parse_type(text)
        rescue ParseError => e
          raise DevError, "The type of the `#{attribute}` attribute `#{text}` could not be parsed: #{e.message}"
        end

        # @param place [String] the attribute that the value belongs to, for the error
        # @return [Object] the value
        # @raise [ResourceError] when it is not of the type
        def mungify(type, value, place, _unpack_strings = false)
          value = {true: true, false: false}.fetch(value, value)
          validate(type, value, place)
          value
        end

        # @raise [ResourceError] when a value is not of a type
        def validate(type, value, place)
          problem = try_validate(type, value, place)
          raise ResourceError, problem if problem
        end

        # @return [String, nil] the problem, nil if there is none
        def try_validate(type, value, place)
          return if type.instance?(value)

          # To Puppet, a reference is the type of its resource.
          given = value.is_a?(Resource) ? Puppetfn::Type.parse("Type[Resource]") : Puppetfn::Type.infer_set(value)
          type.describe_mismatch(place, given)
        end

        # @raise [DevError] when `ensure` is of another type than it has to be
        def validate_ensure(definition)
          options = definition[:attributes][:ensure] or return

          type = parse_puppet_type(:ensure, options[:type])
          return if type == parse_puppet_type(:ensure, "Variant[Undef, Enum[present, absent]]")

          type = type.type if type.is_a?(Pops::Types::POptionalType)
          return if type.is_a?(Pops::Types::PEnumType) && type.values.sort == PRESENCE

          raise DevError, "`:ensure` attribute must have a type of: `Enum[present, absent]` or `Optional[Enum[present, absent]]`"
        end
      end
    end
  end
end
