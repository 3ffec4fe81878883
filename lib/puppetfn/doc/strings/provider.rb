# frozen_string_literal: true

require_relative "../syntax"

class Puppetfn::Doc
  module Strings
    # A provider that is made with `Puppet::Type.type(:name).provide`.
    #
    # @api private
    class Provider
      include Syntax

      def initialize(called, node, source)
        @texts = Texts.new(source)
        @called = called
        @line = start(node).first
        @doc = @texts.description(node) || source.comment_above(@line)&.text
        @confines = {}
        @defaults = []
        @commands = {}
        @features = []
        statements(called.block).each { |statement| declare(call(statement)) } if called.block
      end

      def to_h
        {type: @texts.literal(call(@called.receiver).args.first).to_s, name: @texts.literal(@called.args.first).to_s, line: @line, doc: @doc,
         confines: @confines.to_a, defaults: @defaults, commands: @commands.to_a, features: @features}
      end

      private

      def declare(called)
        case called&.name
        when "confine" then @confines.merge!(pairs(called.args.first).to_h)
        when "commands" then @commands.merge!(pairs(called.args.first).to_h)
        when "has_feature", "has_features" then @features.concat(called.args.map { |arg| @texts.argument(arg) })
        when "defaultfor" then @defaults.concat(called.args.map { |arg| pairs(arg) }.reject(&:empty?))
        end
      end

      def pairs(node)
        pairs = case node
                in [:bare_assoc_hash, pairs] then pairs
                in [:hash, [:assoclist_from_args, pairs]] then pairs
                else []
                end
        pairs.filter_map { |kind, key, value| [@texts.argument(key), @texts.argument(value)] if kind == :assoc_new && value }
      end
    end
  end
end
