# frozen_string_literal: true

require_relative "resource_writes"
require_relative "param"
require_relative "resource_queries"

module Puppetfn
  module Puppet
    module Parser
      # A resource that is declared, or that a function is about to declare.
      class Resource < Puppet::Resource
        # The parameters that name other resources.
        RELATIONSHIPS = %i[before subscribe notify require].freeze
        private_constant :RELATIONSHIPS

        include Writes

        class << self
          # Converts the values of parameters to the form in which instances of types get them, and removes parameters that
          # are undef.
          #
          # @api private
          # @param parameters [Hash{Symbol=>Object}]
          # @param named [Hash{Resource=>Resource}] copies of references that have been made already
          # @return [Hash{Symbol=>Object}] the same Hash
          def prepare(parameters, named = {}.compare_by_identity)
            parameters.each do |name, value|
              next if value.is_a?(String)

              value = Pops::Evaluator::Runtime3Converter.convert(value, nil, nil) unless value.is_a?(Puppet::Resource)
              parameters[name] = copy_references(value, named)
            end
            present_values(parameters)
          end

          # Removes values that are undef. Relationships have no targets that are undef, however deep.
          #
          # @api private
          # @param values [Hash{Symbol=>Object}]
          # @return [Hash{Symbol=>Object}] the same Hash
          def present_values(values)
            RELATIONSHIPS.each do |name|
              others = values[name]
              values[name] = others.flatten.reject { |other| other.nil? || other == :undef } if others.is_a?(Array)
            end
            values.compact!
            values
          end

          # Returns the resource of the catalog with this type and title.
          #
          # @api private
          # @param runtime [Runtime]
          # @param type [String]
          # @param title [String]
          # @return [Resource] the same for the same resource
          def declared(runtime, type, title)
            runtime.declared_resources[[type, title]] ||=
              allocate.tap { |resource| resource.send(:become_declared, runtime, type, title) }
          end

          # Adds a resource to the catalog.
          #
          # @api private
          # @param runtime [Runtime]
          # @param resource [Puppet::Resource]
          # @param scope [Integer, nil] the scope that it is declared in; nil for none: the catalog has it, but nothing
          #   contains or evaluates it
          # @return [void]
          # @raise [Puppet::Error] when it is declared already, or there is no such type
          def add(runtime, resource, scope)
            parameters = resource.is_a?(self) ? resource.parameters.each_value.map(&:to_change) : plain_parameters(resource)
            title = resource.title == :main ? "" : resource.title
            runtime.evaluator.add_resource(resource.type, title, parameters,
              [resource.virtual? ? true : false, resource.exported? ? true : false], resource.tags.to_a,
              [resource.file, resource.line], scope && [resource.is_a?(self) ? resource.scope.number : scope, scope])
            return resource.send(:become_added, runtime) if resource.is_a?(self)

            # The catalog has a copy: later changes of this object would be lost.
            resource.parameters.freeze
            resource.freeze
          end

          private

          def plain_parameters(resource)
            resource.parameters.map { |name, value| [name.name, value, nil, nil, false, false] }
          end

          # Copies the references in a value; the copies have the attributes that titles give, as references of resources do.
          def copy_references(value, named)
            case value
            when Puppet::Resource then named[value] ||= value.named
            when Array
              value = value.flatten if value.flatten.any?(Puppet::Resource)
              value.map { |element| element.is_a?(Puppet::Resource) ? copy_references(element, named) : element }
            else value
            end
          end
        end

        # @return [Scope]
        attr_reader :scope

        # @param type [String, Symbol]
        # @param title [String]
        # @param attributes [Hash{Symbol=>Object}]
        # @option attributes [Scope] :scope where it is to be declared
        # @option attributes [Hash, Array<#name, #value>] :parameters
        # @option attributes [Boolean] :virtual
        # @option attributes [Boolean] :exported
        # @raise [ArgumentError] without a scope
        def initialize(type, title, attributes, with_defaults = true)
          raise ArgumentError, "Resources require a hash as last argument" unless attributes.is_a?(Hash)

          @scope = attributes[:scope] or raise ArgumentError, "Resources require a scope"
          given = attributes.fetch(:parameters, {}) || {}
          super(type, title, attributes.except(:parameters, :scope))
          tag(*initial_tags)
          take(given)
          add_defaults if with_defaults
        end

        # @return [Hash{Symbol=>Param}] the parameters that were given
        def parameters
          @runtime ? @runtime.loans.parameters(self) : @parameters
        end

        # @param name [String, Symbol]
        # @return [Object, nil] the value of a parameter, or the title
        def [](name)
          name = name.to_sym
          return title if name == :title
          return parameters[name]&.value if @runtime.nil? || @runtime.loans.lent?(self)

          value = known[:parameters][name.name]
          # Nothing can be changed in place of these.
          return value if value.nil? || value == true || value == false || value.is_a?(Numeric)

          parameters[name]&.value
        end

        # @yieldparam name [Symbol] of a parameter
        # @yieldparam parameter [Param]
        def each
          parameters.each { |name, parameter| yield name, parameter }
        end

        # @yieldparam parameter [Param]
        def eachparam
          parameters.each_value { |parameter| yield parameter }
        end

        # @return [Hash{Symbol=>Object}] the parameters that have a value, and the one from the title
        def to_hash
          return parse_title.merge(Resource.present_values(values)) unless @runtime

          known[:of_title].transform_keys(&:to_sym).merge(Resource.present_values(values))
        end

        # Returns the description that instances of types are created from: the resource as it is now, apart from the catalog.
        #
        # @api private
        # @return [Puppet::Resource]
        def detached
          Puppet::Resource.described(@runtime.evaluator.described(@type, evaluator_title) || missing).tap do |resource|
            Resource.prepare(resource.parameters)
          end
        end

        # @return [String] the resource's name if it has one, otherwise the title
        def name
          self[:name] || title
        end

        # @return [Array<String>]
        def tags
          @runtime ? known[:tags] : @tags || []
        end

        # (see Util::Tagging#lent_tags)
        alias lent_tags tags

        # Adds tags, and the segments of tags with namespaces.
        #
        # @param tags [Array<String, nil>]
        # @return [void]
        # @raise [Puppet::ParseError] when one is not a tag
        def tag(*tags)
          return @runtime.evaluator.tag(@type, evaluator_title, tags) if @runtime

          tags = tags.flatten.compact.map { |tag| tag.to_s.downcase }
          @tags = (@tags || []) | tags.flat_map { |tag| [tag, *tag.split("::")] }
        end

        # @param tags [Array<String>]
        # @return [Boolean] whether it has one of the tags
        def tagged?(*tags)
          tags.flatten.any? { |tag| self.tags.include?(tag.to_s.downcase) }
        end

        # @return [Boolean] whether it is only declared, to be collected or realized
        def virtual?
          @runtime ? known[:virtual] : super || exported?
        end

        # @return [Boolean] whether it is declared for other nodes
        def exported?
          @runtime ? known[:exported] : super
        end

        # @return [String, nil] the file of its declaration
        def file
          @runtime ? known[:file] : super
        end

        # @return [Integer, nil] the line of its declaration
        def line
          @runtime ? known[:line] : super
        end

        # @return [Array<Symbol>] the parameters whose values must not be shown
        def sensitive_parameters
          @runtime ? known[:sensitive].map(&:to_sym) : super
        end

        # @return [Boolean]
        def virtual = virtual?

        # @return [Boolean]
        def exported = exported?

        # @api private
        # @return [Hash{Symbol=>Object}] the parameters as the catalog has them, of a declared resource
        def current_values
          known[:parameters].to_h { |name, value| [name.to_sym, converted(value)] }
        end

        # The class of the top level has no name that it could be asked for by.
        #
        # @api private
        # @return [String]
        def evaluator_title
          class? && (@title == "main" || @title == :main) ? "" : @title.to_s
        end

        # @return [Environment]
        def environment
          scope.environment
        end

        # @return [Catalog]
        def catalog
          scope.catalog
        end

        private

        def become_declared(runtime, type, title)
          @runtime = runtime
          @scope ||= runtime.scope
          @type = type
          @title = title
        end

        # Its parameters come from the catalog now, including ones on loan to functions.
        def become_added(runtime)
          own = @parameters
          become_declared(runtime, type, title)
          runtime.declared_resources[[type, title.to_s]] = self
          own.each_value { |parameter| parameter.belong_to(self) }
          runtime.loans.adopt(self, own)
        end

        def take(given)
          given.each do |parameter|
            if @parameters.key?(parameter.name.to_sym)
              raise ParseError, "Duplicate parameter '#{parameter.name}' for on #{self}"
            end

            parameter.is_a?(Param) ? set_parameter(parameter) : set_parameter(parameter.name, parameter.value)
          end
        end

        def add_defaults
          scope.lookupdefaults(type).each_value do |parameter|
            next if @parameters.key?(parameter.name)

            tag(*parameter.value) if parameter.name == :tag
            @parameters[parameter.name] = parameter.dup
          end
        end

        def values
          parameters.transform_values(&:value)
        end

        # The catalog's current description of the resource.
        def known
          @runtime.evaluator.resource(@type, evaluator_title) || missing
        end

        def missing
          raise Puppet::Error, "Could not find resource '#{self}'"
        end

        def converted(value)
          return value if value.is_a?(String)

          Pops::Evaluator::Runtime3Converter.convert(value, scope, nil)
        end
      end
    end
  end
end
