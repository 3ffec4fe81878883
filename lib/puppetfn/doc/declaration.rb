# frozen_string_literal: true

require_relative "dispatch"
require_relative "syntax"

class Puppetfn::Doc
  # A call of `create_function` or `newfunction` with a block.
  #
  # @api private
  class Declaration
    include Syntax

    RECEIVERS = {"create_function" => ["Puppet::Functions"], "newfunction" => ["Puppet::Parser::Functions", nil]}.freeze
    private_constant :RECEIVERS

    class << self
      include Syntax

      # @param source [Source]
      # @return [Array<Declaration>] the declarations in a file, in order
      def all(source)
        found = []
        walk(source.tree) do |node|
          called = declaring_call(node) or next
          name = literal(called.args.first)
          found << new(source, node, called, name) if name
          :skip
        end
        found
      end

      private

      def declaring_call(node)
        return unless node.first == :method_add_block

        called = call(node)
        receivers = called && RECEIVERS[called.name]
        called if receivers&.include?(called.receiver && (constant(called.receiver) || ""))
      end
    end

    # @return [Source]
    attr_reader :source

    # @return [String]
    attr_reader :name

    # @return [:ruby4x, :ruby3x]
    attr_reader :api

    # @return [Integer]
    attr_reader :line

    def initialize(source, node, called, name)
      @source = source
      @name = name
      @api = called.name == "newfunction" ? :ruby3x : :ruby4x
      @args = called.args.drop(1)
      @block = called.block
      @start = start(node)
      @line = @start.first
    end

    # @return [String] all of the declaration
    def text
      @source.text_between(@start, @block.last)
    end

    # @return [Array, nil] the node of an option, like `:doc => "text"`
    def option(key)
      pairs = @args.flat_map do |arg|
        case arg
        in [:bare_assoc_hash, pairs] then pairs
        in [:hash, [:assoclist_from_args, pairs]] then pairs
        else []
        end
      end
      _, _, value = pairs.find { |kind, name, _| kind == :assoc_new && literal(name) == key }
      value
    end

    # @return [Array<Dispatch>] in order
    def dispatches
      @dispatches ||= statements(@block).filter_map do |node|
        called = call(node)
        Dispatch.new(called) if called && called.name == "dispatch" && called.receiver.nil? && called.block
      end
    end

    # @return [Array, nil] the node of the method that is called without a dispatch
    def default_method
      name = @name.split("::").last
      methods.reverse.find { |method| method[1][1] == name }
    end

    private

    # Returns the nodes of the methods, including arguments of calls, as in `private def helper`.
    def methods
      statements(@block).flat_map do |node|
        next [node] if node.first == :def

        called = call(node)
        called ? called.args.select { |arg| arg.first == :def } : []
      end
    end
  end
end
