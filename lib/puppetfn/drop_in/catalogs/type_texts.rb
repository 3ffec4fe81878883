# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Texts of Puppet's types that name resource types in full, as in `Resource['file', '/tmp']` for `File['/tmp']`: that
      # is a type of resources whether a definition or an implementation of it has been loaded or not.
      class TypeTexts < ::Puppet::Pops::Types::TypeFormatter
        # @param type [::Puppet::Pops::Types::PAnyType]
        # @return [String]
        def self.of(type)
          new.string(type)
        end

        # @api private
        def string_PResourceType(type) # rubocop:disable Naming/MethodName
          return super unless type.type_name

          @bld << "Resource["
          append_string(type.type_name)
          append_title(type.title)
          @bld << "]"
        end

        private

        def append_title(title)
          return if title.nil?

          @bld << ", "
          append_string(title)
        end
      end
    end
  end
end
