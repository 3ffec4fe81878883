# frozen_string_literal: true

require_relative "../syntax"

class Puppetfn::Doc
  module Strings
    # The texts of literals and of code.
    #
    # @api private
    class Texts
      include Syntax

      # The first line of a heredoc, with the name that its last line has.
      HEREDOC = /^<?<[-~]?['"]?(?<name>\w+)/
      BRACES = /^%[Qq]{(.*)}$/m
      private_constant :HEREDOC, :BRACES

      # @param source [Source]
      def initialize(source)
        @source = source
      end

      # @return [String, nil] the text of a literal, as it is written; nil for other nodes
      def literal(node)
        case node
        in [:symbol_literal, [:symbol, [_, name, _]]] then name
        in [:symbol_literal, [_, String => name, _]] then name
        in [:@label, name, _] then name.delete_suffix(":")
        in [:dyna_symbol, *] then first_content(node) || code(node)
        in [:string_literal, *] then string(node)
        in [:regexp_literal, *] then code(node)
        else nil
        end
      end

      # @return [String] the text of a literal argument, or else its code
      def argument(node)
        literal(node) || code(node)
      end

      # @return [String] the code of an argument
      def code(node)
        case node
        in [:array, nil] then "[]"
        in [:hash, nil] then "{}"
        in [:paren, [inner]] then "(#{code(inner)})"
        else (place = start(node)) ? @source.argument_at(@source.opening(place)) : ""
        end
      end

      # @return [String, nil] the text of a literal that is meant to be read, less indented
      def prose(node)
        text = literal(node)
        text && unindented(text[BRACES, 1] || text)
      end

      # Puppet's rule: the first line does not count for the indentation of a text, and the indentation that is first in
      # the alphabet is taken for the least.
      def unindented(text)
        return text.strip unless text.strip.include?("\n")

        indent = text.partition("\n").last.scan(/^[ \t]*(?=\S)/).min || ""
        text = text.gsub(/^#{indent}/, "") unless indent.empty?
        text.lines.map(&:rstrip).join("\n").rstrip
      end

      # Returns the text of the first `desc` or `@doc` anywhere in a declaration.
      #
      # @return [String, nil]
      def description(declaration)
        walk(declaration) do |node|
          found = documented(node)
          return prose(found) if found
        end
        nil
      end

      private

      def documented(node)
        case node
        in [:assign, [:var_field, [:@ivar, "@doc", _]], value] then value
        else
          called = call(node)
          called.args.first if called && called.args.one? && %w[desc doc=].include?(called.name)
        end
      end

      # Of a string with one quote on each side the first part that is not computed; all of any other.
      def string(node)
        written = @source.written(node)
        found = first_content(node) if written.quoted
        found || heredoc(written.text) || written.text
      end

      def first_content(node)
        walk(node) { |part| return part[1] if part.first == :@tstring_content }
        nil
      end

      # Returns the lines after the first, without the last if it has the heredoc's name but for a letter.
      def heredoc(written)
        name = written[HEREDOC, :name] or return
        lines = written.split("\n")
        return if lines.size < 2

        lines[1..(lines.last.include?(name[0..-2]) ? -2 : -1)].join("\n")
      end
    end
  end
end
