# frozen_string_literal: true

module Puppetfn
  module Puppet
    module ResourceApi
      # Class methods of types with a definition.
      module TypeMethods
        # @return [TypeDefinition]
        attr_reader :type_definition

        # @return [PuppetContext]
        def context
          @context ||= PuppetContext.new(type_definition)
        end

        # @return [Object] an instance of the provider
        def my_provider
          @my_provider ||= ResourceApi.load_provider(name).new
        end

        # @return [Array<Array(Regexp, Array)>] of the names of groups
        def title_patterns
          patterns = type_definition.definition[:title_patterns]
          return [[/(.*)/m, [[type_definition.namevars.first]]]] unless patterns

          @title_patterns ||= patterns.map do |pattern|
            regexp = pattern[:pattern]
            [regexp, Regexp.new(regexp).names.map { |group| [group.to_sym] }]
          end
        end

        # @return [Array<Puppet::Type>] one for each resource that the provider returns
        # @raise [ResourceError, DevError] if a state does not match the definition
        def instances
          found = type_definition.feature?("simple_get_filter") ? my_provider.get(context, []) : my_provider.get(context)
          found.map do |state|
            type_definition.check_schema(state)
            new(title: state.key?(:title) ? state[:title] : build_title(state)).tap { |resource| resource.cache_current_state(state) }
          end
        end

        # @param values [#[]] by attribute
        # @return [Object] the value of the namevar, or several by their names
        def build_title(values)
          names = type_definition.namevars
          names.size > 1 ? names.to_h { |name| [name, values[name]] } : values[names.first]
        end

        # @api private
        def define_attributes
          if type_definition.feature?("custom_insync") && type_definition.insyncable_attributes.empty?
            value = "do_not_specify_in_manifest"
            define_attribute(Definition::CUSTOM_INSYNC, type: "Enum[#{value}]", default: value)
          end
          type_definition.attributes.each { |attribute, options| define_attribute(attribute, options) }
        end

        # @api private
        def define_relations
          %i[autorequire autobefore autosubscribe autonotify].each do |relation|
            type_definition.definition[relation]&.each do |type, values|
              public_send(relation, type.downcase.to_sym) { related_titles(values) }
            end
          end
        end

        # (see Puppet::Type::Titles#simple_title?)
        def simple_title?
          !type_definition.definition.key?(:title_patterns) && key_attributes == [type_definition.namevars.first]
        end

        private

        def define_attribute(attribute, options)
          ResourceApi.check_behaviour(options)
          type = self
          data_type = DataTypeHandling.parse_puppet_type(attribute, options[:type])
          definition = lambda do |defined|
            defined.desc("#{options[:desc]} (a #{options[:type]})") if options[:desc]
            defined.type = type
            defined.data_type = data_type
            ValueCreator.create_values(defined, data_type, options)
          end
          case options[:behaviour]
          when :parameter, :namevar then newparam(attribute.to_sym, parent: Parameter, &definition)
          when :read_only then newparam(attribute.to_sym, parent: ReadOnlyParameter, &definition)
          else newproperty(attribute.to_sym, parent: Property, &definition)
          end
        end
      end

      # Methods of resources whose types have a definition.
      module InstanceMethods
        # @param attributes [Resource, Hash]
        def initialize(attributes)
          sensitive = []
          if attributes.is_a?(Resource)
            @title = attributes.title
            @catalog = attributes.catalog
            sensitive = attributes.sensitive_parameters
            attributes = attributes.to_hash
          else
            @known_absent = true
          end
          super(complete_attributes(attributes, sensitive))
        end

        # @return [TypeDefinition]
        def type_definition
          self.class.type_definition
        end

        # @return [PuppetContext]
        def context
          self.class.context
        end

        # @return [Object]
        def my_provider
          self.class.my_provider
        end

        # @return [String]
        def name
          title
        end

        # @raise [ResourceError] when a parameter has no value that needs one
        def validate
          return if @known_absent

          missing = type_definition.attributes.select { |attribute, options| missing?(attribute, options) }
          parameters = missing.select { |_, options| options[:behaviour] == :parameter }.keys
          return if parameters.empty?

          raise ResourceError, "The following mandatory parameters were not provided:\n    *  #{parameters.join(", \n    *  ")}"
        end

        private

        def complete_attributes(attributes, sensitive)
          sensitive.each do |name|
            value = attributes[name]
            known = !attributes.key?(name) || value.is_a?(Puppetfn::Sensitive)
            attributes[name] = Puppetfn::Sensitive.new(value) unless known
          end
          attributes = my_provider.canonicalize(context, [attributes])[0] if type_definition.feature?("canonicalize")
          if type_definition.attributes[:name].nil? && attributes[:title].nil?
            attributes[:title] = attributes.delete(:name)
            attributes[:title] = @title if attributes[:title].nil? && !type_definition.namevars.empty?
          end
          attributes[:sensitive_parameters] = sensitive unless sensitive.empty?
          attributes
        end

        def missing?(attribute, options)
          return false if %i[read_only namevar].include?(options[:behaviour])
          return false if type_definition.ensurable? && value(:ensure) == "absent" && options[:behaviour].nil?

          value(attribute).nil? && !self.class.attrclass(attribute).data_type.instance_of?(Pops::Types::POptionalType)
        end

        # Returns the titles that a definition names, where `$name` is the value of an attribute.
        def related_titles(values)
          [values].flatten.flat_map do |value|
            attribute = value[/\A\$(.*)\Z/, 1] if value.is_a?(String)
            attribute ? self[attribute.to_sym] : value
          end.compact
        end
      end
    end
  end
end
