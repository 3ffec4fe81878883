# frozen_string_literal: true

require_relative "type/titles"
require_relative "type/attributes"
require_relative "type/providers"
require_relative "type/relations"

module Puppetfn
  module Puppet
    # A resource type, and the API that types are defined with in `lib/puppet/type` of a module: the class is the
    # definition in a file, an instance is a resource.
    #
    #   Puppet::Type.newtype(:article) do
    #     ensurable
    #     newparam(:name, namevar: true)
    #     newproperty(:price) { validate { |value| raise ArgumentError, "must be a number" unless value.is_a?(Numeric) } }
    #   end
    class Type
      include Util
      include Util::Errors
      include Util::Logging
      include Util::Tagging
      include Translation
      include Comparable

      extend Util
      extend Util::Errors
      extend Util::Logging
      extend Util::ClassGen
      extend Util::ProviderFeatures
      extend Translation
      extend Titles
      extend Attributes
      extend Providers
      extend Relations

      class << self
        # @return [Symbol, String] of a type; of this class itself, as of any class
        def name
          defined?(@name) ? @name : super
        end

        # @return [String] the name of the type in references
        def reference_name
          @reference_name ||= Resource.type_and_title(name.to_s, "").first
        end

        # @return [Boolean, nil] whether a resource refreshes itself when it has changed something
        attr_accessor :self_refresh

        attr_writer :doc

        # Documents the type.
        def desc(text)
          @doc = text
        end

        # @return [String]
        def doc
          Util::Docs.scrub(@doc || "")
        end

        # Defines a type.
        #
        # @param name [String, Symbol]
        # @param options [Hash] values for the type's own writers
        # @yield in the type
        # @return [Class<Type>]
        def newtype(name, options = {}, &block)
          Runtime.current!("Puppet::Type.newtype").resource_types.define(name, options, &block)
        end

        # @param name [String, Symbol]
        # @return [Class<Type>, nil]
        # @raise [Puppet::Error] when its file fails
        def type(name)
          Runtime.current!("Puppet::Type.type").resource_types.type(name)
        end

        # @yieldparam type [Class<Type>] each that is loaded
        def eachtype(&block)
          Runtime.current!("Puppet::Type.eachtype").resource_types.each(&block)
        end

        # Loads all types.
        def loadall
          Runtime.current!("Puppet::Type.loadall").resource_types.load_all
        end

        # Forgets a type.
        def rmtype(name)
          Runtime.current!("Puppet::Type.rmtype").resource_types.forget(name)
        end

        # Begins with no attributes.
        def initvars
          @parameters = []
          @paramhash = {}
          @properties = []
          @validproperties = {}
          @doc ||= ""
        end

        # Checks whole resources.
        #
        # @yield in the resource
        def validate(&block)
          define_method(:unsafe_validate, &block)
          define_method(:validate) { unsafe_validate unless deferred_values? }
        end

        # Makes the type apply to devices that an agent manages remotely.
        def apply_to_device
          @apply_to = :device
        end

        # Makes the type apply to the machine that the agent runs on.
        def apply_to_host
          @apply_to = :host
        end

        # Makes the type apply to both.
        def apply_to_all
          @apply_to = :both
        end

        # @return [:device, :host, :both]
        def apply_to
          @apply_to ||= :host
        end

        # @param target [Symbol]
        # @return [Boolean]
        def can_apply_to(target)
          [target == :device ? :device : :host, :both].include?(apply_to)
        end

        # @return [Boolean] whether two resources cannot be of the same thing
        def isomorphic?
          !defined?(@isomorphic) || @isomorphic
        end

        # Returns an outline of the type for the evaluator.
        #
        # @api private
        # @return [Array(Array<String>, Array<String>, Boolean, Boolean)] the names of all attributes and of the key
        #   attributes, whether it is isomorphic, and whether its title as it is is the value of the one key attribute
        def outline
          @outline ||= [allattrs.map(&:name), key_attributes.map(&:name), isomorphic? ? true : false, simple_title?].freeze
        end

        # @return [String]
        def to_s
          defined?(@name) ? "Puppet::Type::#{@name.to_s.capitalize}" : super
        end
        alias inspect to_s
      end
    end
  end
end

require_relative "type/secrets"
require_relative "type/instance"
require_relative "type/state"
require_relative "type/metaparameters"
