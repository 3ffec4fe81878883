# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      module Types
        # Values as the Puppet language writes them (`pops/types/type_formatter.rb`).
        #
        # @api private
        module ValueText
          # Characters that only a text in double quotes can have.
          ESCAPED = {"\n" => "\\n", "\r" => "\\r", "\t" => "\\t"}.freeze
          private_constant :ESCAPED

          module_function

          # @param value [Object]
          # @return [String]
          def of(value)
            case value
            when Puppetfn::Type then value.to_s
            when nil, :undef then "undef"
            when String then quoted(value)
            when Regexp then value.options.zero? ? value.inspect : "/#{value}/"
            when Array then "[#{value.map { |element| of(element) }.join(", ")}]"
            when Hash then "{#{value.map { |key, element| "#{of(key)} => #{of(element)}" }.join(", ")}}"
            else value.to_s
            end
          end

          # @param text [String]
          # @return [String]
          def quoted(text)
            return "'#{text.gsub(/[\\']/) { |char| "\\#{char}" }}'" unless text.match?(/[\n\r\t\e]|[[:cntrl:]]/)

            escaped = text.gsub(/[\\"$]/) { |char| "\\#{char}" }
            "\"#{escaped.gsub(/[[:cntrl:]]/) { |char| ESCAPED.fetch(char) { format("\\u{%X}", char.ord) } }}\""
          end
        end
      end
    end
  end
end
