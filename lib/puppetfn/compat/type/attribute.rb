# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # An attribute of a type: how resources come to have it.
      #
      # What becomes of a value is remembered where it depends on nothing else.
      #
      # @api private
      class Attribute
        # How many values are remembered.
        REMEMBERED = 1000
        # What has become of a value that stays as it is.
        SAME = Object.new.freeze
        private_constant :REMEMBERED, :SAME

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

        # @param definition [Class<Parameter>]
        # @param index [Integer]
        def initialize(definition, index)
          @definition, @index = definition, index
          @name = definition.name
          @conditional = !definition.required_features.nil?
          @own_new = !definition.instance_method(:initialize).owner.equal?(Parameter)
          @special = @conditional || @own_new
          @outcomes = {} if definition.pure?
          @unchanging = definition.plain? && definition.value_collection.empty?
          @constant = definition.constant_default if definition.method_defined?(:default)
          @default = definition.method_defined?(:default) && @constant != false
          share_default if @constant
        end

        # @return [Boolean] whether the default value is the same for all resources
        def shared_default?
          !@shared.nil?
        end

        # @param resource [Type]
        # @return [Parameter] for the resource, without a value
        def make(resource)
          return @definition.new(resource: resource) if @own_new

          parameter = @definition.allocate
          parameter.resource = resource
          parameter
        end

        # @param resource [Type]
        # @return [Parameter] for the resource, with the default value
        def make_default(resource)
          make(resource).tap { |parameter| parameter.take(@constant, @shared) }
        end

        # Gives a resource the attribute, if it is known what becomes of the value.
        #
        # @param resource [Type]
        # @param made [Hash{Symbol=>Parameter}] the attributes that it has
        # @param value [Object]
        # @return [Boolean]
        def give(resource, made, value)
          return false if @special || made.key?(@name)

          outcome = outcome_of(value)
          return false if outcome.nil?

          made[@name] = @definition.allocate.receive(resource, value, outcome)
          true
        end

        # Gives a parameter a value.
        #
        # @param parameter [Parameter]
        # @param value [Object]
        # @return [void]
        # @raise [Puppet::Error, ArgumentError] when it is wrong
        def assign(parameter, value)
          outcome = outcome_of(value)
          return parameter.take(value, outcome) unless outcome.nil?

          parameter.value = value
          remember(value, parameter.outcome) if @outcomes
        end

        private

        # What becomes of a value, or nil if that is not known. What can be changed in place is nobody else's.
        def outcome_of(value)
          case value
          when String, Symbol, Numeric, true, false
            return value if @unchanging

            outcome = @outcomes && @outcomes[value]
            if outcome.equal?(SAME) then value
            else outcome.is_a?(String) ? outcome.dup : outcome
            end
          end
        end

        def remember(value, outcome)
          return unless simple?(value) && simple?(outcome) && pure?(value)

          @outcomes.clear if @outcomes.size >= REMEMBERED
          @outcomes[value] = outcome.equal?(value) ? SAME : outcome
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

        # A default value that is wrong is left to the resources, which say where.
        def share_default
          return unless @outcomes && !conditional? && pure?(@constant)

          sample = @definition.allocate
          sample.value = @constant
          @shared = sample.outcome if simple?(sample.outcome)
        rescue StandardError
          @shared = nil
        end
      end
    end
  end
end
