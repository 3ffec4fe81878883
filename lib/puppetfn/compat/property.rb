# frozen_string_literal: true

require_relative "property/synchronization"

module Puppetfn
  module Puppet
    # An attribute of a resource that the system has, too: something that can be brought about.
    class Property < Parameter
      autoload :Boolean, File.join(__dir__, "property", "boolean")
      autoload :Ensure, File.join(__dir__, "property", "ensure")
      autoload :KeyValue, File.join(__dir__, "property", "key_value")
      autoload :List, File.join(__dir__, "property", "list")
      autoload :OrderedList, File.join(__dir__, "property", "ordered_list")

      # Methods of the block of `newproperty`.
      module Definition
        # @return [Boolean, nil] whether a resource is not managed by having the property
        attr_accessor :unmanaged

        attr_writer :idempotent

        # @return [Boolean]
        def idempotent
          @idempotent.nil? || @idempotent
        end

        # @return [:first, :all] which of several wanted values counts
        def array_matching
          @array_matching || :first
        end

        # @raise [ArgumentError] when it is neither of the two
        def array_matching=(value)
          value = value.intern if value.is_a?(String)
          unless %i[first all].include?(value)
            raise ArgumentError, "Supported values for Property#array_matching are 'first' and 'all'"
          end

          @array_matching = value
        end

        # @return [Symbol, Regexp, nil] the name of the value that something is
        def value_name(value)
          value_collection.match?(value)&.name
        end

        # @return [Object, nil] an option of an accepted value
        def value_option(name, option)
          value_collection.value(name)&.public_send(option)
        end

        # Defines a value that the property can have.
        #
        # @yield in the property, to set it
        # @return [Parameter::Value]
        def newvalue(name, options = {}, &block)
          value = value_collection.newvalue(name, options, &block)
          define_setter(value) if value.method
          value
        end

        private

        def define_setter(value)
          method = value.method.to_sym
          if value.block
            raise ArgumentError, "Attempt to redefine method #{method} with block" if instance_methods(false).include?(method)

            define_method(method, &value.block)
          elsif !method_defined?(method)
            alias_method(method, :call_provider)
          end
        end

        def method_added(name)
          super
          return unless name == :safe_insync? && self != Property

          raise "Puppet::Property#safe_insync? shouldn't be overridden; please override insync? instead"
        end
      end

      extend Definition
      include Synchronization
      pure

      # @return [Array] the values before they were munged
      attr_reader :shouldorig

      attr_writer :noop

      # @return [Object, nil] the value, or all values if {match_all?}
      def should
        return unless defined?(@should)

        devfail("should for #{self.class.name} on #{resource.name} is not an array") unless @should.is_a?(Array)
        self.class.array_matching == :all ? @should.map { |value| unmunge(value) } : unmunge(@should[0])
      end

      # @raise [Puppet::Error] when a value is wrong
      def should=(values)
        values = [values] unless values.is_a?(Array)
        @shouldorig = values
        values.each { |value| validate(value) }
        @should = values.map { |value| munge(value) }
      end

      # (see Parameter#take)
      def take(value, outcome)
        @shouldorig = [value]
        @should = [outcome]
      end

      # (see Parameter#outcome)
      def outcome
        @should[0] if @should.size == 1
      end

      # (see #should)
      def value
        should
      end

      # (see #should=)
      def value=(values)
        self.should = values
      end

      # @return [Boolean] whether all of several values are meant
      def match_all?
        self.class.array_matching == :all
      end

      # @return [Boolean]
      def idempotent?
        self.class.idempotent
      end

      def unsafe_validate(value)
        collection = self.class.value_collection
        return if collection.empty?

        collection.validate(value)
        validate_features_per_value(value)
      end

      # @raise [ArgumentError] when the provider lacks a feature that the value requires
      def validate_features_per_value(value)
        features = self.class.value_option(self.class.value_name(value), :required_features) or return
        features = Array(features)
        return if provider.satisfies?(features)

        raise ArgumentError, "Provider #{provider.class.name} must have features '#{features.join(", ")}' to set " \
                             "'#{self.class.name}' to '#{value}'"
      end

      # @return [Boolean] whether the system has the value
      def safe_insync?(is)
        @should ? insync?(is) : true
      end

      # Compares the wanted and the current value. Types override this to compare in another way.
      def insync?(is)
        devfail("#{self.class.name}'s should is not array") unless @should.is_a?(Array)
        return true if @should.empty?
        return @should.any? { |wanted| property_matches?(is, wanted) } unless match_all?

        is.is_a?(Array) && is.length == @should.length && (is == @should || is == @should.map(&:to_s))
      end

      # @return [Boolean]
      def property_matches?(current, desired)
        current == desired || current == desired.to_s
      end

      # @return [Object] the current value on the system, as the provider reports it
      def retrieve
        provider.send(self.class.name)
      end

      # Sets a value through the provider.
      def call_provider(value)
        self.fail("#{self.class.name} cannot handle values of type #{value.inspect}") unless @resource.provider
        method = "#{self.class.name}="
        unless provider.respond_to?(method)
          self.fail("The #{provider.class.name} provider can not handle attribute #{self.class.name}")
        end
        provider.public_send(method, value)
      end

      # @return [String]
      def is_to_s(value)
        self.class.format_value_for_display(value)
      end

      # @return [String]
      def should_to_s(value)
        self.class.format_value_for_display(value)
      end

      # @return [String] the message about a change
      def change_to_s(current, wanted)
        if current == :absent then "defined '#{name}' as #{should_to_s(wanted)}"
        elsif [:absent, [:absent]].include?(wanted) then "undefined '#{name}' from #{is_to_s(current)}"
        else "#{name} changed #{is_to_s(current)} to #{should_to_s(wanted)}"
        end
      end

      # @return [Boolean]
      def noop
        return @resource.noop? if @resource.respond_to?(:noop?)

        defined?(@noop) ? @noop : Puppet[:noop]
      end
    end
  end
end
