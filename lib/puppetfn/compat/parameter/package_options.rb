# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Parameter
      # Options of a command, as texts and Hashes.
      class PackageOptions < Parameter
        def unsafe_munge(values)
          values = [values] unless values.is_a?(Array)
          values.map do |value|
            case value
            when Hash then value.to_h { |option, setting| [quote(option), quote(setting)] }
            when String then quote(value)
            else fail("Expected either a string or hash of options")
            end
          end
        end

        # @return [String] with quotes around it if it has a space
        def quote(value)
          value.include?(" ") ? "\"#{value.gsub('"', '\"')}\"" : value
        end
      end
    end
  end
end
