# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      # The operations on types, in the places where Puppet has them.
      module Types
        # Answers to `singleton`, as the stateless classes of Puppet do.
        module Singleton
          # @return [Object] an instance, always the same
          def singleton
            @singleton ||= new
          end
        end

        # Questions about types and values.
        class TypeCalculator
          extend Singleton
          extend StandIn

          class << self
            # @return [Boolean] whether every value of one type is of another
            def assignable?(expected, actual)
              type_of(expected).assignable?(type_of(actual))
            end

            # @return [Boolean]
            def instance?(type, value)
              type = TypeFactory.type_of(type) if type.is_a?(::Module)
              type.is_a?(Puppetfn::Type) && type.instance?(value)
            end

            # @return [Boolean] whether a callable type accepts arguments
            def callable?(callable, args)
              callable.callable_with?(args)
            end

            # @return [Type]
            def infer(value)
              Puppetfn::Type.infer(value)
            end

            # @return [Type] more detailed than {infer}: the type of each element counts
            def infer_set(value)
              Puppetfn::Type.infer_set(value)
            end

            # @return [Type]
            def generalize(type)
              type.generalize
            end

            # @return [Boolean]
            def is_kind_of_callable?(type, optional = true)
              type.kind_of_callable?(optional)
            end

            private

            def type_of(type)
              type.is_a?(::Module) ? TypeFactory.type_of(type) : type
            end
          end

          %i[assignable? instance? callable? infer infer_set generalize].each do |operation|
            define_method(operation) { |*args| self.class.public_send(operation, *args) }
          end

          # @return [Type] the type of a value without its size and range
          def infer_generic(value)
            infer(value).generalize
          end

          # @return [Type] the closest type of both
          def common_type(first, second)
            Puppetfn::Type.common(first, second)
          end

          # @return [Type] of a Ruby class
          def type(ruby_class)
            TypeFactory.type_of(ruby_class)
          end

          # @return [String]
          def string(type)
            type.to_s
          end
        end

        # Makes types from their text.
        class TypeParser
          extend Singleton

          # @param string [String]
          # @param context [Loader, Scope, nil] the resolver of aliases; the runtime at work by default
          # @return [Type]
          # @raise [ParseError] when it is not the text of a type
          def parse(string, context = nil)
            Puppetfn::Type.parse(string, loader_of(context))
          end

          private

          def loader_of(context)
            case context
            when Puppetfn::Scope then context.runtime.loader
            when nil then Runtime.current&.loader
            else context
            end
          end
        end

        # Describes why a value is not of a type.
        class TypeMismatchDescriber
          extend Singleton

          class << self
            # @return [String] why no signature of a function accepts arguments
            def describe_signatures(*)
              raise UnavailableError.new("Puppet::Pops::Types::TypeMismatchDescriber.describe_signatures",
                "Call the function: the error says it.")
            end
          end

          # @param name [String] the name of the value in the message
          # @param expected [Type]
          # @param actual [Type] as {TypeCalculator.infer_set} makes it
          # @return [String]
          def describe_mismatch(name, expected, actual)
            expected.describe_mismatch(name, actual)
          end
        end

        # Checks values, and raises a {TypeAssertionError}.
        module TypeAsserter
          module_function

          # @param subject [String, Array, nil] the name of the value in the message; a block computes the name from this
          # @return [Object] the value
          def assert_instance_of(subject, expected_type, value, nil_ok = false)
            return value if (value.nil? && nil_ok) || expected_type.instance?(value)

            subject = yield(subject) if block_given?
            fail_assertion(subject, "has wrong type", expected_type, Puppetfn::Type.infer_set(value))
          end

          # @return [Type] the type that was checked
          def assert_assignable(subject, expected_type, type_to_check)
            return type_to_check if expected_type.assignable?(type_to_check)

            subject = yield(subject) if block_given?
            fail_assertion(subject, "is incorrect", expected_type, type_to_check)
          end

          def fail_assertion(subject, what, expected, actual)
            subject = format(*subject) if subject.is_a?(Array)
            raise TypeAssertionError.new(expected.describe_mismatch("#{subject} #{what},", actual), expected, actual)
          end
          private_class_method :fail_assertion
        end

        # Shows types.
        class TypeFormatter
          extend Singleton
          extend StandIn

          # @param value [Object] a type, or another value
          # @return [String] the value as the Puppet language writes it
          def self.string(value)
            ValueText.of(value)
          end

          # (see TypeFormatter.string)
          def string(value)
            ValueText.of(value)
          end

          # @return [String] the text, with the resolved type of each alias after its name
          def alias_expanded_string(type)
            type.to_alias_expanded_s
          end
        end

        # Makes strings of values, as `String.new` does.
        class StringConverter
          extend Singleton

          # @param value [Object]
          # @param string_formats [String, Hash{Type=>Object}, :default]
          # @return [String]
          def self.convert(value, string_formats = :default)
            singleton.convert(value, string_formats)
          end

          # (see StringConverter.convert)
          def convert(value, string_formats = :default)
            return "" if (value.nil? || value == :undef) && string_formats == :default

            value = nil if value == :undef
            formats = string_formats == :default || (string_formats.is_a?(Hash) && string_formats.empty?) ? [] : [string_formats]
            Runtime.current!("Puppet::Pops::Types::StringConverter").call_function("new", TypeFactory.string, value, *formats)
          end
        end
      end
    end
  end
end
