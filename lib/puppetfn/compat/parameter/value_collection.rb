# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Parameter
      # A value that a parameter can have, or a pattern for such values.
      class Value
        # @return [Symbol, String, Regexp]
        attr_reader :name

        # @return [Array<Symbol>] other names
        attr_reader :aliases

        # @return [Symbol, nil] the event of setting it
        attr_reader :event

        attr_accessor :block, :method, :required_features, :invalidate_refreshes

        def initialize(name)
          @name = name.is_a?(Regexp) ? name : convert(name)
          @aliases = []
        end

        def alias(name)
          @aliases << convert(name)
        end

        def event=(value)
          @event = convert(value)
        end

        # @return [Boolean] whether a value is this one
        def match?(value)
          return name.match?(value.to_s) if regex?

          value = convert(value)
          name == value || aliases.include?(value)
        end

        # @return [Boolean]
        def regex?
          @name.is_a?(Regexp)
        end

        private

        # An empty text has no Symbol in Puppet.
        def convert(value)
          value.is_a?(Symbol) || value == "" ? value : value.to_s.intern
        end
      end

      # The values that a parameter can have.
      class ValueCollection
        def initialize
          @values = {}
          @regexes = []
          @strings = []
        end

        # @return [Boolean] whether all values are good
        def empty?
          @values.empty?
        end

        # @param name [String, Symbol] one more name
        # @param other [String, Symbol] of this value
        # @raise [DevError] when there is no such value
        def aliasvalue(name, other)
          other = other.to_sym
          value = match?(other) or raise DevError, "Cannot alias nonexistent value #{other}"
          value.alias(name)
          @by_name = nil
        end

        # @param name [String, Symbol, Boolean, Regexp]
        # @param options [Hash] for the writers of {Value}
        # @yield sets the value
        # @return [Value]
        def newvalue(name, options = {}, &block)
          value = Value.new(name)
          @values[value.name] = value
          (value.regex? ? @regexes : @strings) << value
          @by_name = nil
          options.each { |option, setting| value.public_send("#{option}=", setting) unless option == :call }
          if block
            value.block = block
            value.method ||= "set_#{value.name}" unless value.regex?
          end
          value
        end

        def newvalues(*names)
          names.each { |name| newvalue(name) }
        end

        # @return [Value, nil] the value that something is
        def match?(value)
          by_name[value.is_a?(Symbol) ? value.name : value.to_s] || @regexes.find { |known| known.match?(value) }
        end

        # @return [Value, nil]
        def value(name)
          @values[name]
        end

        # @api private
        # @return [Array<Value>] the values and patterns, in the order of their declaration
        def all
          @values.values
        end

        # @return [Array<Symbol>]
        def values
          @strings.map(&:name)
        end

        # @return [Array<String>]
        def regexes
          @regexes.map { |value| value.name.inspect }
        end

        # @return [Object] the name of a value that has one, for its text
        def munge(value)
          known = match?(value)
          known.nil? || known.regex? ? value : known.name
        end

        # @raise [ArgumentError] when a value is none of these
        def validate(value)
          return if empty? || match?(value)

          message = "Invalid value #{value.inspect}."
          message += " Valid values are #{values.join(", ")}." unless values.empty?
          message += " Valid values match #{regexes.join(", ")}." unless regexes.empty?
          raise ArgumentError, message
        end

        # @return [String]
        def doc
          text = +""
          unless values.empty?
            names = @strings.map do |value|
              also = " (also called `#{value.aliases.join(", ")}`)" unless value.aliases.empty?
              "`#{value.name}`#{also}"
            end
            text << "Valid values are #{names.join(", ")}. "
          end
          text << "Values can match `#{regexes.join("`, `")}`." unless regexes.empty?
          text
        end

        private

        # Returns the names and other names of values; the first one counts.
        def by_name
          @by_name ||= @strings.reverse.flat_map { |known| [known.name, *known.aliases].map { |name| [name.to_s, known] } }.to_h
        end
      end
    end
  end
end
