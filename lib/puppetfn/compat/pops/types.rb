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

        # Methods of the class of a kind of type.
        module Kind
          # The kinds whose parameters differ from the text between their brackets.
          FACTORIES = {
            "Integer" => :range, "Float" => :float_range, "String" => :string, "Array" => :array_of,
            "Hash" => :hash_kv, "Tuple" => :tuple, "Optional" => :optional, "Regexp" => :regexp, "Runtime" => :runtime,
            "Callable" => :callable_of
          }.freeze
          private_constant :FACTORIES

          # @return [String] the name of the type in the Puppet language, nil for abstract kinds
          attr_accessor :type_name

          # Returns a type of this kind.
          #
          # @param parameters [Array<Object>] as Puppet's class takes them
          # @return [Type]
          def new(*parameters)
            factory = FACTORIES[type_name]
            return TypeFactory.public_send(factory, *parameters) if factory
            raise UnavailableError, "#{name.delete_prefix("Puppetfn::")}.new" unless type_name

            TypeFactory.build(type_name, *parameters.flatten(1).compact)
          end

          # Defines readers for the components of a type.
          def has_parts(*names)
            names.each { |name| define_method(name) { parts[name] } }
          end
        end

        # The classes, with the type that each name alone denotes as their constant `DEFAULT`.
        Puppetfn::Type.kinds = Puppetfn::Type.kinds.to_h do |name, superclass, type_name, parts|
          kind = const_set(name, Class.new(superclass ? const_get(superclass) : Puppetfn::Type))
          kind.extend(Kind) unless superclass
          kind.type_name = type_name
          kind.has_parts(*parts)
          [name, kind]
        end
        Puppetfn::Type.defaults.each { |type| type.class.const_set(:DEFAULT, type) }

        class POptionalType
          alias optional_type type
        end

        class PRuntimeType
          alias runtime_type_name name_or_pattern

          # @return [Symbol, nil]
          def runtime
            parts[:runtime]&.to_sym
          end
        end

        class PObjectType
          # @param args [Array<Object>] the attributes
          # @return [PuppetObject]
          def create(*args)
            new(*args)
          end
        end

        class PAnyType
          # @return [Boolean] whether code can iterate over values of the type
          def iterable?(_guard = nil)
            false
          end
        end

        [PEnumType, PIntegerType, PCollectionType, PIterableType, PIteratorType, PStringType, PStructType, PTupleType].each do |kind|
          kind.define_method(:iterable?) { |_guard = nil| true }
        end

        class PTypeType
          # (see PAnyType#iterable?)
          def iterable?(_guard = nil)
            type.is_a?(PEnumType) || type.is_a?(PIntegerType) && type.finite_range?
          end
        end

        # The types whose values can be counted up, but that are no `Enumerable` in Puppet either.
        module CountedType
          # Calls the block with each value of the type.
          #
          # @return [Iterator]
          def each(&block)
            iterator = Iterable.on(self)
            block ? iterator.each(&block) : iterator
          end
        end

        class PEnumType
          include CountedType

          alias case_insensitive? case_insensitive
        end

        # An alias answers for its resolved type.
        class PTypeAliasType
          # (see PAnyType#iterable?)
          def iterable?(guard = nil)
            resolved_type.iterable?(guard)
          end

          private

          def method_missing(name, ...)
            resolved_type.respond_to?(name) ? resolved_type.public_send(name, ...) : super
          end

          def respond_to_missing?(name, include_private = false)
            resolved_type.respond_to?(name, include_private) || super
          end
        end

        class PVariantType
          include Enumerable

          # Calls the block with each of the types.
          #
          # @return [Array<Type>, Enumerator]
          def each(&block)
            block ? types.each(&block) : types.to_enum
          end
        end

        class PNumericType
          # @return [Array(Numeric, Numeric)] the limits, infinite where one is missing
          def range
            [from || -Float::INFINITY, to || Float::INFINITY]
          end

          # @return [Boolean] whether both limits exist
          def finite_range?
            !from.nil? && !to.nil?
          end

          # @return [Numeric, nil]
          def from
            nil
          end

          # @return [Numeric, nil]
          def to
            nil
          end
        end

        class PIntegerType
          include CountedType

          # @return [Integer, Float] the number of integers in the range
          def size
            finite_range? ? to - from + 1 : Float::INFINITY
          end
        end

        class PCollectionType
          # @return [Array(Integer, Numeric)] the smallest and the largest size
          def size_range
            size_type ? size_type.range : [0, Float::INFINITY]
          end
        end

        class PTupleType
          include Enumerable

          # (see PVariantType#each)
          def each(&block)
            block ? types.each(&block) : types.to_enum
          end

          # (see PCollectionType#size_range)
          def size_range
            size_type ? size_type.range : [types.size, types.size]
          end
        end

        class PStructType
          include Enumerable

          # A key of a struct, and the type of its value.
          Element = ::Struct.new(:name, :key_type, :value_type)

          # @return [Array<Element>]
          def elements
            parts[:elements].map { |element| Element.new(*element) }
          end

          # Calls the block with each of the elements.
          #
          # @return [Array<Element>, Enumerator]
          def each(&block)
            block ? elements.each(&block) : elements.to_enum
          end
        end

        # A value that must not be shown.
        PSensitiveType.const_set(:Sensitive, VALUE_CLASSES.fetch("Sensitive"))

        # A value is not of the type that it has to be of.
        class TypeAssertionError < Error
          # @return [Type, nil] nil where a function written in Rust found it out
          attr_reader :expected_type, :actual_type

          def initialize(message, expected_type = nil, actual_type = nil)
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
