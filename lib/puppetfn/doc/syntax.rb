# frozen_string_literal: true

class Puppetfn::Doc
  # Patterns of the nodes in a {Source}'s tree.
  #
  # @api private
  module Syntax
    # A call of a method.
    #
    # @!attribute receiver
    #   @return [Array, nil] nil where it is self
    # @!attribute name
    #   @return [String]
    # @!attribute args
    #   @return [Array<Array>]
    # @!attribute block
    #   @return [Array, nil]
    # @!attribute line
    #   @return [Integer]
    Call = Struct.new(:receiver, :name, :args, :block, :line)

    ESCAPES = {"n" => "\n", "t" => "\t", "s" => " ", "r" => "\r", "e" => "\e", "a" => "\a", "b" => "\b",
               "f" => "\f", "v" => "\v", "0" => "\0", "\n" => ""}.freeze
    CALLS = %i[method_add_block method_add_arg command command_call call fcall vcall].freeze
    private_constant :ESCAPES, :CALLS

    module_function

    # @return [Boolean] whether it is a node, not a token or a list
    def node?(node)
      node.is_a?(Array) && node.first.is_a?(Symbol)
    end

    # All nodes in a tree, the outer ones first.
    #
    # @yieldparam node [Array]
    # @yieldreturn [Object] `:skip` to leave out the children of the node
    def walk(node, &block)
      return unless node.is_a?(Array)
      return if node?(node) && block.call(node) == :skip

      node.each { |part| walk(part, &block) }
    end

    # @return [Array(Integer, Integer), nil] the line and column at which a node starts
    def start(node)
      first = nil
      walk(node) do |part|
        next unless part.first.start_with?("@")

        first = part[2] if first.nil? || (part[2] <=> first).negative?
        :skip
      end
      first
    end

    # @return [Call, nil] the call that a node is
    def call(node)
      return unless CALLS.include?(node.first)

      case node
      in [:method_add_block, called, block] then call(called)&.tap { |found| found.block = block }
      in [:method_add_arg, called, args] then call(called)&.tap { |found| found.args = arguments(args) }
      in [:command, [_, name, [line, _]], args] then Call.new(nil, name, arguments(args), nil, line)
      in [:command_call, receiver, _, [_, name, [line, _]], args] then Call.new(receiver, name, arguments(args), nil, line)
      in [:call, receiver, _, [_, String => name, [line, _]]] then Call.new(receiver, name, [], nil, line)
      in [:call, receiver, _, :call] then Call.new(receiver, "call", [], nil, start(receiver)&.first)
      in [:fcall | :vcall, [_, String => name, [line, _]]] then Call.new(nil, name, [], nil, line)
      else nil
      end
    end

    # @return [Array<Array>] the nodes of the arguments of a call
    def arguments(node)
      case node
      in [:arg_paren, inner] then arguments(inner)
      in [:args_add_block, inner, _] then arguments(inner)
      in [] | nil then []
      in [Array, *] then node
      else [node]
      end
    end

    # @return [Array<Array>] the statements of a block, a method or the like
    def statements(node)
      case node
      in [:do_block | :brace_block, _, body, *] then statements(body)
      in [:bodystmt, statements, *] then statements(statements)
      in [Array, *] then node
      else []
      end
    end

    # @return [String, nil] the path of a constant
    def constant(node)
      case node
      in [:var_ref | :top_const_ref | :var_field | :top_const_field, [:@const, name, _]] then name
      in [:const_path_ref | :const_path_field, scope, [:@const, name, _]]
        (outer = constant(scope)) && "#{outer}::#{name}"
      else nil
      end
    end

    # @return [String, nil] the value of a literal string or symbol, or a label
    def literal(node)
      case node
      in [:symbol_literal, [:symbol, [_, name, _]]] then name
      in [:symbol_literal, [_, String => name, _]] then name
      in [:@label, name, _] then name.delete_suffix(":")
      else
        parts = contents(node)
        return unless parts&.all? { |part| part.first == :@tstring_content }

        parts.map { |_, content, _, quote| unescape(content, quote) }.join
      end
    end

    # @return [Array<Array>, nil] the parts of a string: tokens, and interpolations
    def contents(node)
      case node
      in [:string_literal | :dyna_symbol, [:string_content, *parts]] then parts
      in [:string_concat, first, second]
        (before = contents(first)) && (after = contents(second)) && before + after
      else nil
      end
    end

    def unescape(text, quote)
      return text if quote.match?(/\A<<[-~]?'/)
      return text.gsub(/\\([\\'])/) { Regexp.last_match(1) } if quote.match?(/\A(:?'|%[qws])/)

      text.gsub(/\\(?:u\{(?<hex>\h+)\}|u(?<hex>\h{4})|(?<char>.))/m) do
        found = Regexp.last_match
        found[:hex] ? [found[:hex].hex].pack("U") : ESCAPES.fetch(found[:char], found[:char])
      end
    end
  end
end
