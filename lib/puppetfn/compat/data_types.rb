# frozen_string_literal: true

module Puppetfn
  module Puppet
    # The API that types are defined with in Ruby, in `lib/puppet/datatypes` of a module.
    #
    #   Puppet::DataTypes.create_type("Shop::Article") do
    #     interface <<~PUPPET
    #       attributes => { name => String[1], price => Float },
    #       functions => { with_tax => Callable[[Float], Float] }
    #     PUPPET
    #
    #     implementation do
    #       def with_tax(rate) = @price * (1 + rate)
    #     end
    #   end
    module DataTypes
      extend StandIn

      # Makes the definition of a type.
      #
      # @param type_name [String]
      # @yield in a {TypeBuilderAPI}
      # @return [Definition]
      # @raise [ArgumentError] when anything is wrong with it
      def self.create_type(type_name, &block)
        create_loaded_type(type_name, nil, &block)
      rescue StandardError => e
        raise ArgumentError, "Data Type Load Error for type '#{type_name}': #{e.message}"
      end

      # (see create_type)
      # @param _loader [Loader, nil] finds nothing here: the type is resolved when it is looked for
      def self.create_loaded_type(type_name, _loader, &block)
        definition = Definition.new(type_name.to_s)
        TypeBuilderAPI.new(definition).instance_eval(&block)
        raise ArgumentError, "a data type must have an interface" unless definition.interface.is_a?(String)

        definition
      end

      # The definition of a type in a file.
      class Definition
        # @return [String]
        attr_reader :name

        # @return [String] the text between the braces of an Object type
        attr_accessor :interface

        # @return [Proc, nil] defines the methods of objects
        attr_accessor :implementation

        # @return [Class, nil] has the methods of objects
        attr_accessor :implementation_class

        def initialize(name)
          @name = name
        end

        # @return [Boolean]
        def implemented?
          !(implementation.nil? && implementation_class.nil?)
        end

        # @return [String] the definition in the Puppet language
        def to_s
          "type #{name} = Object[{ #{interface} }]"
        end
      end

      # The receiver of the block of {DataTypes.create_type}.
      class TypeBuilderAPI
        # @api private
        def initialize(definition)
          @definition = definition
          freeze
        end

        # @param type_string [String] attributes and functions, as an Object type has them
        # @return [void]
        def interface(type_string)
          raise ArgumentError, "a data type can only have one interface" unless @definition.interface.nil?

          @definition.interface = type_string
        end

        # @yield in a class, to define the methods of objects; attributes are instance variables
        # @return [void]
        def implementation(&block)
          refuse_second_implementation
          @definition.implementation = block
        end

        # @param ruby_class [Class] is made with the attributes, in order, and has the methods
        # @return [void]
        def implementation_class(ruby_class)
          refuse_second_implementation
          @definition.implementation_class = ruby_class
        end

        # Loads a file of the environment or of a module, as `require` does.
        #
        # @param file_name [String]
        # @return [Boolean]
        def load_file(file_name)
          loaded = Runtime.current!("load_file").sandbox.require_file(file_name)
          require(file_name) if loaded.nil?
        end

        private

        def refuse_second_implementation
          raise ArgumentError, "a data type can only have one implementation" if @definition.implemented?
        end
      end
    end
  end
end
