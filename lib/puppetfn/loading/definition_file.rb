# frozen_string_literal: true

module Puppetfn
  # A file in Ruby that defines a function or a type, and Puppet's words for its errors.
  #
  # @api private
  class DefinitionFile
    # @return [String] the content of the file
    attr_reader :source

    # @param path [String]
    # @param loader [Loader] of the module that has it
    # @raise [ArgumentError] when it is not valid UTF-8
    def initialize(path, loader)
      @path = path
      @loader = loader
      @source = loader.read_source(path)
    end

    # @return [Object] the value of its last expression
    # @raise [ScriptError, StandardError] whatever evaluating it raises
    def evaluate
      StandardLibrary.publish
      runtime = @loader.runtime
      runtime.activate { runtime.sandbox.evaluate(source, @path, runtime.definition_loader(@loader.module_name)) }
    end

    # @param expected [String] the name that the place of the file gives to its definition
    # @param given [String] the name that it has there
    # @param same [Boolean]
    # @return [void]
    # @raise [ArgumentError] unless they are the same
    def check_name(expected, given, same = expected == given)
      refuse("produced mis-matched name, expected '#{expected}', got #{given}") unless same
    end

    # @param problem [String]
    # @raise [ArgumentError]
    def refuse(problem)
      raise Error[ArgumentError], "The code loaded from #{@path} #{problem}"
    end
  end
end
