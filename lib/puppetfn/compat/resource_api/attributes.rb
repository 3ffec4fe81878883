# frozen_string_literal: true

module Puppetfn
  module Puppet
    module ResourceApi
      # Behaviour that both kinds of attributes share: values are of a data type, and stay as they are.
      module Attribute
        # Accessors of the classes of attributes.
        module Definition
          # @return [Puppetfn::Type]
          attr_accessor :data_type

          # @return [Class<Puppet::Type>]
          attr_accessor :type
        end

        # @return [Object, nil] the value as the provider gets it
        def rs_value
          @value
        end

        private

        def checked(value)
          DataTypeHandling.mungify(self.class.data_type, value, "#{self.class.type.name}.#{name}")
        end
      end

      # A parameter, or an attribute that names resources.
      class Parameter < Puppet::Parameter
        include Attribute
        extend Attribute::Definition

        # @return [Object, nil]
        attr_reader :value

        munge { |value| value }

        def value=(value)
          @value = checked(value)
        end
      end

      # An attribute that only the system decides.
      class ReadOnlyParameter < Parameter
        def value=(value)
          raise ResourceError, "Attempting to set `#{name}` read_only attribute value to `#{value}`"
        end
      end

      # An attribute that is brought about.
      class Property < Puppet::Property
        include Attribute
        extend Attribute::Definition

        munge { |value| value }

        # @return [Object, nil] as Puppet needs it: it takes false for no value
        def should
          case rs_value
          when true then :true
          when false then :false
          when String then name == :ensure ? rs_value.to_sym : rs_value
          else rs_value
          end
        end

        # It may be an Array, which is one value.
        def should=(value)
          @shouldorig = value
          @should = [checked(name == :ensure ? value.to_s : value)]
        end

        def rs_value
          @should&.first
        end

        # The provider of the type is asked for all properties at once.
        def call_provider(_value); end
      end

      # Declares the values that attributes accept.
      module ValueCreator
        module_function

        # @param attribute [Class<Puppet::Parameter>]
        # @param data_type [Puppetfn::Type]
        # @param options [Hash{Symbol=>Object}]
        def create_values(attribute, data_type, options)
          attribute.isnamevar if options[:behaviour] == :namevar
          add_default(attribute, options[:default]) if options[:behaviour] != :read_only && options.key?(:default)
          data_type = data_type.type if data_type.instance_of?(Pops::Types::POptionalType)
          add_values(attribute, data_type)
          attribute.newvalues("absent", "present") if options[:type] == "Enum[present, absent]"
        end

        def add_default(attribute, value)
          case value
          when true, false then attribute.defaultto(value.to_s.to_sym)
          # A copy, so that no resource changes the default of another.
          else attribute.defaultto { Marshal.load(Marshal.dump(value)) }
          end
        end

        def add_values(attribute, data_type)
          case data_type
          when Pops::Types::PStringType then attribute.newvalues(//)
          when Pops::Types::PBooleanType then attribute.newvalues("true", "false")
          when Pops::Types::PIntegerType then attribute.newvalues(/^-?\d+$/)
          when Pops::Types::PFloatType, Pops::Types::PNumericType then attribute.newvalues(/\A[-+]?\d+(\.\d+)?([eE][-+]?\d+)?\z/)
          end
        end
        private_class_method :add_default, :add_values
      end
    end
  end
end
