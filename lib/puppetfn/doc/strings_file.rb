# frozen_string_literal: true

require "json"
require_relative "strings/source"
require_relative "strings/texts"
require_relative "syntax"

class Puppetfn::Doc
  # For when a file declares a function.
  autoload :Declaration, "#{__dir__}/declaration"
  autoload :DataTypeDeclaration, "#{__dir__}/data_type_declaration"
  autoload :Parameters, "#{__dir__}/parameters"

  # The part of Ruby files that Puppet Strings reads. It misses some declarations, and misreads others.
  module Strings
    autoload :Attribute, "#{__dir__}/strings/attribute"
    autoload :ApiType, "#{__dir__}/strings/api_type"
    autoload :Provider, "#{__dir__}/strings/provider"
    autoload :ResourceType, "#{__dir__}/strings/resource_type"
    autoload :Statements, "#{__dir__}/strings/statements"
  end

  # The declarations of a Ruby file, as Puppet Strings reads them: texts as they stand in the file, at the places that they
  # would have without heredocs, and only at the places where it looks for them. It counts Ruby's own tokens, which is why
  # this is Ruby; the core reads the declarations that a file really has.
  #
  # @api private
  class StringsFile
    include Syntax

    # Words of texts that declare functions.
    FUNCTIONS = /\b(create_function|newfunction)\b/
    # Words of texts that declare types, parts of them or providers.
    STATEMENTS = /\b(newtype|register_type|provide|newproperty|newparam|ensurable)\b/
    private_constant :FUNCTIONS, :STATEMENTS

    # @param path [String]
    # @param text [String]
    # @return [Hash{Symbol => Array}] `functions`, `data_types`, `types` and `providers`, as hashes with the names that
    #   the native part has for the entries
    # @raise [ArgumentError] when the text is not Ruby, or nests too deep
    def self.read(path, text)
      source = Strings::Source.new(text, path)
      declarations = text.match?(FUNCTIONS) ? Declaration.all(source) : []
      {functions: declarations.map { |declaration| new(declaration).to_h },
       data_types: text.include?("create_type") ? DataTypeDeclaration.all(source, Strings::Texts.new(source)) : [],
       **(text.match?(STATEMENTS) ? Strings::Statements.read(source) : {types: [], providers: []})}
    rescue SystemStackError
      raise Error[ArgumentError], "#{path}: nested too deep to be read"
    end

    # @param descriptions [Array<Hash>] the `types` of {read}
    # @return [String] the text that the core reads
    def self.json_of(descriptions)
      JSON.generate(pruned(descriptions))
    end

    # Returns a description, or a part of one, without its empty entries.
    def self.pruned(value)
      case value
      when Hash then value.reject { |_, inner| [nil, false, [], ""].include?(inner) }.transform_values { |inner| pruned(inner) }
      when Array then value.map { |inner| pruned(inner) }
      else value
      end
    end
    private_class_method :pruned

    # @param declaration [Declaration]
    def initialize(declaration)
      @declaration = declaration
      @source = declaration.source
    end

    # @return [Hash] the function
    def to_h
      {name: @declaration.name, api: @declaration.api.to_s, line: @declaration.line, comment: function_comment,
       signatures: signatures, source: @declaration.text}
    end

    private

    # Returns the comment above the declaration; for a 3.x function its `:doc` text, if any.
    def function_comment
      (legacy_doc if @declaration.api == :ruby3x) || comment_above(@declaration.line)
    end

    def comment_above(line)
      found = @source.comment_above(line)
      {text: found ? found.text : "", line: found ? found.first_line : line}
    end

    def legacy_doc
      node = @declaration.option("doc")
      text = node && Strings::Texts.new(@source).prose(node)
      {text: text, line: @declaration.line} if text
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
