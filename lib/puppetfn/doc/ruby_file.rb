# frozen_string_literal: true

require "json"
require_relative "source"
require_relative "syntax"

class Puppetfn::Doc
  # For when a file declares a function.
  autoload :Declaration, "#{__dir__}/declaration"
  autoload :DataTypeDeclaration, "#{__dir__}/data_type_declaration"
  autoload :Parameters, "#{__dir__}/parameters"
  autoload :CodeLint, "#{__dir__}/code_lint"

  # Resource types, and their providers.
  module Types
    autoload :File, "#{__dir__}/types/file"

    # @api private
    # @param value [Hash, Array, Object] a description of a type, or a part of one
    # @param without [Array<Symbol>] keys that are left out
    # @return [Hash, Array, Object] the same without what goes without saying
    def self.pruned(value, *without)
      case value
      when Hash
        value.reject { |key, inner| without.include?(key) || [nil, false, [], ""].include?(inner) }
          .transform_values { |inner| pruned(inner, *without) }
      when Array then value.map { |inner| pruned(inner, *without) }
      else value
      end
    end

    # @api private
    # @param descriptions [Array<Hash>] what {RubyFile.read} gives as `types`
    # @return [String] the text that the core reads
    def self.json_of(descriptions)
      JSON.generate(pruned(descriptions))
    end
  end

  # What a Ruby file declares: functions of the 4.x and of the 3.x API, data types, resource types and providers, found without
  # running it.
  #
  # @api private
  class RubyFile
    include Syntax

    # What a text has in it that declares functions.
    FUNCTIONS = /\b(create_function|newfunction)\b/
    # What a text has in it that declares types or providers.
    TYPES = /\b(newtype|register_type|provide)\b/
    private_constant :TYPES

    # @param path [String]
    # @param text [String]
    # @return [Hash{Symbol => Array}] `functions`, `data_types`, `types`, `providers` and `findings`, as hashes with the names that
    #   the native part has for what is in them
    # @raise [ArgumentError] when the text is not Ruby, or nests too deep
    def self.read(path, text)
      source = Source.new(text, path)
      declarations = text.match?(FUNCTIONS) ? Declaration.all(source) : []
      {functions: declarations.map { |declaration| new(declaration).to_h },
       data_types: text.include?("create_type") ? DataTypeDeclaration.all(source) : [],
       findings: declarations.flat_map { |declaration| CodeLint.new(declaration).findings },
       **(text.match?(TYPES) ? Types::File.read(source) : {types: [], providers: []})}
    rescue SystemStackError
      raise ArgumentError, "#{path}: nested too deep to be read"
    end

    def initialize(declaration)
      @declaration = declaration
      @source = declaration.source
    end

    def to_h
      {name: @declaration.name, api: @declaration.api.to_s, line: @declaration.line, comment: function_comment,
       signatures: signatures, source: @declaration.text}
    end

    private

    # Returns the comment above the declaration; of a 3.x function what `:doc` says, if anything.
    def function_comment
      (legacy_doc if @declaration.api == :ruby3x) || comment_above(@declaration.line)
    end

    def comment_above(line)
      found = @source.comment_above(line)
      {text: found ? found.text : "", line: found ? found.first_line : line}
    end

    def legacy_doc
      node = @declaration.option("doc")
      text = node && prose(node)
      return unless text

      line = start(node).first + text[/\A\s*/].count("\n")
      {text: unindented(text), line: line}
    end

    def signatures
      return [] if @declaration.api == :ruby3x
      return @declaration.dispatches.map { |dispatch| dispatch_signature(dispatch) } if @declaration.dispatches.any?

      [@declaration.default_method].compact.map { |method| method_signature(method) }
    end

    def dispatch_signature(dispatch)
      parameters = dispatch.parameters
      {line: dispatch.line, comment: comment_above(dispatch.line), return_type: dispatch.return_type,
       parameters: parameters.reject { |one| one[:kind] == "block" } + parameters.select { |one| one[:kind] == "block" }}
    end

    def method_signature(method)
      line = start(method).first
      {line: line, comment: comment_above(line), return_type: nil, parameters: Parameters.new(@source, method).to_a}
    end
  end
end
