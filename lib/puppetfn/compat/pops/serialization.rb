# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      # Values as data that JSON can hold.
      module Serialization
        extend StandIn

        autoload :FromDataConverter, "#{__dir__}/from_data"

        PCORE_TYPE_KEY = "__ptype"
        PCORE_VALUE_KEY = "__pvalue"

        # A value cannot be written as data.
        class SerializationError < Error; end

        # Converts a value to data: undef, booleans, numbers, strings, and arrays and hashes of data.
        #
        # With `rich_data: true` other values become a Hash that names their type, otherwise a String.
        class ToDataConverter
          # @param value [Object]
          # @param options [Hash] `:rich_data`, `:symbol_as_string`, `:local_reference`, `:message_prefix`
          # @return [Object]
          def self.convert(value, options = {})
            new(options).convert(value)
          end

          # @param options [Hash] see {convert}
          def initialize(options = {})
            @rich_data = options.fetch(:rich_data, false)
            @symbol_as_string = options.fetch(:symbol_as_string, false)
            @local_reference = options.fetch(:local_reference, true)
            @message_prefix = options[:message_prefix]
          end

          # @param value [Object]
          # @return [Object]
          # @raise [PreformattedError] for a value that contains itself, when references are not wanted
          def convert(value)
            @path = []
            @seen = {}.compare_by_identity
            @open = {}.compare_by_identity
            to_data(value)
          end

          private

          def to_data(value)
            case value
            when nil, true, false, Integer, Float then value
            when String then string(value)
            when :default then default
            when Symbol then symbol(value)
            when Array then once(value) { value.each_with_index.map { |element, at| within(at) { to_data(element) } } }
            when Hash then once(value) { hash(value) }
            when Puppetfn::Sensitive then once(value) { tagged("Sensitive", to_data(value.unwrap)) }
            else other(value)
            end
          end

          def string(value)
            return value unless @rich_data && value.encoding == Encoding::BINARY

            tagged("Binary", [value].pack("m0"))
          end

          def default
            @rich_data ? tagged("Default") : converted("the special value default", "default")
          end

          def symbol(value)
            return value.name if @symbol_as_string

            @rich_data ? tagged("Symbol", value.name) : converted_value(value)
          end

          def hash(value)
            if value.each_key.all? { |key| key.is_a?(String) && key != PCORE_TYPE_KEY }
              return value.to_h { |key, element| [key, within(key) { to_data(element) }] }
            end
            return tagged("Hash", value.flat_map { |key, element| pair(to_data(key), element) }) if @rich_data

            value.to_h do |key, element|
              key = key.is_a?(Symbol) && @symbol_as_string ? key.name : string_key(key)
              [key, within(key) { to_data(element) }]
            end
          end

          def pair(key, element)
            [key, within(key) { to_data(element) }]
          end

          def string_key(key)
            key.is_a?(String) ? key : converted("a hash with #{a_class(key)} key", text(key))
          end

          def other(value)
            return converted_value(value) unless @rich_data

            case value
            when Regexp then tagged("Regexp", regexp_source(value))
            when TimeData, SemVer, SemVerRange, Binary then tagged(Puppetfn::Type.infer(value).simple_name, value.to_s)
            when Puppetfn::Type then raise UnavailableError, "The type #{value} as data"
            else converted_value(value)
            end
          end

          def converted_value(value)
            converted("#{a_class(value)} value", text(value))
          end

          def converted(what, text)
            Puppet.warning("#{place} contains #{what}. It will be converted to the String '#{text}'")
            text
          end

          def text(value)
            value.is_a?(Regexp) ? "/#{regexp_source(value)}/" : value.to_s
          end

          # The options come in another order here than Ruby has them.
          def regexp_source(regexp)
            options = {"i" => Regexp::IGNORECASE, "m" => Regexp::MULTILINE, "x" => Regexp::EXTENDED}
            on, off = options.partition { |_, option| regexp.options.anybits?(option) }.map { |part| part.map(&:first).join }
            return regexp.source if on.empty?

            "(?#{on}#{"-#{off}" unless off.empty?}:#{regexp.source})"
          end

          def a_class(value)
            name = value.class.to_s
            "#{name.match?(/\A[AEIOU]/) ? "an" : "a"} #{name}"
          end

          # Turns a value that occurs again into a reference to its first place, if that can be written.
          def once(value, &block)
            first = @seen[value]
            return tagged("LocalRef", json_path(first)) if first && @local_reference && first.all? { |part| scalar?(part) }

            @seen[value] ||= @path.dup
            within_itself_refused(value, &block)
          end

          def within_itself_refused(value)
            if @open[value]
              raise PreformattedError, "Evaluation Error: Endless recursion detected when attempting to " \
                                       "serialize value of class #{value.class}"
            end

            @open[value] = true
            yield
          ensure
            @open.delete(value)
          end

          def scalar?(part)
            case part
            when nil, true, false, Numeric, String then true
            else false
            end
          end

          def within(part)
            @path.push(part)
            yield
          ensure
            @path.pop
          end

          def tagged(name, *value)
            value.empty? ? {PCORE_TYPE_KEY => name} : {PCORE_TYPE_KEY => name, PCORE_VALUE_KEY => value.first}
          end

          def place
            "#{@message_prefix}#{json_path(@path).delete_prefix("$")}"
          end

          def json_path(path)
            "$#{path.map { |part| "[#{json_path_part(part)}]" }.join}"
          end

          def json_path_part(part)
            case part
            when nil then "null"
            when String then "'#{part.gsub(/[\\']/) { |c| "\\#{c}" }}'"
            else part.to_s
            end
          end
        end
      end
    end
  end
end
