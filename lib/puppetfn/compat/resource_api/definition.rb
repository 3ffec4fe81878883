# frozen_string_literal: true

module Puppetfn
  module Puppet
    module ResourceApi
      # A registered definition, and its validation.
      class Definition
        CUSTOM_INSYNC = :rsapi_custom_insync_trigger

        # @return [Hash{Symbol=>Object}]
        attr_reader :definition

        # @return [Hash{Symbol=>Hash}]
        attr_reader :attributes

        # @param definition [Hash{Symbol=>Object}]
        # @param key [Symbol] the key of its attributes
        # @raise [DevError] when something is wrong
        def initialize(definition, key)
          validate_schema(definition, key)
          @definition = definition
        end

        # @return [String]
        def name
          definition[:name]
        end

        # @return [Array<Symbol>] the attributes that name a resource
        def namevars
          @namevars ||= attributes.select { |_, options| options[:behaviour] == :namevar }.keys
        end

        # @return [Array<Symbol>] the attributes that are brought about
        def insyncable_attributes
          attributes.reject { |_, options| options.key?(:behaviour) }.keys
        end

        private

        def validate_schema(definition, key)
          kind = self.class.name.delete_prefix("Puppetfn::")
          raise DevError, "#{kind} must be a Hash, not `#{definition.class}`" unless definition.is_a?(Hash)
          raise DevError, "#{kind} must have a name" unless definition.key?(:name)
          raise DevError, "#{kind} must have `#{key}`" unless definition.key?(key)

          @attributes = definition[key]
          unless @attributes.is_a?(Hash)
            raise DevError, "`#{definition[:name]}.#{key}` must be a hash, not `#{@attributes.class}`"
          end

          take_docs(definition)
          @attributes.each { |attribute, options| validate_attribute(definition[:name], attribute, options) }
        end

        def take_docs(definition)
          name = definition[:name]
          if definition.key?(:docs)
            raise DevError, "`#{name}` has both `desc` and `docs`, prefer using `desc`" if definition[:desc]

            definition[:desc] = definition.delete(:docs)
          end
          Puppet.warning("`#{name}` has no documentation, add it using a `desc` key") unless definition.key?(:desc)
        end

        def validate_attribute(name, attribute, options)
          if attribute == CUSTOM_INSYNC
            raise DevError, "`#{attribute}` cannot be specified as an attribute; it is reserved for propertyless types with " \
                            "the custom_insync feature"
          end
          raise DevError, "`#{name}.#{attribute}` must be a Hash, not a #{options.class}" unless options.is_a?(Hash)
          raise DevError, "`#{name}.#{attribute}` has no type" unless options.key?(:type)

          Puppet.warning("`#{name}.#{attribute}` has no documentation, add it using a `desc` key") unless options.key?(:desc)
          DataTypeHandling.parse_puppet_type(attribute, options[:type])
          return unless options[:behavior]
          if options[:behaviour]
            raise DevError, "the '#{attribute}' attribute has both a `behavior` and a `behaviour`, only use one"
          end

          options[:behaviour] = options.delete(:behavior)
        end
      end

      # The definition of a type.
      class TypeDefinition < Definition
        FEATURES = %w[supports_noop canonicalize custom_insync remote_resource simple_get_filter custom_generate].freeze
        RESERVED = %i[
          title provider alias audit before consume export loglevel noop notify require schedule stage subscribe tag
        ].freeze
        private_constant :FEATURES, :RESERVED

        def initialize(definition)
          super(definition, :attributes)
        end

        # @return [Boolean]
        def ensurable?
          attributes.key?(:ensure)
        end

        # @return [Boolean]
        def feature?(name)
          definition[:features]&.include?(name) || false
        end

        # @return [Array<Hash>]
        def title_patterns
          definition[:title_patterns] || []
        end

        # Checks the state that a provider returned for a resource.
        #
        # @param resource [Hash{Symbol=>Object}]
        # @param prefix [String, nil] of the message
        # @return [void]
        # @raise [ResourceError] without a value for a namevar
        # @raise [DevError] for unknown attributes and values of other types, if `strict` is `error`; otherwise they are logged
        def check_schema(resource, prefix = nil)
          missing = namevars.find { |namevar| resource[namevar].nil? }
          raise ResourceError, "`#{name}.get` did not return a value for the `#{missing}` namevar attribute" if missing

          unknown = check_schema_keys(resource).map { |key| "    * #{key}\n" }
          bad = check_schema_values(resource).map { |key, problem| "    * #{key}: #{problem}\n" }
          return if unknown.empty? && bad.empty?

          message = "#{prefix || "Provider returned data that does not match the Type Schema"} for `#{name}[#{resource[namevars.first]}]`"
          message += "\n Unknown attribute:\n#{unknown.join}" unless unknown.empty?
          message += "\n Value type mismatch:\n#{bad.join}" unless bad.empty?
          notify_schema_errors(message)
        end

        # @return [void]
        def notify_schema_errors(message)
          case Puppet[:strict]
          when :error then raise DevError, message
          when :warning then Puppet.warning(message)
          else Puppet.debug(message)
          end
        end

        # @return [Array<Symbol>] the entries that are no attributes
        def check_schema_keys(resource)
          resource.keys.reject { |key| key == :title || attributes.key?(key) }
        end

        # @return [Hash{Symbol=>String}] the mismatches of values
        def check_schema_values(resource)
          resource.slice(*attributes.keys).each_with_object({}) do |(key, value), problems|
            options = attributes[key]
            problem = DataTypeHandling.try_validate(DataTypeHandling.parse_puppet_type(key, options[:type]), value, "") or next
            problems[key] = options[:sensitive] == true ? "<< redacted value >> #{problem}" : "#{value} (#{problem})"
          end
        end

        private

        def validate_schema(definition, key)
          super
          reserved = RESERVED.find { |name| @attributes.key?(name) }
          raise DevError, "must not define an attribute called `#{reserved.inspect}`" if reserved

          patterns = definition[:title_patterns]
          if definition.key?(:title_patterns) && !patterns.is_a?(Array)
            raise DevError, "`:title_patterns` must be an array, not `#{patterns.class}`"
          end

          DataTypeHandling.validate_ensure(definition)
          unknown = (definition[:features] ||= []) - FEATURES
          Puppet.warning("Unknown feature detected: #{unknown.inspect}") unless unknown.empty?
        end
      end
    end
  end
end
