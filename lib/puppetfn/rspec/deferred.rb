# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Makes the calls that values of a catalog leave to the agent.
    #
    # @api private
    class Deferred
      # @param runtime [Runtime]
      def initialize(runtime)
        @runtime = runtime
      end

      # @param resource [Puppet::Resource] gets the results in place of the calls
      # @return [void]
      # @raise [StandardError] whatever a function raises
      def resolve_in(resource)
        resource.parameters.each do |name, value|
          next unless deferred?(value)

          resolved = resolve(value)
          if resolved.is_a?(Puppet::Pops::Types::PSensitiveType::Sensitive)
            resolved = resolved.unwrap
            resource.sensitive_parameters |= [name]
          end
          resource.parameters[name] = resolved
        end
      end

      private

      def deferred?(value)
        case value
        when Array then value.any? { |element| deferred?(element) }
        when Hash then value.any? { |_, element| deferred?(element) }
        when Puppet::Pops::Types::PSensitiveType::Sensitive then deferred?(value.unwrap)
        when PuppetObject then value._pcore_type.name == "Deferred"
        # The value that it wraps takes its place then, too.
        when Puppet::Pops::Types::PBinaryType::Binary then true
        else false
        end
      end

      def resolve(value)
        return value unless deferred?(value)

        case value
        when Array then value.map { |element| resolve(element) }
        when Hash then value.transform_values { |element| resolve(element) }
        when Puppet::Pops::Types::PSensitiveType::Sensitive then value.class.new(resolve(value.unwrap))
        when Puppet::Pops::Types::PBinaryType::Binary then value.binary_buffer
        else call(value.name, resolve_all(value.arguments))
        end
      end

      def resolve_all(arguments)
        (arguments || []).map { |argument| resolve(argument) }
      end

      # A name with a dollar names a variable, and the arguments are the path to a part of its value.
      def call(name, arguments)
        return @runtime.call_function(name, *arguments) unless name.start_with?("$")

        @runtime.call_function("dig", @runtime.scope[name.delete_prefix("$")], *arguments)
      end
    end
  end
end
