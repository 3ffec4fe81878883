# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Type
      # The state of a resource on its system, which its provider knows. See Puppet's `type.rb`.
      module State
        # Types can have their resources listed.
        module Listing
          # @return [Array<Type>] one for each resource that a provider finds
          # @raise [DevError] without providers
          # @raise [UnavailableError] for Puppet's own types, whose providers are not here
          def instances
            raise UnavailableError, "The list of all resources of type #{name}" if ResourceTypes.own?(name)
            raise DevError, "#{name} has no providers and has not overridden 'instances'" if providers.empty?

            found = {}
            providers_by_source.flat_map(&:instances).filter_map { |provider| listed(provider, found) }
          end

          # @return [Array<Class<Provider>>] the usable ones, one for each source
          def providers_by_source
            [defaultprovider, *suitableprovider].compact.uniq.uniq(&:source)
          end

          # @return [Boolean] whether `ensure` is retrieved if a resource has no value for it
          def needs_ensure_retrieved
            true
          end

          private

          def listed(provider, found)
            title = provider.respond_to?(:title) ? provider.title : provider.name
            if (other = found[title])
              Puppet.debug("#{name.to_s.capitalize} #{title} found in both #{other.class.name} and #{provider.class.name}; skipping the " \
                           "#{provider.class.name} version")
              return
            end

            found[title] = provider
            new(name: provider.name, provider: provider, title: title).tap { |resource| properties.each { |one| resource.newattr(one) } }
          end
        end

        # Has the provider write its changes.
        #
        # @return [Object]
        def flush
          provider.flush if provider.respond_to?(:flush)
        end

        # @return [Resource, Hash] the state
        # @raise [Puppet::Error] if the provider cannot be used
        def retrieve
          fail("Provider #{provider.class.name} is not functional on this host") if provider.is_a?(Provider) && !provider.class.suitable?

          state = Resource.new(self.class, title)
          state[:name] = self[:name] unless self[:name] == title
          presence = presence_property
          state[:ensure] = present = presence.retrieve if presence
          properties.each do |property|
            state[property.name] = present == :absent ? :absent : property.retrieve unless property.name == :ensure
          end
          state
        end

        # @return [Resource] the state
        def retrieve_resource
          state = retrieve
          state.is_a?(Hash) ? Resource.new(self.class, title, parameters: state) : state
        end

        # @return [Boolean]
        def present?(state)
          state[:ensure] != :absent
        end

        # @return [Hash{Property=>Object}] the state by properties
        def currentpropvalues
          present = false
          properties.to_h do |property|
            value = present == :absent && property.name != :ensure ? :absent : property.retrieve
            present = value if property.name == :ensure
            [property, value]
          end
        end

        # @return [Resource] the state, with the parameters
        def to_resource
          resource = ResourceTypes.own?(self.class.name) ? declared_resource : retrieve_resource
          resource.merge_tags_from(self)
          parameters.each { |name, parameter| resource[name] = parameter.value unless parameter.is_a?(Property) }
          resource
        end

        # Takes everything away that the resource has.
        #
        # @return [void]
        def remove
          parameters.each_value(&:remove)
          parameters.each_key { |name| @parameters.delete(name) }
          @parent = nil
          @provider&.clear
          @provider = nil
        end

        # Compatibility with types that check the system before a catalog is applied.
        #
        # @return [void]
        def pre_run_check; end

        private

        def presence_property
          known = property(:ensure)
          known || (newattr(:ensure) if self.class.needs_ensure_retrieved && self.class.validattr?(:ensure))
        end

        # Puppet's own types have no providers here that know the system.
        def declared_resource
          resource = Resource.new(self.class.name, title, parameters: to_hash)
          resource.sensitive_parameters = @secrets.names_in(to_hash) if @secrets.names.any?
          resource
        end
      end

      include State
      extend State::Listing
    end
  end
end
