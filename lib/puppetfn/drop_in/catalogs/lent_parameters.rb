# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # A parameter of a resource of the catalog that puppetfn makes. Functions of Puppet can read it; where one changes
      # it, Puppet has to compile the catalog. A copy is the function's own.
      class LentParameter < ::Puppet::Parser::Resource::Param
        extend StandIn
        stands_in_for ::Puppet::Parser::Resource::Param
        include SingletonGuard

        # @param compilation [Compilation]
        # @param attributes [Hash] a parameter's attributes
        def initialize(compilation, **attributes)
          @compilation = compilation
          super(**attributes)
        end

        %i[name value source add file line].each do |name|
          define_method(:"#{name}=") do |value|
            @compilation&.decline("Puppet::Parser::Resource::Param##{name}=")
            super(value)
          end
        end

        # @return [Compilation, nil] nil for a copy
        attr_reader :compilation

        # @return [Boolean] whether it is no copy
        def lent? = !@compilation.nil?

        private

        def initialize_copy(original)
          super
          @compilation = nil
        end
      end

      # The parameters of such a resource, by their names. Where a function changes the Hash, Puppet has to compile the
      # catalog.
      class LentParameters < Hash
        extend StandIn
        stands_in_for Hash
        include SingletonGuard

        # @return [Compilation]
        attr_reader :compilation

        # Methods that change a Hash.
        CHANGING = %i[
          []= store delete delete_if reject! select! keep_if filter! clear replace merge! update transform_values!
          transform_keys! compact! shift compare_by_identity default= default_proc=
        ].freeze

        # @param compilation [Compilation]
        # @param parameters [Hash{Symbol=>LentParameter}]
        def initialize(compilation, parameters)
          super()
          @compilation = compilation
          HASH_REPLACE.bind_call(self, parameters)
        end

        HASH_REPLACE = Hash.instance_method(:replace)
        private_constant :CHANGING, :HASH_REPLACE

        # Adds a parameter that the catalog has, too.
        #
        # @api private
        # @param parameter [LentParameter]
        # @return [void]
        def show(parameter)
          HASH_REPLACE.bind_call(self, to_h { |name, value| [name, value] }.merge!(parameter.name => parameter))
        end

        CHANGING.each do |name|
          define_method(name) { |*| @compilation.decline("Puppet::Parser::Resource#parameters.#{name}") }
        end

        # A copy is the function's own.
        def dup = to_h { |name, value| [name, value] }
        alias clone dup
      end
    end
  end
end
