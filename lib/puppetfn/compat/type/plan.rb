# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The plan that all resources of a type share, worked out once: the attributes that they can have, in the order in
      # which they are set, and the attributes with a default value.
      #
      # @api private
      class Plan
        # Number of cached shapes.
        SHAPES = 500
        KINDS = {autorequire: :require, autosubscribe: :subscribe, autobefore: :before, autonotify: :notify}.freeze
        private_constant :SHAPES, :KINDS

        # The shape of a resource: the given attributes by their names, in the order in which they are set, and the
        # attributes whose default value has to be asked for.
        Shape = Struct.new(:given, :computed)

        # @return [Hash{Symbol=>Attribute}] all by their names
        attr_reader :attributes

        # @return [Hash{Symbol=>Attribute}] the same, and by `name` the one that names resources
        attr_reader :names

        # @return [Hash{Symbol=>KnownValue}] default values that are the same for all resources
        attr_reader :defaults

        # @return [Array<Symbol>] the attributes that can declare their value sensitive
        attr_reader :sensitive

        # @return [Hash{Symbol=>Symbol}] the methods for relationships that resources may have by themselves, in Puppet's
        #   order, with their kinds; none if the type has a method of its own
        attr_reader :automatic

        # @return [Boolean] whether the provider that is the default is taken as it is
        attr_reader :usual_provider
        alias usual_provider? usual_provider

        # @return [Array<Symbol>] the attributes that relate resources
        attr_reader :relationships

        # @return [Array<Symbol>] the attributes that do something when all resources are there
        attr_reader :finished

        # @return [Symbol, nil] the one key attribute
        attr_reader :namevar

        # @return [Array<Symbol>] the key attributes in the order of their names
        attr_reader :sorted_key

        # @return [Symbol, nil] the attribute whose value is the title as it is
        attr_reader :titled

        # @param type [Class<Type>]
        def initialize(type)
          @revision = Parameter.revision
          @attributes = type.allattrs.each_with_index.to_h { |name, index| [name, Attribute.new(type.attrclass(name), index)] }
          @namevar = type.namevar
          @sorted_key = type.key_attributes.sort_by(&:to_s).freeze
          @names = @attributes.dup
          @names[:name] = @attributes[@namevar] if @namevar
          @usual_provider = @attributes[:provider]&.definition&.usual? || false
          @with_default = @attributes.values.select(&:default?)
          # It is set before the other attributes.
          @with_default -= [@attributes[:provider]] if @usual_provider
          @defaults = @attributes.transform_values(&:shared_default).compact.freeze
          @sensitive = answering(:is_sensitive)
          @automatic = automatic_relations(type)
          @relationships = type.relationship_params.map(&:name)
          @finished = answering(:post_compile)
          @titled = (@namevar if type.simple_title?)
          @type = type
          @described = {}
          @own_writer = !type.instance_method(:[]=).owner.equal?(Values)
          @shapes = {}
          @known_providers = {}
        end

        # @param resource [Resource]
        # @return [Boolean] whether it is of the type, not only one that the type stands for
        def describes?(resource)
          type = resource.type
          @described.fetch(type) { @described[type] = type.to_s.casecmp?(@type.name.name) }
        end

        # @return [Boolean] whether no attribute has changed since
        def current?
          @revision == Parameter.revision
        end

        # @return [Array<Array>, nil] see {Titles#title_patterns}
        # @raise [DevError] when a type with several key attributes does not say
        def title_patterns
          @title_patterns ||= @type.title_patterns
        end

        # @param name [Symbol] of the provider that is the default
        # @return [KnownValue]
        def known_provider(name)
          @known_providers[name] ||= KnownValue.new(@attributes[:provider], name, name)
        end

        # @param names [Array<Symbol>] names of the given attributes, without the resource's name
        # @return [Shape]
        def shape(names)
          @shapes.clear if @shapes.size > SHAPES
          @shapes[names] ||= Shape.new(given(names), computed(names))
        end

        # @return [Integer] the number of attributes
        def size
          @attributes.size
        end

        private

        # A type with a writer of its own sets each of them itself.
        def given(names)
          ((@attributes.keys & names) | names).to_h { |name| [name, (@attributes[name] unless @own_writer)] }
        end

        def computed(names)
          @with_default.reject { |attribute| attribute.shared_default || names.include?(attribute.name) }
        end

        def automatic_relations(type)
          KINDS.each_with_object({}) do |(method, kind), found|
            own = !type.instance_method(method).owner.equal?(Type)
            found[method] = (kind unless own) if own || type.automatic?(kind)
          end
        end

        def answering(method)
          @attributes.select { |_, attribute| attribute.definition.method_defined?(method) }.keys
        end
      end
    end
  end
end
