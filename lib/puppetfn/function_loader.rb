# frozen_string_literal: true

module Puppetfn
  # Makes functions from the files that define them.
  #
  # @api private
  module FunctionLoader
    CREATE_CALL = /Puppet::Functions\.create_function/
    private_constant :CREATE_CALL

    class << self
      # @param name [String] the name that the place of the file gives to the function
      # @param path [String]
      # @param loader [Loader] what the function loads other things with
      # @return [Function]
      # @raise [ArgumentError] when the file does not define the function
      # @raise [ScriptError, StandardError] whatever evaluating the file raises
      def instantiate(name, path, loader)
        source = read(path, loader)
        unless source.match?(CREATE_CALL)
          raise ArgumentError, "The code loaded from #{path} does not seem to be a Puppet 4x API function - " \
                               "no create_function call."
        end

        loader = loader.private_loader
        check(evaluate(source, path, loader), name, path).new(nil, loader)
      end

      # Files are UTF-8, with or without a mark at their start, whatever the locale says.
      #
      # @param loader [Loader] looks at the file again when all is reloaded
      def read(path, loader)
        source = loader.read_file(path).force_encoding(Encoding::UTF_8).delete_prefix("\uFEFF")
        return source if source.valid_encoding?

        raise ArgumentError, "#{path} is not valid UTF-8: save the file in that encoding"
      end

      # What the last expression of a file gives.
      #
      # @param source [String] the content of the file
      def evaluate(source, path, loader)
        StandardLibrary.publish
        runtime = loader.runtime
        runtime.activate { runtime.sandbox.evaluate(source, path, loader) }
      end

      private

      def check(created, name, path)
        unless created.is_a?(Class)
          raise ArgumentError, "The code loaded from #{path} did not produce a Function class when evaluated. " \
                               "Got '#{created.class}'"
        end
        return created if created.name.to_s == name

        raise ArgumentError, "The code loaded from #{path} produced mis-matched name, expected '#{name}', " \
                             "got #{created.name}"
      end
    end
  end
end
