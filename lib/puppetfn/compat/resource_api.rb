# frozen_string_literal: true

require_relative "resource_api/data_types"
require_relative "resource_api/definition"
require_relative "resource_api/attributes"
require_relative "resource_api/state"
require_relative "resource_api/type"

module Puppetfn
  module Puppet
    # The other API for resource types: a Hash declares the attributes and their data types.
    #
    #   Puppet::ResourceApi.register_type(
    #     name: "article", desc: "What a shop sells.",
    #     attributes: {
    #       name: { type: "String[1]", desc: "What it is called.", behaviour: :namevar },
    #       price: { type: "Optional[Float[0.0]]", desc: "What it costs." }
    #     }
    #   )
    module ResourceApi
      extend StandIn

      autoload :SimpleProvider, File.join(__dir__, "resource_api", "simple_provider")
      %i[BaseContext PuppetContext IOContext].each { |name| autoload name, File.join(__dir__, "resource_api", "context") }

      BEHAVIOURS = %i[read_only namevar parameter init_only].freeze
      private_constant :BEHAVIOURS

      class << self
        # @param definition [Hash{Symbol=>Object}]
        # @return [Class<Type>]
        # @raise [DevError] when something in it is wrong
        def register_type(definition)
          type_definition = TypeDefinition.new(definition)
          namespace = class_name_from_type_name(definition[:name])
          Provider.const_set(namespace, ::Module.new) unless Provider.const_defined?(namespace, false)

          Puppet::Type.newtype(definition[:name].to_sym) do
            @doc = definition[:desc]
            @type_definition = type_definition
            extend TypeMethods
            include InstanceMethods
            include State
            apply_to_device if type_definition.feature?("remote_resource")
            define_attributes
            define_relations
          end
        end

        # Schemas of transports are for devices, which nothing here speaks to.
        #
        # @param schema [Hash{Symbol=>Object}]
        # @return [Hash] the schema
        # @raise [DevError] when something in it is wrong
        def register_transport(schema)
          Definition.new(schema, :connection_info).definition
        end

        # @param type_name [String, Symbol]
        # @return [String] the module below `Puppet::Provider` that has the providers of a type
        def class_name_from_type_name(type_name)
          type_name.to_s.split("_").map(&:capitalize).join
        end

        # @param type_name [String, Symbol]
        # @return [Class]
        # @raise [DevError] when there is no file that defines it
        def load_provider(type_name)
          runtime = Runtime.current!("a provider of #{type_name}")
          class_name = class_name_from_type_name(type_name)
          runtime.resource_types.load_provider(type_name, type_name)
          namespace = runtime.resource_types.constant(Provider, class_name.to_sym) || Provider.const_get(class_name, false)
          namespace.const_get(class_name, false)
        rescue NameError
          raise DevError, "provider class Puppet::Provider::#{class_name}::#{class_name} not found in " \
                          "puppet/provider/#{type_name}/#{type_name}"
        end

        # @api private
        # @raise [ResourceError]
        def check_behaviour(options)
          behaviour = options[:behaviour]
          return if behaviour.nil? || BEHAVIOURS.include?(behaviour)

          raise ResourceError, "`#{behaviour}` is not a valid behaviour value"
        end
      end
    end
  end
end
