# frozen_string_literal: true

module Puppetfn
  module Puppet
    # What `puppet generate types` writes about a resource type. Specs make sure that this works for types of their module.
    module Generate
      extend StandIn

      module Models
        extend StandIn

        # The type and its attributes, in the terms of the Puppet language.
        module Type
          extend StandIn

          # An attribute.
          class Property
            # @return [String] a literal
            attr_reader :name

            # @return [String] the type of its values
            attr_reader :type

            # @return [String]
            attr_reader :doc

            # @param property [Class<Puppet::Parameter>]
            def initialize(property)
              @name = Pops::Types::ValueText.of(property.name.to_s)
              @type = self.class.get_puppet_type(property)
              @doc = property.doc.strip
              @is_namevar = property.isnamevar?
            end

            # @return [Boolean, nil] whether it names resources
            def is_namevar? = @is_namevar

            # @param property [Class<Puppet::Parameter>]
            # @return [String] the type of the values that it lists; `Any` if it lists none
            def self.get_puppet_type(property)
              patterns, words = property.value_collection.all.partition(&:regex?)
              patterns = patterns.map { |value| Pops::Types::ValueText.of(value.name) }
              words = words.flat_map { |value| [value.name, *value.aliases] }.map { |word| Pops::Types::ValueText.of(word.to_s) }
              types = []
              types << "Boolean" if words.intersect?(["'true'", "'false'"])
              types << "Enum[#{words.join(", ")}]" if words.any?
              types << "Pattern[#{patterns.join(", ")}]" if patterns.any?
              return types.first || "Any" if types.size < 2

              "Variant[#{types.join(", ")}]"
            end
          end

          # A resource type.
          class Type
            # @return [String] a literal
            attr_reader :name

            # @return [String]
            attr_reader :doc

            # @return [Array<Property>]
            attr_reader :properties

            # @return [Array<Property>]
            attr_reader :parameters

            # @return [Hash{String=>String}] the names of the parts of titles, by the pattern; both are literals
            attr_reader :title_patterns

            # @return [Boolean] whether two resources may not have the same name
            attr_reader :isomorphic

            # @return [false]
            attr_reader :capability

            # @param type [Class<Puppet::Type>]
            # @raise [Puppet::Error] if a part of titles is converted by code
            def initialize(type)
              @name = Pops::Types::ValueText.of(type.name.to_s)
              @doc = type.doc.strip
              @properties = type.properties.map { |property| Property.new(property) }
              @parameters = type.parameters.map { |name| Property.new(type.paramclass(name)) }
              @title_patterns = type.title_patterns.to_h { |pattern, parts| [pattern, names(parts)].map { |part| Pops::Types::ValueText.of(part) } }
              @isomorphic = type.isomorphic?
              @capability = false
            end

            # @param template [ERB]
            # @return [String]
            def render(template)
              template.result(binding)
            end

            private

            def names(parts)
              parts.map do |part|
                next if part.empty?
                raise Puppet::Error, "title patterns that use procs are not supported." unless part.size == 1

                part.first.to_s
              end
            end
          end
        end
      end
    end
  end
end
