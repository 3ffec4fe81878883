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
          @parameters[attribute_name(name) { |unknown| fail("Invalid parameter #{unknown}(#{unknown.inspect})") }]&.value
        end

        # @param name [String, Symbol]
        # @param value [Object]
        # @raise [Puppet::Error] when there is no such attribute, or the value is wrong
        def []=(name, value)
          name = attribute_name(name) { |unknown| fail("no parameter named '#{unknown}'") }
          raise Puppet::Error, "Got nil value for #{name}" if value.nil?

          attribute = newattr(name) or return
          begin
            attribute.value = value
          rescue Puppet::Error, ArgumentError => e
            raise adderrorcontext(ResourceError.new("Parameter #{name} failed on #{ref}: #{e}"), e)
          end
        end

        # Gives the resource an attribute, without a value.
        #
        # @param name [Symbol, Class<Parameter>]
        # @return [Parameter, nil] nil when the provider cannot do what it needs
        # @raise [Puppet::Error] when there is no such attribute
        def newattr(name)
          name = name.name if name.is_a?(Class)
          attribute = self.class.attrclass(name)
          raise Puppet::Error, "Resource type #{self.class.name} does not support parameter #{name}" unless attribute

          if provider && !provider.class.supports_parameter?(attribute)
            missing = attribute.required_features.reject { |feature| provider.class.feature?(feature) }
            debug do
              "Provider #{provider.class.name} does not support features #{missing.join(", ")}; not managing attribute #{name}"
            end
            return
          end
          @parameters[name] ||= attribute.new(resource: self)
        end

        # Gives an attribute its default value, if it has no value.
        #
        # @param name [Symbol]
        def set_default(name)
          attribute = self.class.attrclass(name)
          return unless attribute&.method_defined?(:default) && !@parameters.include?(attribute.name)

          parameter = newattr(attribute.name) or return
          shared = attribute.shared_default
          return parameter.take_default(shared) unless shared.nil?

          value = parameter.default
          value ? parameter.value = value : @parameters.delete(parameter.name)
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
          @parameters.dup
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

        # @return [Object, nil] what a property should be
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
          @managed ||= properties.any? { |property| property.should && !property.class.unmanaged }
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
          self.class.namevar
        end

        # @return [Array<Object>] what tells it from other resources of its type
        def uniqueness_key
          self.class.key_attributes.sort_by(&:to_s).map { |name| self[name] }
        end

        private

        def attribute_name(name)
          name = name.intern
          yield name unless self.class.validattr?(name)
          (name_var if name == :name) || name
        end
      end
    end
  end
end
