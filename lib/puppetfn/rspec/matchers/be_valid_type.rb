# frozen_string_literal: true

require_relative "any_subject"

module Puppetfn
  module RSpec
    # Matchers for resource types.
    module TypeMatchers
      # @return [BeValidType] checks that a type exists, and its members
      def be_valid_type
        BeValidType.new
      end

      # `is_expected.to be_valid_type.with_properties("ensure").with_provider(:ruby)`.
      class BeValidType
        include AnySubject

        def initialize
          @names = Hash.new { |names, kind| names[kind] = [] }
          @attributes = {}
        end

        # @param name [Symbol] the provider that a resource has to have
        # @return [self]
        def with_provider(name)
          @provider = name
          self
        end

        # @param names [Array<String, Symbol>, String, Symbol]
        # @return [self]
        def with_properties(names)
          add(:properties, names)
        end

        # @param names [Array<String, Symbol>, String, Symbol]
        # @return [self]
        def with_parameters(names)
          add(:parameters, names)
        end

        # @param names [Array<String, Symbol>, String, Symbol]
        # @return [self]
        def with_features(names)
          add(:features, names)
        end

        # @param attributes [Hash{Symbol=>Object}] attributes that a resource accepts
        # @return [self]
        def with_set_attributes(attributes)
          @attributes = @attributes.merge(attributes)
          self
        end

        # As in rspec-puppet, default values are only named.
        #
        # @return [self]
        def with_defaults(_defaults)
          self
        end

        # @param subject [Array(Class<Puppet::Type>, String, Hash)] the type, and a resource of it
        # @return [Boolean]
        # @raise [Puppet::Error] when there cannot be a resource with the attributes
        def matches?(subject)
          @type, title, params = subject
          @problem = @type ? missing_name : "there is no such type in the modules of the example"
          check_resource(title, params) if @problem.nil? && (@provider || @attributes.any?)
          @problem.nil?
        end

        # @return [String]
        def description
          "be a valid type"
        end

        # @return [String]
        def failure_message
          "Not a valid type #{[@problem]}"
        end

        # @return [String]
        def failure_message_when_negated
          "expected that the type would not be valid but it is"
        end

        private

        def add(kind, names)
          @names[kind] |= Array(names)
          self
        end

        def missing_name
          questions = {parameters: :validparameter?, properties: :validproperty?, features: :provider_feature}
          questions.each do |kind, question|
            missing = @names[kind].map(&:to_sym).reject { |name| @type.public_send(question, name) }
            return "Invalid #{kind}: #{missing.join(",")}" if missing.any?
          end
          nil
        end

        def check_resource(title, params)
          resource = @type.new({name: title}.merge(params, @attributes))
          return if @provider.nil? || resource[:provider] == @provider

          @problem = "Expected provider: #{@provider} does not match: #{resource[:provider]}"
        end
      end
    end
  end
end
