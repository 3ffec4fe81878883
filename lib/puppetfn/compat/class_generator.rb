# frozen_string_literal: true

module Puppetfn
  module Puppet
    # A generated class has the name of an existing constant.
    class ConstantAlreadyDefined < Error; end

    # A generated class has the name of another one.
    class SubclassAlreadyDefined < Error; end

    module Util
      # Generates the classes of types, parameters, properties and providers from the blocks of the API for types.
      module ClassGen
        # @param name [String, Symbol]
        # @param options [Hash]
        # @option options [Class] :parent the superclass; the receiver if there is none
        # @option options [String] :prefix of the constant that the class becomes
        # @option options [Hash, nil] :attributes values for the class's own writers, as far as it has them
        # @option options [Hash] :hash registry of the classes by name
        # @option options [Array] :array registry of the classes
        # @option options [Boolean] :overwrite whether it replaces one of its name
        # @option options [Module] :include
        # @option options [Module] :extend
        # @yield in the class
        # @return [Class]
        # @raise [ConstantAlreadyDefined, SubclassAlreadyDefined]
        def genclass(name, options = {}, &block)
          name = name.to_s.downcase.intern
          generated = Class.new(options[:parent] || self) { @name = name }
          publish_generated(generated, name, options)
          prepare_generated(generated, options)
          block ||= options[:block]
          generated.class_eval(&block) if block
          keep_generated(generated, name, options)
          generated
        end

        # Forgets a generated class.
        #
        # @return [Boolean] whether there was one
        def rmclass(name, options)
          constant = generated_constant(name, options)
          known = const_defined?(constant, false)
          remove_const(constant) if known
          !options[:hash]&.delete(name).nil? || known
        end

        private

        def generated_constant(name, options)
          "#{options[:prefix]}#{name.to_s.capitalize}"
        end

        def publish_generated(generated, name, options)
          constant = generated_constant(name, options)
          if const_defined?(constant, false)
            unless options[:overwrite]
              raise ConstantAlreadyDefined, "Class #{constant} is already defined in #{self}"
            end
            Puppet.info("Redefining #{name} in #{self}")
            remove_const(constant)
          end
          const_set(constant, generated)
        end

        def prepare_generated(generated, options)
          generated.initvars if generated.respond_to?(:initvars)
          options[:attributes]&.each do |attribute, value|
            writer = "#{attribute}="
            generated.public_send(writer, value) if generated.respond_to?(writer)
          end
          generated.include(*options[:include]) if options[:include]
          generated.extend(*options[:extend]) if options[:extend]
        end

        def keep_generated(generated, name, options)
          hash, array = options.values_at(:hash, :array)
          known = hash&.key?(name) || array&.any? { |other| other.name == name }
          raise SubclassAlreadyDefined, "Already a generated class named #{name}" if known && !options[:overwrite]

          hash[name] = generated if hash
          array << generated if array
        end
      end
    end
  end
end
