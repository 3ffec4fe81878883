# frozen_string_literal: true

# YARD loads it once for its options and once for those of the file .yardopts.
return if defined?(NativeMethods)

require "yard"

# Lets YARD document the methods that the extension defines.
#
# In `ext/puppetfn/src`, a function's comment is that of a Ruby method if it begins with `@yard`; `@def` tells the method's
# parameters. Which class has it, and by which names, is read where it is registered:
#
#     class.define_method("instance?", method!(RubyType::is_instance, 1))?;
#
# A class is known by the variable that it is in: where it is defined, or by {NAMESPACES}.
module NativeMethods
  # The classes of values, which are made without a name and get Puppet's (`lib/puppetfn/compat/pops/`).
  VALUE_CLASSES = {
    "Binary" => "Puppet::Pops::Types::PBinaryType::Binary",
    "SemVer" => "SemanticPuppet::Version",
    "SemVerRange" => "SemanticPuppet::VersionRange",
    "TimeData" => "Puppet::Pops::Time::TimeData",
    "Timestamp" => "Puppet::Pops::Time::Timestamp",
    "Timespan" => "Puppet::Pops::Time::Timespan"
  }.freeze

  # What parameters of the functions that register methods are called.
  NAMESPACES = {
    "puppetfn" => "Puppetfn",
    "cty" => "Puppetfn::Cty",
    "drop_in" => "Puppetfn::DropIn",
    "evaluator" => "Puppetfn::Evaluator",
    "sensitive" => "Puppet::Pops::Types::PSensitiveType::Sensitive"
  }.freeze

  # A method as it is registered. `target` is the path of the function in Rust.
  Registration = Struct.new(:namespace, :name, :scope, :visibility, :target, :line, keyword_init: true)

  # The comment of a function in Rust, and the parameters that it tells.
  Comment = Struct.new(:parameters, :text, :line, keyword_init: true)

  # One file in Rust.
  class RustFile
    METHOD = /
      (?<owner>\w+)(?:\.define_module\("(?<inner>\w+)"\)\?)?
      \.define_(?<kind>singleton_|private_|module_)?(?:method|function)\(
      "(?<name>[^"]+)",\s(?:method|function)!\((?<target>[\w:]+),
    /x
    NAMESPACE = /let (?<variable>\w+)(?:: RClass)? = (?<owner>\w+)\.(?<how>define|define_class|define_module|const_get)\("(?<name>\w+)"/
    OWN_CLASS = /let (?<variable>\w+) = (?<how>define_class)::<\w+>\(ruby, (?<owner>\w+), "(?<name>\w+)"/
    ITS_CLASS = /#\[magnus\(class = "([\w:]+)".*?\bstruct (\w+)/m
    IMPLEMENTATION = /^impl(?:<.*?>)? (?:\w+(?:<.*?>)? for )?(?<structure>\w+)/
    FUNCTION = /^\s*(?:pub(?:\([^)]*\))? )?fn (?<name>\w+)/

    # @return [String]
    attr_reader :path

    # @param path [String]
    def initialize(path)
      @path = path
      @lines = File.readlines(path, encoding: "UTF-8", chomp: true)
    end

    # @return [Hash{String=>String}] the Ruby classes of the structures that are declared here
    def classes
      @lines.join("\n").scan(ITS_CLASS).to_h(&:reverse)
    end

    # @return [Hash{String=>Comment}] by the paths of functions, as they are registered: `RubyType::parse`
    def comments
      structure = nil
      comment = []
      @lines.each.with_index(1).with_object({}) do |(line, number), found|
        case line
        when %r{^\s*/// ?(.*)} then next comment << Regexp.last_match(1)
        when /^\s*#\[/ then next
        when "}" then structure = nil
        when IMPLEMENTATION then structure = Regexp.last_match(:structure)
        when FUNCTION
          path = [structure, Regexp.last_match(:name)].compact.join("::")
          found[path] = read(comment, number) if comment.first == "@yard"
        end
        comment = []
      end
    end

    # @param classes [Hash{String=>String}] those of all files
    # @return [Array<Registration>]
    def registrations(classes)
      names = NAMESPACES.dup
      statements.flat_map do |line, number|
        names.merge!(namespaces(line, names))
        line.enum_for(:scan, METHOD).map { registration(Regexp.last_match, names, classes, number) }
      end
    end

    private

    # Lines with their numbers. A call whose arguments rustfmt wrapped is one line.
    def statements
      @lines.join("\n").gsub(/\(\n\s+/, "(").gsub(/,\n\s+(?=method!|function!)/, ", ").gsub(/=\n\s+/, "= ").split("\n").each.with_index(1)
    end

    def read(comment, line)
      signatures, text = comment.drop(1).partition { |text| text.start_with?("@def ") }
      Comment.new(parameters: signatures.join[/\(.*\)/].to_s, text: text.join("\n"), line: line)
    end

    def namespaces(line, names)
      return {} unless (found = line.match(NAMESPACE) || line.match(OWN_CLASS))

      owner = names.fetch(found[:owner], "Puppetfn")
      {found[:variable] => found[:how] == "define" ? VALUE_CLASSES.fetch(found[:name]) : "#{owner}::#{found[:name]}"}
    end

    def registration(found, names, classes, line)
      namespace = names[found[:owner]] || classes[found[:target][/\A(\w+)::/, 1]] ||
        raise("#{@path}:#{line}: nothing says which class `#{found[:owner]}` is")
      Registration.new(
        namespace: [namespace, found[:inner]].compact.join("::"), name: found[:name], target: found[:target], line: line,
        scope: %w[singleton_ module_].include?(found[:kind]) ? :class : :instance,
        visibility: found[:kind] == "private_" ? :private : :public
      )
    end
  end

  # What YARD reads of a file in Rust: its registrations, each with the comment of its function.
  class Parser < YARD::Parser::Base
    # A registered method, as handlers get it.
    Statement = Struct.new(:registration, :comment, :file) do
      # @return [Integer]
      def line = comment.line

      # @return [String] the comment as YARD parses it
      def comments = comment.text

      # YARD asks these of comments in Ruby.
      def comments_range = nil
      def comments_hash_flag = false

      # @return [String] the method as it would be written in Ruby
      def source
        "def #{"self." if registration.scope == :class}#{registration.name}#{comment.parameters}"
      end
      alias_method :show, :source
    end

    # @return [Hash{String=>String}] the Ruby classes of all structures of the extension
    def self.classes
      @classes ||= Dir[File.expand_path("../ext/puppetfn/src/**/*.rs", __dir__)]
        .map { |path| RustFile.new(path).classes }.reduce(:merge)
    end

    # The interface of YARD's parsers, whose own constructor raises.
    #
    # @param _source [String]
    # @param path [String]
    def initialize(_source, path) # rubocop:disable Lint/MissingSuper
      @file = RustFile.new(path)
    end

    # @return [self]
    def parse
      comments = @file.comments
      @statements = @file.registrations(self.class.classes).filter_map do |registration|
        comment = comments[registration.target]
        Statement.new(registration, comment, @file.path) if comment
      end
      self
    end

    # @return [Array<Statement>]
    def enumerator
      @statements
    end
  end

  # All constants of this module are handlers to YARD.
  module Handlers
    # What all handlers of these statements are subclasses of, as YARD demands.
    class Base < YARD::Handlers::Base
      # @return [Boolean] true: the parser finds methods alone
      def self.handles?(_statement) = true
    end

    # Adds a method to what YARD documents.
    class MethodHandler < Base
      # @return [void]
      def process
        method = YARD::CodeObjects::MethodObject.new(namespace, registration.name, registration.scope) do |object|
          object.visibility = registration.visibility
          object.signature = statement.source
          object.parameters = parameters
        end
        register(method)
        method.docstring = statement.comment.text
      end

      private

      def registration = statement.registration

      # Classes have their own comments in Ruby, where they are reopened.
      def namespace
        path = registration.namespace
        YARD::Registry.at(path) || YARD::CodeObjects::ClassObject.new(:root, path)
      end

      def parameters
        list = statement.comment.parameters.delete_prefix("(").delete_suffix(")")
        YARD::Tags::OverloadTag.new(:overload, "method(#{list})").parameters
      end
    end
  end

  YARD::Parser::SourceParser.register_parser_type(:rust, Parser, "rs")
  YARD::Handlers::Processor.register_handler_namespace(:rust, Handlers)
end
