# frozen_string_literal: true

require "ripper"

class Puppetfn::Doc
  # A Ruby text as a tree, with its comments. Nothing of it is run.
  #
  # A node of the tree is an array: a symbol for its kind, and its children. A token is `[:@kind, text, [line, column]]`.
  # Nodes of Ripper get one more last child: a block the place of its end, and the content of a string the mark that the
  # string starts with.
  #
  # @api private
  class Source < Ripper::SexpBuilderPP
    # Comments that Ruby interprets, where they are the first of a file.
    MAGIC = /\A#(!|\s*-\*-|.*coding[:=]|\s*frozen[_-]string[_-]literal:)/i
    # Tokens that a literal can start with.
    OPENINGS = %i[
      on_lbracket on_lbrace on_tstring_beg on_qwords_beg on_words_beg on_qsymbols_beg on_symbols_beg on_symbeg on_regexp_beg
      on_sp on_ignored_nl
    ].freeze
    private_constant :MAGIC, :OPENINGS

    # Lines of comments, one right below the other.
    #
    # @!attribute text
    #   @return [String] without the marks
    # @!attribute first_line
    #   @return [Integer]
    # @!attribute last_line
    #   @return [Integer]
    # @!attribute column
    #   @return [Integer]
    Comment = Struct.new(:text, :first_line, :last_line, :column)

    # @return [String]
    attr_reader :path

    # @return [Array]
    attr_reader :tree

    # @param text [String]
    # @param path [String] for messages
    # @raise [ArgumentError] when the text is not Ruby
    def initialize(text, path)
      super(text, path)
      @text = text
      @path = path
      @lines = text.lines
      @comments = {}
      @is_code = false
      @quotes = []
      @tree = parse
      raise Error[ArgumentError], "#{path}:#{@problem || "#{lineno}: not Ruby"}" if @tree.nil? || error?
    end

    # Returns the text from where a node starts to a place, indented no more than its last line is.
    #
    # @param start [Array(Integer, Integer)]
    # @param stop [Array(Integer, Integer)]
    # @return [String]
    def text_between(start, stop)
      lines = @lines[start.first - 1..stop.first - 1]
      lines[-1] = lines[-1].byteslice(0, stop.last)
      indent = lines.last[/\A[ \t]*/]
      lines[0] = lines[0].byteslice(start.last..)
      lines.map { |line| line.delete_prefix(indent) }.join
    end

    # Returns the text of the default of a parameter, which follows its name and the `=`.
    #
    # @param name [Array] the token of the name
    # @return [String]
    def default_of(name)
      text_to_comma(name[2], 1).delete_prefix("=").strip
    end

    # Returns the text of an argument, or of a key or value of a Hash.
    #
    # @param place [Array(Integer, Integer)] where it starts
    # @return [String]
    def argument_at(place)
      text_to_comma(place, 0)
    end

    # Returns where a literal starts, the first part of which is at a place.
    #
    # @param place [Array(Integer, Integer)]
    # @return [Array(Integer, Integer)]
    def opening(place)
      index = index_of(place)
      index -= 1 while index.positive? && OPENINGS.include?(@tokens[index - 1][1])
      index += 1 while @tokens[index][1] == :on_sp
      @tokens[index].first
    end

    private

    def index_of(place)
      @tokens ||= Ripper.lex(@text, @path)
      @token_indexes ||= @tokens.each_with_index.to_h { |(at, *), index| [at, index] }
      @token_indexes.fetch(place)
    end

    # Returns the text up to the comma or bracket that ends it.
    def text_to_comma(place, skipped)
      index = index_of(place)
      depth = 0
      following = (index + skipped...@tokens.size).lazy.map { |number| @tokens[number] }
      found = following.take_while do |_, kind, text, *|
        depth += 1 if %i[on_lparen on_lbracket on_lbrace on_embexpr_beg on_tlambeg].include?(kind)
        depth -= 1 if %i[on_rparen on_rbracket on_rbrace on_embexpr_end].include?(kind)
        depth >= 0 && !(depth.zero? && (%i[on_comma on_nl on_comment].include?(kind) || [";", "=>"].include?(text)))
      end
      found.map { |token| token[2] }.force.join.strip
    end

    def on_comment(text)
      line = lineno
      unless !@is_code && text.match?(MAGIC)
        own = Comment.new(text.chomp.sub(/\A#+\s?/, ""), line, line, column)
        @comments[line] = below(own) if @lines[line - 1].byteslice(0, column).strip.empty?
      end
      super
    end

    # Returns a line of a comment together with the lines above it.
    def below(comment)
      above = @comments[comment.first_line - 1]
      return comment unless above && above.column == comment.column

      @comments.delete(above.last_line)
      Comment.new("#{above.text}\n#{comment.text}", above.first_line, comment.last_line, comment.column)
    end

    def on_embdoc_beg(text)
      @document = Comment.new(+"", lineno + 1, lineno)
      super
    end

    def on_embdoc(text)
      @document.text << text
      super
    end

    def on_embdoc_end(text)
      @document.last_line = lineno
      @comments[lineno] = @document
      super
    end

    def on_kw(text)
      @is_code = true
      @end = [lineno, column + text.bytesize] if text == "end"
      super
    end

    def on_rbrace(text)
      @end = [lineno, column + text.bytesize]
      super
    end

    def on_const(text)
      @is_code = true
      super
    end

    # The strings that are open, the innermost last.
    %i[tstring_beg heredoc_beg regexp_beg words_beg qwords_beg symbols_beg qsymbols_beg backtick].each do |event|
      define_method(:"on_#{event}") do |text|
        @quotes.push(text)
        super(text)
      end
    end

    %i[tstring_end heredoc_end regexp_end label_end].each do |event|
      define_method(:"on_#{event}") do |text|
        @quotes.pop
        super(text)
      end
    end

    # `:name` is not a string, unlike `:'name'`.
    def on_symbeg(text)
      @quotes.push(text) if text.length > 1
      super
    end

    def on_tstring_content(text)
      super << @quotes.last
    end

    def on_do_block(parameters, body)
      super << @end
    end

    def on_brace_block(parameters, body)
      super << @end
    end

    def on_parse_error(message)
      @problem ||= "#{lineno}: #{message}"
      super
    end
  end
end
