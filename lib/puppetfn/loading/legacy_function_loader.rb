# frozen_string_literal: true

module Puppetfn
  # Makes functions from the files that define them with the 3.x API.
  #
  # @api private
  module LegacyFunctionLoader
    # A file in which this matches, and no definition of a method, need not be parsed to know that it
    # calls `newfunction`.
    PLAIN_CALL = /^\s*(?:(?:::)?Puppet::Parser::Functions(?:\.|::))?newfunction\(/
    METHOD_DEFINITION = /\bdef\b/
    MIGRATION_GUIDE = "functions_refactor_legacy.html"
    private_constant :PLAIN_CALL, :METHOD_DEFINITION, :MIGRATION_GUIDE

    class << self
      # @param name [String] the name that the place of the file gives to the function
      # @param path [String]
      # @param loader [Loader] the loader that the function uses
      # @return [Puppet::Functions::Function3x]
      # @raise [ArgumentError] when the file does not define the function
      # @raise [SecurityError] when it defines methods
      # @raise [ScriptError, StandardError] whatever evaluating the file raises
      def instantiate(name, path, loader)
        functions = loader.runtime.legacy_functions
        # Another function may have had this one loaded.
        info = functions.get_function_info(name.to_sym)
        if info
          checked(path, loader)
        else
          info = functions.define_of_file(path) { evaluate(checked(path, loader), name, path) }
        end
        Puppet::Functions::Function3x.of_file(name, info).new(nil, loader)
      end

      private

      def checked(path, loader)
        file = DefinitionFile.new(path, loader)
        check_code(file, path)
        file
      end

      def check_code(file, path)
        source = file.source
        return if source.match?(PLAIN_CALL) && !source.match?(METHOD_DEFINITION)

        require "ripper"
        # Nothing comes of a syntax error; evaluating the file will tell where it is.
        tree = Ripper.sexp(source) or return
        return if calls_newfunction?(tree, path)

        file.refuse("does not seem to be a Puppet 3x API function - no 'newfunction' call.")
      end

      # Returns true if a tree has a call of `newfunction`. Nothing in the tree may define a method.
      def calls_newfunction?(tree, path)
        return false unless tree.is_a?(Array)

        identifier = tree.find { |part| part.is_a?(Array) && part.first == :@ident }
        case tree.first
        when :def, :defs then refuse_method(identifier, path)
        when :fcall, :call then found = identifier && identifier[1] == "newfunction"
        end
        tree.map { |part| calls_newfunction?(part, path) }.any? || found || false
      end

      # Puppet's message calls it a line, but it is a column.
      def refuse_method(identifier, path)
        _, name, (_, column) = identifier
        raise SecurityError, "Illegal method definition of method '#{name || "<unknown>"}' in source #{path} on line " \
                             "#{column || "<unknown>"} in legacy function. See #{Target.current.documents}/#{MIGRATION_GUIDE} for more information"
      end

      def evaluate(file, name, path)
        info = file.evaluate
        unless info.is_a?(Hash)
          raise Error[ArgumentError], "Illegal legacy function definition! The code loaded from #{path} did not return " \
                               "the result of calling 'newfunction'. Got '#{info.class}'"
        end
        file.check_name("function_#{name}", "'#{info[:name]}'", info[:name] == "function_#{name}")
        info
      end
    end
  end
end
