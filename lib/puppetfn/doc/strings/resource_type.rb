# frozen_string_literal: true

require_relative "attribute"

class Puppetfn::Doc
  module Strings
    # A type that is made with `newtype`.
    #
    # @api private
    class ResourceType
      include Syntax

      ENSURE = "The basic property that the resource should be in."
      KINDS = {"newproperty" => "property", "newparam" => "parameter", "newcheck" => "check"}.freeze
      private_constant :ENSURE, :KINDS

      # @return [Hash] the part of a type that a declaration outside of it adds
      def self.extended(called, node, source)
        texts = Texts.new(source)
        kind = KINDS.fetch(called.name, "property")
        name = called.name == "ensurable" ? "ensure" : texts.literal(called.args.first)
        type = texts.literal(Syntax.call(called.receiver).args.first)
        {name: type, line: called.line, doc: nil, open: true, isomorphic: true, patterns: false, providers: [], features: [],
         attributes: [Attribute.new(name, kind, node, texts).to_h]}
      end

      def initialize(called, node, source)
        @texts = Texts.new(source)
        @called = called
        @line = start(node).first
        @doc = @texts.description(node) || source.comment_above(@line)&.text
        @name = called.args.first && @texts.literal(called.args.first)
        raise Error[ArgumentError], "#{source.path}:#{@line}: expected a symbol or a string as the name of the type" unless @name

        @attributes = []
        @features = []
        statements(called.block).each { |statement| declare(statement) } if called.block
        name_attribute
      end

      def to_h
        {name: @name, line: @line, doc: @doc, open: false, isomorphic: true, patterns: false, providers: [],
         features: @features, attributes: @attributes.map(&:to_h)}
      end

      private

      def declare(node)
        called = call(node) or return
        case called.name
        when *KINDS.keys
          name = called.args.first && @texts.literal(called.args.first)
          @attributes << Attribute.new(name, KINDS.fetch(called.name), node, @texts) if name
        when "feature" then feature(*called.args.first(2).map { |arg| @texts.literal(arg) })
        when "ensurable" then ensurable(called, node)
        end
      end

      def feature(name = nil, text = nil)
        return unless name && text

        @features << {name: name, doc: @texts.unindented(text[/^%[Qq]{(.*)}$/m, 1] || text).tr("\n", " ")}
      end

      def ensurable(called, node)
        if called.block
          @attributes << Attribute.new("ensure", "property", node, @texts, doc: ENSURE)
        else
          @attributes << Attribute.new("ensure", "property", nil, @texts, doc: ENSURE).tap(&:default_values)
        end
      end

      # One called `name` names resources, if no other does.
      def name_attribute
        return if @attributes.any?(&:namevar)

        properties, others = @attributes.partition(&:property?)
        found = properties.reverse.find { |one| one.name == "name" } || others.find { |one| one.name == "name" }
        found.namevar = true if found
      end
    end
  end
end
