# frozen_string_literal: true

module Puppetfn
  # Makes definitions of types from the files in Ruby that have them.
  #
  # @api private
  module DataTypeLoader
    CREATE_CALL = /Puppet::DataTypes\.create_type/
    private_constant :CREATE_CALL

    # @param name [String] the name that the place of the file gives to the type, in lower case
    # @param path [String]
    # @param loader [Loader]
    # @return [Puppet::DataTypes::Definition]
    # @raise [ArgumentError] when the file does not define the type
    # @raise [ScriptError, StandardError] whatever evaluating the file raises
    def self.instantiate(name, path, loader)
      file = DefinitionFile.new(path, loader)
      file.refuse("does not seem to be a Puppet 5x API data type - no create_type call.") unless file.source.match?(CREATE_CALL)

      created = file.evaluate
      is_definition = created.is_a?(Puppet::DataTypes::Definition)
      file.refuse("did not produce a data type when evaluated. Got '#{created.class}'") unless is_definition
      file.check_name(name, created.name, created.name.casecmp?(name))
      created
    end
  end
end
