# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Optional abilities of providers: the type names the features, and providers have them by declaring them or by having
      # their methods.
      module ProviderFeatures
        # A feature of providers.
        class ProviderFeature
          # @return [Symbol]
          attr_reader :name

          # @return [String]
          attr_reader :docs

          # @return [Array<Symbol>, nil] the methods that make up the feature
          attr_reader :methods

          def initialize(name, docs, methods: nil)
            @name = name.intern
            @docs = docs
            @methods = methods
          end

          # @param object [Provider, Class<Provider>]
          # @return [Boolean] whether it has the methods
          def available?(object)
            return false unless methods

            Array(methods).all? { |method| object.is_a?(Class) ? object.public_method_defined?(method) : object.respond_to?(method) }
          end
        end

        # Queries of a provider's features.
        module Questions
          # @return [Boolean]
          def feature?(name)
            feature = feature_owner.provider_feature(name.to_sym)
            !feature.nil? && ((is_a?(Class) ? self : self.class).declared_feature?(feature.name) || feature.available?(self))
          end

          # @return [Array<Symbol>]
          def features
            feature_owner.features.select { |name| feature?(name) }.sort
          end

          # @return [Boolean] whether the provider has all of some features
          def satisfies?(*names)
            names.flatten.all? { |name| feature?(name) }
          end

          # Declares features.
          def has_features(*names)
            @declared_features ||= []
            @declared_features.concat(names.map(&:intern))
            Parameter.revise
          end
          alias has_feature has_features

          private

          def feature_owner
            (is_a?(Class) ? self : self.class).resource_type
          end

          def method_missing(name, *arguments)
            known = arguments.empty? && name.end_with?("?") && feature_owner.provider_feature(name.to_s.chomp("?").to_sym)
            known ? feature?(known.name) : super
          end

          def respond_to_missing?(name, include_private = false)
            (name.end_with?("?") && !feature_owner.provider_feature(name.to_s.chomp("?").to_sym).nil?) || super
          end
        end

        # Names a feature.
        #
        # @param name [Symbol]
        # @param docs [String]
        # @param options [Hash]
        # @option options [Array<Symbol>] :methods
        # @raise [DevError] when it is named already
        def feature(name, docs, options = {})
          raise DevError, "Feature #{name} is already defined" if provider_features.key?(name)

          provider_features[name.intern] = ProviderFeature.new(name, docs, **options)
          Parameter.revise
        rescue ArgumentError => e
          raise ArgumentError, "Could not create feature #{name}: #{e}", e.backtrace
        end

        # @return [Array<Symbol>]
        def features
          provider_features.keys
        end

        # @return [ProviderFeature, nil]
        def provider_feature(name)
          provider_features[name]
        end

        # @return [Module] the module with the queries that providers include
        def feature_module
          Questions
        end

        private

        def provider_features
          @features ||= {}
        end
      end
    end
  end
end
