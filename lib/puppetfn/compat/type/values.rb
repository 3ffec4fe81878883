# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The values of the attributes of a resource.
      module Values
        # @param name [String, Symbol]
        # @return [Object, nil]
        # @raise [Puppet::Error] when there is no such attribute
        def [](name)
          value = @parameters.value(name)
          return value unless value.nil?

          attribute = @plan.names[name.intern]
          if attribute then @parameters.value(attribute.name) unless attribute.name.equal?(name)
          elsif name.intern != :name then fail("Invalid parameter #{name.intern}(#{name.intern.inspect})")
          end
        end

        # @param name [String, Symbol]
        # @param value [Object]
        # @raise [Puppet::Error] when there is no such attribute, or the value is wrong
        def []=(name, value)
          attribute = @plan.names[name.intern]
          fail("no parameter named '#{name.intern}'") unless attribute || name.intern == :name
          raise Puppet::Error, "Got nil value for #{attribute&.name || name}" if value.nil?

          attribute ? assign(attribute, value) : newattr(:name)
        end

        # Adds an attribute to the resource, without a value.
        #
        # @param name [Symbol, Class<Parameter>]
        # @return [Parameter, nil] nil when the provider lacks a feature that it requires
        # @raise [Puppet::Error] when there is no such attribute
        def newattr(name)
          name = name.name if name.is_a?(Class)
          attribute = @plan.attributes[name]
          raise Puppet::Error, "Resource type #{self.class.name} does not support parameter #{name}" unless attribute

          parameter_for(attribute)
        end

        # Sets an attribute to its default value, if it has no value.
        #
        # @param name [Symbol]
        def set_default(name)
          attribute = @plan.attributes[name]
          return unless attribute&.default? && !@parameters.key?(attribute.name)

          parameter = parameter_for(attribute) or return
          value = parameter.default
          value ? attribute.assign(parameter, value) : @parameters.delete(attribute.name)
        end

        # Takes an attribute away.
        #
        # @raise [DevError] when it is not there
        def delete(name)
          name = name.intern
          raise DevError, "Undefined attribute '#{name}' in #{self}" unless @parameters.key?(name)

          @parameters.delete(name)
        end

        # @return [Hash{Symbol=>Object}] the values of all attributes that have been set
        def to_hash
          @parameters.transform_values(&:value)
        end

        # @return [Hash{Symbol=>Parameter}] a copy
        def parameters
          @parameters.to_h
        end

        # @return [Parameter, nil]
        def parameter(name)
          @parameters[name.to_sym]
        end

        # @return [Property, nil]
        def property(name)
          found = @parameters[name.intern]
          found if found.is_a?(Property)
        end

        # @return [Array<Property>]
        def properties
          self.class.properties.filter_map { |property| @parameters[property.name] }
        end

        # @return [Boolean]
        def propertydefined?(name)
          @parameters.include?(name.to_sym)
        end

        # @return [Object, nil] the wanted value of a property
        def should(name)
          property(name)&.should
        end

        # @return [Object, nil]
        def value(name)
          @parameters[name.intern]&.value
        end

        # @return [Array<Parameter>] in the order of the type
        def parameters_with_value
          self.class.allattrs.filter_map { |name| @parameters[name] }
        end

        # @yieldparam parameter [Parameter]
        def eachparameter(&block)
          parameters_with_value.each(&block)
        end

        # @yieldparam property [Property]
        def eachproperty(&block)
          properties.each(&block)
        end

        # @return [Boolean] whether anything about it is to be brought about
        def managed?
          @managed ||= @parameters.names.any? do |name|
            property = self.class.validproperty?(name)
            property && !property.unmanaged && should(name)
          end
        end

        # @return [Boolean] whether it is to be gone
        def deleting?
          should(:ensure) == :absent
        end

        # Takes the metaparameters of another resource.
        #
        # @param parameters [Hash{Symbol=>Parameter}]
        # @return [nil]
        def copy_metaparams(parameters)
          parameters.each { |name, parameter| self[name] = parameter.value if parameter.metaparam? && name != :alias }
          nil
        end

        # @return [Symbol, nil] the attribute that names the resource
        def name_var
          @plan.namevar
        end

        # @return [Array<Object>] the values that identify it among the resources of its type
        def uniqueness_key
          key = @plan.sorted_key
          key.one? ? [self[key.first]] : key.map { |name| self[name] }
        end

        private

        def assign(attribute, value)
          parameter = parameter_for(attribute)
          attribute.assign(parameter, value) if parameter
        rescue Puppet::Error, ArgumentError => e
          raise unless parameter

          raise_about(e, @secrets.problem(e)) do |problem|
            ResourceError.new("Parameter #{attribute.name} failed on #{ref}: #{problem}")
          end
        end

        # Raises the error that a block makes. Where the problem is not to be shown, neither is the error that has it.
        def raise_about(error, problem)
          raised = yield(problem)
          raise adderrorcontext(raised, error) if problem.equal?(error)

          adderrorcontext(raised).set_backtrace(error.backtrace)
          raise raised, cause: nil
        end

        # Returns the parameter that the resource has or gets, if the provider has the features that it requires.
        def parameter_for(attribute)
          return @parameters.provide(attribute) if !attribute.conditional || provider.nil? || attribute.supported_by?(provider.class)

          debug do
            missing = attribute.definition.required_features.reject { |feature| provider.class.feature?(feature) }
            "Provider #{provider.class.name} does not support features #{missing.join(", ")}; " \
              "not managing attribute #{attribute.name}"
          end
          nil
        end
      end
    end
  end
end
