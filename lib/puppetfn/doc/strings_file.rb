# frozen_string_literal: true

require_relative "ruby_file"
require_relative "strings/source"
require_relative "strings/texts"

class Puppetfn::Doc
  # What Puppet Strings reads of Ruby files, which is less than is there, and not always what is meant.
  module Strings
    autoload :Attribute, "#{__dir__}/strings/attribute"
    autoload :ApiType, "#{__dir__}/strings/api_type"
    autoload :Provider, "#{__dir__}/strings/provider"
    autoload :ResourceType, "#{__dir__}/strings/resource_type"
    autoload :Statements, "#{__dir__}/strings/statements"
  end

  # What a Ruby file declares, as Puppet Strings reads it: texts as they stand in the file, at the places that they had if
  # there were no heredocs, and only what stands where it looks for it.
  #
  # @api private
  class StringsFile < RubyFile
    # What a text has in it that declares types, parts of them or providers.
    STATEMENTS = /\b(newtype|register_type|provide|newproperty|newparam|ensurable)\b/
    private_constant :STATEMENTS

    # (see RubyFile.read)
    def self.read(path, text)
      source = Strings::Source.new(text, path)
      declarations = text.match?(FUNCTIONS) ? Declaration.all(source) : []
      {functions: declarations.map { |declaration| new(declaration).to_h },
       data_types: text.include?("create_type") ? DataTypeDeclaration.all(source, Strings::Texts.new(source)) : [],
       findings: [], **(text.match?(STATEMENTS) ? Strings::Statements.read(source) : {types: [], providers: []})}
    rescue SystemStackError
      raise ArgumentError, "#{path}: nested too deep to be read"
    end

    private

    def legacy_doc
      node = @declaration.option("doc")
      text = node && Strings::Texts.new(@source).prose(node)
      {text: text, line: @declaration.line} if text
    end
  end
end
