# frozen_string_literal: true

module Puppetfn
  module OwnTypes
    # The provider tables of Puppet's own types: names, features and platforms of which they are the default.
    # Nothing else is asked of these providers, so each can be used anywhere.
    module ProviderTable
      # Adds the providers of a type.
      #
      # @param type [Class<Puppet::Type>]
      # @param providers [Hash{Symbol=>Array<Symbol>}] their features, the provider of Debian first
      # @param defaults [Hash{Symbol=>Array<Hash>}] facts of the platforms that they are the default of
      # @param exceptions [Hash{Symbol=>Array<Hash>}] facts of the platforms that they are not the default of
      # @param needs [Hash{Symbol=>Symbol}] the features of Puppet's that they need
      # @yield in each provider
      def self.provide_for(type, providers, defaults: {}, exceptions: {}, needs: {}, &block)
        providers.each do |name, features|
          type.provide(name) do
            mk_resource_methods
            has_features(*features)
            confine feature: needs[name] if needs.key?(name)
            defaults.fetch(name, []).each { |facts| defaultfor(facts) }
            exceptions.fetch(name, []).each { |facts| notdefaultfor(facts) }
            class_eval(&block) if block
          end
        end
        type.define_singleton_method(:defaultprovider) do
          # A missing library is searched for in all gems, each time that the suitability of a provider depends on it.
          @defaultprovider ||= begin
            providers = provider_hash.values
            providers.select { |provider| provider.default? && provider.suitable? }.max_by(&:specificity) || providers.find(&:suitable?)
          end
        end
      end
    end
  end
end
