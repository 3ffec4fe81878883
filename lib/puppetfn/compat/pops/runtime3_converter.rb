# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      module Evaluator
        # Converts values to the form that they had in Puppet 3.
        class Runtime3Converter
          INTEGERS = (-2**63..2**63 - 1)
          private_constant :INTEGERS

          class << self
            # @return [Runtime3Converter]
            def instance
              @instance ||= new
            end

            # (see Runtime3Converter#map_args)
            def map_args(args, scope, undef_value)
              instance.map_args(args, scope, undef_value)
            end

            # (see Runtime3Converter#convert)
            def convert(value, scope, undef_value)
              instance.convert(value, scope, undef_value)
            end
          end

          # @param args [Array<Object>]
          # @param scope [Scope]
          # @param undef_value [Object] replacement for undef outside of arrays and hashes
          # @return [Array<Object>]
          def map_args(args, scope, undef_value)
            args.map { |argument| convert(argument, scope, undef_value) }
          end

          # @param value [Object]
          # @param scope [Scope] is ignored
          # @param undef_value [Object] replacement for undef outside of arrays and hashes
          # @return [Object]
          def convert(value, scope, undef_value) # rubocop:disable Lint/UnusedMethodArgument
            value.nil? || value == :undef ? undef_value : converted(value)
          end

          private

          def converted(value)
            case value
            # Functions may change a String that they are given.
            when String then value.frozen? ? value.dup : value
            when Integer then integer(value)
            when Array then value.map { |element| converted(element) }
            when Hash then value.to_a.to_h { |key, element| [converted(key), converted(element)] }
            when :undef then nil
            when Types::Iterator then raise Error, "Use of an Iterator is not supported here"
            when Types::PCatalogEntryType then Resource.new(*reference(value))
            else decimal?(value) ? decimal(value) : value
            end
          end

          def integer(value)
            return value if INTEGERS.cover?(value)

            bound = value.negative? ? "min" : "max"
            raise Error, "Use of a Ruby Integer outside of Puppet Integer #{bound} range, got '#{format("0x%x", value)}'"
          end

          def decimal?(value)
            defined?(::BigDecimal) && value.is_a?(::BigDecimal)
          end

          def decimal(value)
            float = value.to_f
            return float if float == value

            raise Error, "Use of a Ruby BigDecimal value outside Puppet Float range, got '#{value}'"
          end

          # Returns the type and title of a type of a catalog entry.
          def reference(type)
            case type
            when Types::PClassType then ["class", type.class_name&.delete_prefix("::")]
            when Types::PResourceType
              type_name = type.type_name&.delete_prefix("::")
              return ["class", type.title&.delete_prefix("::")] if type_name&.casecmp?("class")

              [type_name&.downcase, type.title || ""]
            else
              raise ArgumentError, "Cannot split the type #{type.class}, it represents neither a PClassType, " \
                                   "nor a PResourceType."
            end
          end
        end

        # Converts arguments to the form that functions of the 3.x API expect, and their results to values of Puppet 4.
        class Runtime3FunctionArgumentConverter < Runtime3Converter
          # @param value [Object] the result of a function
          # @return [Object] the same, with undef in place of `:undef`
          def self.convert_return(value)
            case value
            when :undef then nil
            when Array then value.map { |element| convert_return(element) }
            when Hash then value.to_a.to_h { |key, element| [convert_return(key), convert_return(element)] }
            else value
            end
          end

          private

          def converted(value)
            case value
            when Regexp then value.inspect
            when SemVer, SemVerRange, Binary, TimeData then value.to_s
            else super
            end
          end
        end
      end
    end
  end
end
