# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      module Serialization
        # Turns data with names of types, as {ToDataConverter} makes it, into values.
        class FromDataConverter
          # @param value [Object]
          # @param options [Hash] `:allow_unresolved` leaves hashes with unknown types as they are
          # @return [Object]
          # @raise [SerializationError] for an unknown type
          def self.convert(value, options = {})
            new(options).convert(value)
          end

          # @param options [Hash] see {convert}
          def initialize(options = {})
            @allow_unresolved = options.fetch(:allow_unresolved, false)
          end

          # @param value [Object] data in which hashes name types
          # @return [Object] the data with typed values in place of these hashes
          def convert(value)
            case value
            when Array then value.map { |element| convert(element) }
            when Hash
              value.key?(PCORE_TYPE_KEY) ? typed(value) : value.transform_values { |element| convert(element) }
            else value
            end
          end

          private

          def typed(data)
            given = data[PCORE_VALUE_KEY]
            case data[PCORE_TYPE_KEY]
            when "Default" then :default
            when "Sensitive" then Puppetfn::Sensitive.new(convert(given))
            when "Hash" then given.each_slice(2).to_h { |key, value| [convert(key), convert(value)] }
            when "Symbol" then given.to_sym
            when "Regexp" then Regexp.new(given)
            when "LocalRef" then raise UnavailableError, "FromDataConverter of references (#{given})"
            else object(data)
            end
          end

          def object(data)
            name = data[PCORE_TYPE_KEY]
            name.is_a?(String) or raise UnavailableError, "FromDataConverter of types that are data"
            runtime = Runtime.current!("Puppet::Pops::Serialization::FromDataConverter")
            type = Puppetfn::Type.parse(name, runtime.loader)
            return unresolved(data, name) if type.is_a?(Types::PTypeReferenceType)
            return type_of(data) if name == "Type"

            attributes = data.key?(PCORE_VALUE_KEY) ? [data[PCORE_VALUE_KEY]] : [convert(data.except(PCORE_TYPE_KEY))]
            runtime.call_function("new", type, *attributes)
          end

          def type_of(data)
            Puppetfn::Type.parse(data[PCORE_VALUE_KEY], Runtime.current&.loader)
          end

          def unresolved(data, name)
            return data if @allow_unresolved

            raise SerializationError, "No implementation mapping found for Puppet Type #{name}"
          end
        end
      end
    end
  end
end
