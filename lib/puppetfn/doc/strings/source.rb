# frozen_string_literal: true

require_relative "../source"

class Puppetfn::Doc
  module Strings
    # A Ruby text, with the places at which YARD sees strings. It counts the characters of tokens in the order in which
    # they are read, but the body of a heredoc is read before the rest of the line that it starts on.
    #
    # @api private
    class Source < Puppetfn::Doc::Source
      OPENINGS = %i[tstring_beg heredoc_beg].freeze
      # A line that may be between a comment and the code that it documents: one on which nothing starts.
      BETWEEN = /\A\s*(end\b.*|[\])}]*)\s*\z/
      private_constant :OPENINGS, :BETWEEN

      # The text that YARD takes for a string in the file.
      #
      # @!attribute text
      #   @return [String]
      # @!attribute quoted
      #   @return [Boolean] whether it is one with a mark of one character at both ends
      Written = Struct.new(:text, :quoted)

      def initialize(text, path)
        @whole = text
        @offset = 0
        @begun = []
        @opened = {tstring_beg: [], heredoc_beg: []}
        @written = {}.compare_by_identity
        super
      end

      # @param node [Array] a string
      # @return [Written]
      def written(node)
        @written.fetch(node)
      end

      # Returns the comment that documents the code starting on a line.
      #
      # @param line [Integer]
      # @return [Comment, nil]
      def comment_above(line)
        above = @comments[line - 1]
        return above unless above.nil? || above.text.empty?

        @comments[line - 2] if above || @lines[line - 2].match?(BETWEEN)
      end

      SCANNER_EVENTS.each do |event|
        define_method(:"on_#{event}") do |text|
          begin_string(event) if OPENINGS.include?(event)
          @begun.pop if event == :label_end
          @offset += (@token_length = text.length)
          super(text)
        end
      end

      private

      def begin_string(event)
        @begun.push(@offset)
        @opened.fetch(event).push(@offset)
      end

      # A key like `'name':` starts as a string does, and YARD takes its start for the start of the next heredoc.
      def on_string_literal(content)
        opened = OPENINGS.map { |event| @opened[event] }.find(&:any?)
        start = opened.pop
        begun = @begun.pop
        written = Written.new(@whole[start...@offset], start == begun && @whole[start].match?(/["']/))
        super.tap { |node| @written[node] = written }
      end

      # The lines of a comment right below a statement are read before the end of its line is, so that they do not seem
      # to be at the start of theirs.
      def below(comment)
        starts_line? ? super : comment
      end

      def starts_line?
        at = @offset - @token_length
        line = at.zero? ? 0 : (@whole.rindex("\n", at - 1) || -1) + 1
        @whole[line...at].match?(/\A[ \t]*\z/)
      end
    end
  end
end
