# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Provider
      # A provider of packages. See Puppet's `provider/package.rb`.
      class Package < Provider
        # Gives resources providers that know their state.
        #
        # @param packages [Hash{String=>Type}] by name
        def self.prefetch(packages)
          instances.each { |provider| packages[provider.name]&.provider = provider }
        end

        # Forgets the state.
        def flush
          @property_hash.clear
        end

        # @return [Hash{Symbol=>Object}] the state
        def properties
          if @property_hash.empty?
            missing = self.class.feature?(:purgeable) ? :purged : :absent
            @property_hash = query || {ensure: missing}
            @property_hash[:ensure] = missing if @property_hash.empty?
          end
          @property_hash.dup
        end

        # @param options [Array<String, Hash>, nil]
        # @return [Array<String>, nil] as arguments of a command
        def join_options(options)
          options&.flat_map { |option| option.is_a?(Hash) ? option.keys.sort.map { |key| "#{key}=#{option[key]}" } : option }
        end

        # @return [Boolean]
        def validate_source(_value)
          true
        end
      end
    end
  end
end
