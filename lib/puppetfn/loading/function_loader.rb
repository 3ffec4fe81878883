# frozen_string_literal: true

module Puppetfn
  # Makes functions of the classes that files define.
  #
  # @api private
  module FunctionLoader
    CREATE_CALL = /Puppet::Functions\.create_function/
    # Code that changes hashes or arrays in place.
    CHANGE = /\.(?:clear|concat|delete(?:_at|_if)?|fill|insert|keep_if|pop|prepend|push|append|replace|shift|unshift|store|update)\b
              |\w!(?!=)|\]\s*(?:\|\||&&|[-+*\/|&])?=(?![=~>])|<</x
    private_constant :CREATE_CALL, :CHANGE

    # @param source [String] Ruby code
    # @return [Boolean] whether it may change hashes or arrays in place
    def self.changes_in_place?(source)
      source.match?(CHANGE)
    end

    # @param name [String] the name that the place of the file gives to the function
    # @param path [String]
    # @param loader [Loader] the loader that the function uses
    # @return [Function]
    # @raise [ArgumentError] when the file does not define the function
    # @raise [ScriptError, StandardError] whatever evaluating the file raises
    def self.instantiate(name, path, loader)
      created = loader.runtime.evaluated_files.fetch(path) { evaluate(name, path, loader) }
      created.for_loader(loader.private_loader)
    end

    def self.evaluate(name, path, loader)
      file = DefinitionFile.new(path, loader)
      file.refuse("does not seem to be a Puppet 4x API function - no create_function call.") unless file.source.match?(CREATE_CALL)

      created = file.evaluate
      file.refuse("did not produce a Function class when evaluated. Got '#{created.class}'") unless created.is_a?(Class)
      file.check_name(name, created.name.to_s)
      created.changes_arguments = changes_in_place?(file.source)
      created
    end
    private_class_method :evaluate
  end
end
