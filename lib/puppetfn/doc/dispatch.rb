# frozen_string_literal: true

require_relative "syntax"

class Puppetfn::Doc
  # A call of `dispatch` in the block of `create_function`.
  #
  # @api private
  class Dispatch
    include Syntax

    POSITIONAL = %w[param required_param optional_param repeated_param optional_repeated_param
                    required_repeated_param].freeze
    BLOCK = %w[block_param required_block_param optional_block_param].freeze
    private_constant :POSITIONAL, :BLOCK

    # @return [Integer]
    attr_reader :line

    # @param called [Syntax::Call]
    def initialize(called)
      @line = called.line
      @entries = statements(called.block).filter_map { |node| call(node) }.select { |entry| entry.receiver.nil? }
    end

    # @return [Array<Hash>] as they are declared
    def parameters
      @parameters ||= @entries.filter_map { |entry| parameter(entry) || block(entry) }
    end

    # @return [String, nil]
    def return_type
      entry = @entries.find { |one| one.name == "return_type" }
      entry && entry.args.first && literal(entry.args.first)
    end

    private

    def parameter(entry)
      return unless POSITIONAL.include?(entry.name) && entry.args.size == 2

      kind = entry.name.include?("repeated") ? "repeated" : "single"
      described(entry, entry.args[0], entry.args[1], kind)
    end

    def block(entry)
      return unless BLOCK.include?(entry.name) && entry.args.size <= 2

      *type, name = entry.args
      described(entry, type.first, name, "block")
    end

    # Names and types that are computed are not known without running the file.
    def described(entry, type, name, kind)
      name = name ? literal(name) || "_" : "block"
      type = type ? literal(type) : ("Callable" if kind == "block")
      {name: name, type: type, kind: kind, optional: entry.name.include?("optional"), default: nil, line: entry.line}
    end
  end
end
