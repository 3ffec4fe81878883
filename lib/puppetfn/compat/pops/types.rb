# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      # Types under the names that Puppet has for them.
      #
      # A type is a {Puppetfn::Type} of the class of its kind, so that `type.is_a?(PIntegerType)` and
      # `case type when PArrayType` work as in Puppet.
      module Types
        extend StandIn

        # What the class of a kind of type can do.
        module Kind
          # @return [String] the name of the type in the Puppet language, nil for abstract kinds
          attr_accessor :type_name

          # The type of this kind without parameters is its constant `DEFAULT`.
          def const_missing(name)
            return super unless name == :DEFAULT && type_name

            const_set(:DEFAULT, Type.parse(type_name))
          end

          # A type of this kind.
          #
          # @param parameters [Array<Object>] as Puppet's class takes them
          # @return [Type]
          def new(*parameters)
            factory = FACTORIES[type_name]
            return TypeFactory.public_send(factory, *parameters) if factory
            raise UnavailableError, "#{name.delete_prefix("Puppetfn::")}.new" unless type_name

            TypeFactory.build(type_name, *parameters.flatten(1).compact)
          end

          # The kinds whose parameters are not simply those between the brackets.
          FACTORIES = {
            "Integer" => :range, "Float" => :float_range, "String" => :string, "Array" => :array_of,
            "Hash" => :hash_kv, "Tuple" => :tuple, "Optional" => :optional, "Regexp" => :regexp, "Runtime" => :runtime
          }.freeze
          private_constant :FACTORIES
        end

        # Each class, with the one that it descends from and the name of its type.
        [
          [:PAnyType, nil, "Any"],
          [:PTypeWithContainedType, :PAnyType, nil],
          [:PTypeType, :PTypeWithContainedType, "Type"],
          [:PNotUndefType, :PTypeWithContainedType, "NotUndef"],
          [:POptionalType, :PTypeWithContainedType, "Optional"],
          [:PIterableType, :PTypeWithContainedType, "Iterable"],
          [:PIteratorType, :PTypeWithContainedType, "Iterator"],
          [:PSensitiveType, :PTypeWithContainedType, "Sensitive"],
          [:PInitType, :PTypeWithContainedType, "Init"],
          [:PUndefType, :PAnyType, "Undef"],
          [:PUnitType, :PAnyType, "Unit"],
          [:PDefaultType, :PAnyType, "Default"],
          [:PScalarType, :PAnyType, "Scalar"],
          [:PScalarDataType, :PScalarType, "ScalarData"],
          [:PEnumType, :PScalarDataType, "Enum"],
          [:PNumericType, :PScalarDataType, "Numeric"],
          [:PIntegerType, :PNumericType, "Integer"],
          [:PFloatType, :PNumericType, "Float"],
          [:PStringType, :PScalarDataType, "String"],
          [:PPatternType, :PScalarDataType, "Pattern"],
          [:PBooleanType, :PScalarDataType, "Boolean"],
          [:PRegexpType, :PScalarType, "Regexp"],
          [:PSemVerType, :PScalarType, "SemVer"],
          [:PAbstractTimeDataType, :PScalarType, nil],
          [:PTimestampType, :PAbstractTimeDataType, "Timestamp"],
          [:PTimespanType, :PAbstractTimeDataType, "Timespan"],
          [:PSemVerRangeType, :PAnyType, "SemVerRange"],
          [:PBinaryType, :PAnyType, "Binary"],
          [:PURIType, :PAnyType, "URI"],
          [:PCollectionType, :PAnyType, "Collection"],
          [:PArrayType, :PCollectionType, "Array"],
          [:PHashType, :PCollectionType, "Hash"],
          [:PStructType, :PAnyType, "Struct"],
          [:PTupleType, :PAnyType, "Tuple"],
          [:PCallableType, :PAnyType, "Callable"],
          [:PVariantType, :PAnyType, "Variant"],
          [:PRuntimeType, :PAnyType, "Runtime"],
          [:PCatalogEntryType, :PAnyType, "CatalogEntry"],
          [:PClassType, :PCatalogEntryType, "Class"],
          [:PResourceType, :PCatalogEntryType, "Resource"],
          [:PTypeReferenceType, :PAnyType, "TypeReference"],
          [:PTypeAliasType, :PAnyType, "TypeAlias"],
          [:PMetaType, :PAnyType, nil],
          [:PObjectType, :PMetaType, "Object"],
          [:PTypeSetType, :PMetaType, "TypeSet"]
        ].each do |name, parent, type_name|
          kind = const_set(name, Class.new(parent ? const_get(parent) : Type))
          kind.extend(Kind) unless parent
          kind.type_name = type_name
        end

        # A value that must not be shown.
        PSensitiveType::Sensitive = Puppetfn::Sensitive

        # A value is not of the type that it has to be of.
        class TypeAssertionError < Error
          # @return [Type]
          attr_reader :expected_type, :actual_type

          def initialize(message, expected_type, actual_type)
            super(message)
            @expected_type = expected_type
            @actual_type = actual_type
          end
        end

        # A value cannot be converted to a type.
        class TypeConversionError < Error; end

        # Marks objects that have a type of their own.
        module PuppetObject; end
      end
    end
  end
end
