# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The providers of a type: providers of its own file, and files in `lib/puppet/provider/TYPE` of modules, which are
      # loaded when they are first needed.
      module Providers
        attr_writer :defaultprovider

        # Defines a provider.
        #
        # @param name [String, Symbol]
        # @param options [Hash] values for the provider's own writers
        # @option options [Class<Provider>, Symbol] :parent
        # @yield in the provider
        # @return [Class<Provider>]
        # @raise [DevError] when there is no such parent
        def provide(name, options = {}, &block)
          name = name.intern
          unprovide(name)
          parent = parent_provider(options.delete(:parent), name)
          providify
          provider = genclass(name, parent: parent, hash: provider_hash, prefix: "Provider", block: block, include: feature_module,
            extend: feature_module, attributes: {resource_type: self}.merge(options))
          Runtime.current&.resource_types&.provided(self, provider)
          provider
        end

        # Forgets a provider.
        #
        # @return [Boolean] whether there was one
        def unprovide(name)
          @defaultprovider = nil if @defaultprovider&.name == name
          rmclass(name, hash: provider_hash, prefix: "Provider")
        end

        # @return [Hash{Symbol=>Class<Provider>}] the loaded providers
        def provider_hash
          @provider_hash ||= {}
        end

        # @return [Class<Provider>, nil]
        def provider(name)
          name = name.intern
          provider_hash.fetch(name) do
            resource_types.load_provider(self.name, name)
            # A file may define a provider of another name: Puppet loads all of them with the type.
            resource_types.load_providers(self.name) unless provider_hash.key?(name)
            provider_hash[name]
          end
        end

        # @return [Array<Symbol>] the names of all providers
        def providers
          resource_types.load_providers(name)
          provider_hash.keys
        end

        # @return [Boolean] whether the provider exists, and is suitable
        def validprovider?(name)
          provider(name)&.suitable? || false
        end

        # @return [Array<Class<Provider>>] the suitable providers
        def suitableprovider
          resource_types.load_providers(name)
          provider_hash.values.select(&:suitable?)
        end

        # @return [Class<Provider>, nil] the provider of resources that name none
        def defaultprovider
          @defaultprovider ||= find_default_provider
        end

        # Adds the parameter that names the provider to the type.
        def providify
          newparam(:provider, parent: ProviderParameter) unless @paramhash.key?(:provider)
        end

        private

        def resource_types
          Runtime.current!("a provider of #{name}").resource_types
        end

        def parent_provider(parent, name)
          return parent || Provider if parent.nil? || parent.is_a?(Class)

          provider(parent) or raise DevError, "Could not find parent provider #{parent} of #{name}"
        end

        def find_default_provider
          suitable = suitableprovider
          defaults = suitable.select(&:default?)
          defaults = suitable if defaults.empty?
          most = defaults.map(&:specificity).max
          defaults = defaults.select { |provider| provider.specificity == most }
          if defaults.length > 1
            Puppet.warning("Found multiple default providers for #{name}: #{defaults.map(&:name).join(", ")}; " \
                           "using #{defaults.first.name}")
          end
          defaults.first
        end
      end

      # The parameter that names the provider of a resource.
      class ProviderParameter < Parameter
        # @api private
        # @return [Boolean] whether only this class handles values and the default
        def self.usual?
          (hook_owners + [instance_method(:default).owner] - [ProviderParameter, Parameter]).empty?
        end

        desc "What manages the resource on its platform; Puppet chooses one where none is named."

        defaultto { @resource.class.defaultprovider&.name }

        validate do |provider|
          provider = provider[0] if provider.is_a?(Array)
          provider = provider.class.name if provider.is_a?(Provider)
          unless @resource.class.provider(provider)
            raise ArgumentError, "Invalid #{@resource.class.name} provider '#{provider}'"
          end
        end

        munge do |provider|
          provider = provider[0] if provider.is_a?(Array)
          provider = provider.intern if provider.is_a?(String)
          @resource.provider = provider
          provider.is_a?(Provider) ? provider.class.name : provider
        end
      end
    end
  end
end
