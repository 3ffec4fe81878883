# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The attributes of a type: its parameters and properties, and the metaparameters of all types.
      module Attributes
        # @return [Array<Class<Property>>]
        attr_reader :properties

        # Defines a parameter.
        #
        # @param name [String, Symbol]
        # @param options [Hash]
        # @option options [Class<Parameter>] :parent
        # @option options [Boolean] :namevar whether it names resources
        # @option options [Boolean] :boolean whether resources answer for it as a method, `name?`
        # @option options [Array<Symbol>] :required_features
        # @yield in the parameter
        # @return [Class<Parameter>]
        def newparam(name, options = {}, &block)
          parameter = genclass(name, parent: options[:parent] || Parameter, attributes: options[:attributes] || {},
            block: block, prefix: "Parameter", array: @parameters, hash: @paramhash)
          define_question(name, options)
          parameter.required_features = options[:required_features] if options[:required_features]
          parameter.isnamevar if options[:namevar]
          Parameter.revise
          parameter
        end

        # Defines a property.
        #
        # @param name [String, Symbol]
        # @param options [Hash] values for the property's own writers, such as `array_matching`
        # @option options [Class<Property>] :parent
        # @option options [Symbol] :retrieve the method of the provider that knows it
        # @yield in the property
        # @return [Class<Property>]
        # @raise [DevError] when there is one of the name
        def newproperty(name, options = {}, &block)
          name = name.intern
          raise DevError, "Options must be a hash, not #{options.inspect}" unless options.is_a?(Hash)
          raise DevError, "Class #{self.name} already has a property named #{name}" if @validproperties.key?(name)

          parent = options.delete(:parent) || Property
          retrieve = options[:retrieve]
          property = genclass(name, parent: parent, hash: @validproperties, attributes: options) do
            define_method(:retrieve) { provider.public_send(retrieve) } if retrieve
            class_eval(&block) if block
          end
          name == :ensure ? @properties.unshift(property) : @properties.push(property)
          Parameter.revise
          property
        end

        # Defines a parameter of all types.
        #
        # @param name [String, Symbol]
        # @param options [Hash] as for {#newparam}
        # @yield in the parameter
        # @return [Class<Parameter>]
        def newmetaparam(name, options = {}, &block)
          parameter = genclass(name, parent: options[:parent] || Parameter, prefix: "MetaParam", hash: Type.metaparameters,
            attributes: options[:attributes], &block)
          parameter.required_features = options[:required_features] if options[:required_features]
          define_question(name, options)
          parameter.metaparam = true
          Parameter.revise
          parameter
        end

        # Defines the property `ensure`, for the existence of the resource.
        #
        # @yield in the property; without a block it can be `present` and `absent`
        # @return [Class<Property>]
        def ensurable(&block)
          newproperty(:ensure, parent: Property::Ensure, &(block || proc { defaultvalues }))
        end

        # @return [Boolean] whether resources themselves can be created and destroyed
        def ensurable?
          %i[exists? create destroy].all? { |method| public_method_defined?(method) }
        end

        # @return [Array<Symbol>] all attributes, in the order in which they are set
        def allattrs
          key_attributes | (parameters & [:provider]) | properties.map(&:name) | parameters | metaparams
        end

        # Returns the plan that all resources of the type share.
        #
        # @api private
        # @return [Plan]
        def plan
          @plan&.current? ? @plan : @plan = Plan.new(self)
        end

        # @return [Array<Symbol>] the names of the parameters
        def parameters
          @parameters ? @parameters.map(&:name) : []
        end

        # @return [Array<Symbol>] the names of the properties
        def validproperties
          @validproperties ? @validproperties.keys : []
        end

        # @return [Array<Symbol>] names of the metaparameters
        def metaparams
          Type.metaparameters.keys
        end

        # @yieldparam name [Symbol]
        def eachmetaparam(&block)
          metaparams.each(&block)
        end

        # @return [Class<Parameter>, nil] the class of the attribute with a name
        def attrclass(name)
          @validproperties[name] || @paramhash[name] || Type.metaparameters[name]
        end

        # @return [:property, :param, :meta, nil]
        def attrtype(name)
          if @validproperties.key?(name) then :property
          elsif @paramhash.key?(name) then :param
          elsif Type.metaparameters.key?(name) then :meta
          end
        end

        # @return [Class<Parameter>, nil]
        def paramclass(name)
          @paramhash[name]
        end

        # @return [Class<Property>, nil]
        def propertybyname(name)
          @validproperties[name]
        end

        # @return [Class<Parameter>, nil]
        def metaparamclass(name)
          name && Type.metaparameters[name.intern]
        end

        # @return [String]
        def paramdoc(name)
          @paramhash[name].doc
        end

        # @return [String]
        def metaparamdoc(name)
          Type.metaparameters[name].doc
        end

        # @return [Boolean] whether resources can have an attribute
        def validattr?(name)
          name = name.intern
          name == :name || !attrtype(name).nil?
        end
        alias valid_parameter? validattr?

        # @return [Class<Property>, false]
        def validproperty?(name)
          @validproperties.fetch(name.intern, false)
        end

        # @return [Boolean]
        # @raise [DevError] where no type is
        def validparameter?(name)
          raise DevError, "Class #{self} has not defined parameters" unless @parameters

          @paramhash.key?(name) || Type.metaparameters.key?(name)
        end

        # @return [Boolean]
        def metaparam?(name)
          Type.metaparameters.key?(name.intern)
        end

        # Returns the metaparameters by name: Puppet's own, and metaparameters of modules of the runtime at work.
        #
        # @api private
        # @return [Hash{Symbol=>Class<Parameter>}]
        def metaparameters
          @metaparameters ||= {}
        end

        # @return [Array<Symbol>] the attributes that a catalog has though nobody gave them a value
        def parameters_to_include
          []
        end

        private

        def define_question(name, options)
          return unless options[:boolean]

          define_method("#{name}?") { true if [:true, true].include?(self[name]) }
        end
      end
    end
  end
end
