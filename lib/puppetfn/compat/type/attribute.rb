# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # An attribute of a type: how resources come to have it.
      #
      # The outcome of a value is memoized where it depends on nothing else.
      #
      # @api private
      class Attribute
        # Number of memoized values.
        REMEMBERED = 1000
        private_constant :REMEMBERED

        # @return [Symbol]
        attr_reader :name

        # @return [Class<Parameter>]
        attr_reader :definition

        # @return [Integer] its place in the order in which attributes are set
        attr_reader :index

        # @return [Boolean] whether it depends on the provider if a resource can have it
        attr_reader :conditional
        alias conditional? conditional

        # @return [Boolean] whether a resource may have a default value
        attr_reader :default
        alias default? default

        # @return [Boolean] whether resources show the outcome of a value
        attr_reader :shown_as_is

        # @return [KnownValue, nil] the default value, if it is the same for all resources
        attr_reader :shared_default

        # @param definition [Class<Parameter>]
        # @param index [Integer]
        def initialize(definition, index)
          @definition, @index = definition, index
          @name = definition.name
          @conditional = !definition.required_features.nil?
          @supported = {}.compare_by_identity
          @own_new = !definition.instance_method(:initialize).owner.equal?(Parameter)
          @special = @conditional || @own_new
          @remembers = definition.pure?
          @known = {} if @remembers
          @shown_as_is = definition.shown_as_is?
          @unchanging = definition.plain? && definition.value_collection.empty?
          @constant = definition.constant_default if definition.method_defined?(:default)
          @default = definition.method_defined?(:default) && @constant != false
          share_default if @constant
        end

        # @param resource [Type]
        # @return [Parameter] for the resource, without a value
        def make(resource)
          return @definition.new(resource: resource) if @own_new

          parameter = @definition.allocate
          parameter.resource = resource
          parameter
        end

        # @param provider [Class<Provider>]
        # @return [Boolean] whether a resource with such a provider can have it
        def supported_by?(provider)
          # Specs stub `satisfies?` of providers.
          return provider.supports_parameter?(@definition) if provider.singleton_class.method_defined?(:satisfies?, false)

          @supported.fetch(provider) { @supported[provider] = provider.supports_parameter?(@definition) }
        end

        # Returns the shared value that a resource can have in place of a parameter object.
        #
        # @param value [Object]
        # @return [KnownValue, nil] nil if the outcome of the value is not known
        def known(value)
          remembered(value) if @remembers && !@special
        end

        # Sets a parameter.
        #
        # @param parameter [Parameter]
        # @param value [Object]
        # @return [void]
        # @raise [Puppet::Error, ArgumentError] when it is wrong
        def assign(parameter, value)
          known = remembered(value) if @remembers
          return parameter.take(value, known.outcome) if known

          parameter.value = value
          remember(value, parameter.outcome) if @known
        end

        private

        def remembered(value)
          case value
          when String, Symbol, Numeric, true, false
            if @unchanging then KnownValue.new(self, value, value)
            elsif @known then @known[value]
            end
          end
        end

        def remember(value, outcome)
          return unless simple?(value) && simple?(outcome) && pure?(value)

          @known.clear if @known.size >= REMEMBERED
          @known[value] = KnownValue.new(self, value, outcome)
        end

        def simple?(value)
          case value
          when String, Symbol, Numeric, true, false then true
          else false
          end
        end

        # Some values are the provider's business, too.
        def pure?(value)
          known = @definition.value_collection.match?(value)
          named = @definition.pure_values
          known&.required_features.nil? && (named.nil? || named.include?(known&.name))
        end

        # A wrong default value is left to the resources, whose errors name their place.
        def share_default
          return unless @known && !conditional? && pure?(@constant)

          sample = @definition.allocate
          sample.value = @constant
          @shared_default = KnownValue.new(self, @constant, sample.outcome) if simple?(sample.outcome)
        rescue StandardError
          @shared_default = nil
        end
      end
    end
  end
end
