# frozen_string_literal: true

require_relative "values"
require_relative "type_declaration"
require_relative "provider_declaration"
require_relative "api_declaration"

class Puppetfn::Doc
  module Types
    # What a file declares of types and providers.
    #
    # @api private
    class Declarations
      TYPES = %w[Puppet::Type Type].freeze
      APIS = %w[Puppet::ResourceApi ResourceApi].freeze
      private_constant :TYPES, :APIS

      # @return [Array<TypeDeclaration, ApiDeclaration>]
      attr_reader :types

      # @return [Array<ProviderDeclaration>]
      attr_reader :providers

      # @param source [Source]
      def initialize(source)
        @source = source
        @types = []
        @providers = []
      end

      # Declares what a call of a method of a constant does.
      #
      # @return [Object, nil] nil where it declares nothing
      def declare(path, called, arguments, block, evaluation)
        path = path.delete_prefix("::")
        if TYPES.include?(path) && called.name == "newtype" then declare_type(called, arguments, block, evaluation)
        elsif TYPES.include?(path) && called.name == "type" then ForeignType.new(arguments.first, self, evaluation)
        elsif APIS.include?(path) && called.name == "register_type" then declare_api(called, arguments, evaluation)
        end
      end

      # @return [Object]
      def declare_provider(type_name, called, arguments, block, evaluation)
        name = arguments.first
        return UNKNOWN unless name.is_a?(Symbol) || name.is_a?(String)

        declared = ProviderDeclaration.new(type_name.to_s, name.to_s, called, @source)
        @providers << declared
        evaluation.apply(block, [declared], declared) if block
        declared.document(comment_above(called.line))
        declared
      end

      private

      # The comment says what it is for where no code does.
      def comment_above(line)
        @source.comment_above(line)&.text
      end

      def declare_type(called, arguments, block, evaluation)
        name = arguments.first
        return UNKNOWN unless name.is_a?(Symbol) || name.is_a?(String)

        declared = TypeDeclaration.new(name.to_s, called.line, evaluation)
        @types << declared
        evaluation.apply(block, [declared], declared) if block
        declared.document(comment_above(called.line))
        declared
      end

      def declare_api(called, arguments, _evaluation)
        definition = arguments.first
        @types << ApiDeclaration.new(definition, called.line) if definition.is_a?(Hash) && definition[:name].is_a?(String)
        UNKNOWN
      end
    end

    # A type that another file declares.
    class ForeignType
      include Target

      # @param name [Object]
      # @param declarations [Declarations]
      # @param evaluation [Evaluation]
      def initialize(name, declarations, evaluation)
        @name = name
        @declarations = declarations
        @evaluation = evaluation
      end

      def receive(called, arguments, block)
        known = called.name == "provide" && (@name.is_a?(Symbol) || @name.is_a?(String))
        known ? @declarations.declare_provider(@name, called, arguments, block, @evaluation) : UNKNOWN
      end
    end
  end
end
