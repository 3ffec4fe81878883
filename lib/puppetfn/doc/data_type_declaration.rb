# frozen_string_literal: true

require_relative "syntax"

class Puppetfn::Doc
  # A call of `Puppet::DataTypes.create_type`.
  #
  # @api private
  class DataTypeDeclaration
    include Syntax

    RECEIVERS = %w[Puppet::DataTypes DataTypes].freeze
    private_constant :RECEIVERS

    # @param source [Source]
    # @param texts [Strings::Texts]
    # @return [Array<Hash>] the declarations in a file, in order
    def self.all(source, texts)
      found = []
      Syntax.walk(source.tree) do |node|
        called = Syntax.call(node)
        next unless called&.name == "create_type" && called.receiver && RECEIVERS.include?(Syntax.constant(called.receiver))

        name = called.args.first && texts.literal(called.args.first)
        found << new(source, node, called, texts).to_h(name) if name
        :skip
      end
      found
    end

    def initialize(source, node, called, texts)
      @source = source
      @line = start(node).first
      @called = called
      @texts = texts
    end

    # @return [Hash]
    def to_h(name)
      comment = @source.comment_above(@line)
      {name: name, line: @line, comment: {text: comment ? comment.text : "", line: comment ? comment.first_line : @line}, interface: interface}
    end

    private

    def interface
      walk(@called.block) do |node|
        called = call(node)
        return @texts.prose(called.args.first) if called&.name == "interface" && called.args.any?
      end
      nil
    end
  end
end
