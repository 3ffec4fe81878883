# frozen_string_literal: true

module Puppetfn
  # Makes definitions of types from the files in Ruby that have them.
  #
  # @api private
  module DataTypeLoader
    CREATE_CALL = /Puppet::DataTypes\.create_type/
    private_constant :CREATE_CALL

    class << self
      # @param name [String] the name that the place of the file gives to the type, in lower case
      # @param path [String]
      # @param loader [Loader]
      # @return [String] the definition in the Puppet language
      # @raise [ArgumentError] when the file does not define the type
      # @raise [ScriptError, StandardError] whatever evaluating the file raises
      def instantiate(name, path, loader)
        source = FunctionLoader.read(path, loader)
        unless source.match?(CREATE_CALL)
          raise ArgumentError, "The code loaded from #{path} does not seem to be a Puppet 5x API data type - " \
                               "no create_type call."
        end

        created = check(FunctionLoader.evaluate(source, path, loader.private_loader), name, path)
        created.to_s
      end

      private

      def check(created, name, path)
        unless created.is_a?(Puppet::DataTypes::Definition)
          raise ArgumentError, "The code loaded from #{path} did not produce a data type when evaluated. " \
                               "Got '#{created.class}'"
        end
        return created if created.name.casecmp?(name)

        raise ArgumentError, "The code loaded from #{path} produced mis-matched name, expected '#{name}', " \
                             "got #{created.name}"
      end
    end
  end
end
