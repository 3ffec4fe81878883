# frozen_string_literal: true

require_relative "values"
require_relative "attribute_declaration"

class Puppetfn::Doc
  module Types
    # A resource type that is made with `Puppet::Type.newtype`.
    #
    # @api private
    class TypeDeclaration
      include Target
      include Documented

      # Methods that decide what attributes are given: a type that has one of its own may do anything with them.
      ENTRANCES = %w[[]= newattr set_parameters set_default set_name new validattr? valid_parameter? attrclass].freeze
      # Modules of Puppet's own, which change nothing about attributes.
      HARMLESS = /\A(Puppet::)?(Util|Provider|Parameter|Property)\b/
      ATTRIBUTES = {"newproperty" => :property, "newparam" => :parameter, "newcheck" => :check}.freeze
      # What has a block that runs in resources.
      HOOKS = %w[validate autorequire autobefore autosubscribe autonotify define_method].freeze
      private_constant :ENTRANCES, :HARMLESS, :ATTRIBUTES, :HOOKS

      # @return [String]
      attr_reader :name

      # @param line [Integer]
      # @param evaluation [Evaluation]
      def initialize(name, line, evaluation)
        @name = name
        @line = line
        @evaluation = evaluation
        @attributes = {}
        @features = []
        @providers = []
        @open = @opaque = @maybe = false
        @isomorphic = true
        @patterns = false
      end

      def receive(called, arguments, block)
        case called.name
        when *ATTRIBUTES.keys then attribute(ATTRIBUTES[called.name], arguments, block, called.line)
        when "ensurable" then ensurable(block, called.line)
        when "feature" then @features << arguments.first(2)
        when "desc", "doc=" then @doc ||= documentation(called, arguments)
        when "provide", "providify" then provide(arguments, called.line)
        when "paramclass" then @attributes[arguments.first.to_s] || UNKNOWN
        when "include", "extend" then @opaque = @open = true unless arguments.all? { |one| harmless?(one) }
        when "apply_to_device", "apply_to_host", "apply_to_all" then UNKNOWN
        when *HOOKS then UNKNOWN
        else other(arguments, block)
        end
      end

      def method_defined(name, singleton, closure)
        @patterns = true if singleton && name == "title_patterns"
        @opaque = true if ENTRANCES.include?(name) || (name == "initialize" && !begins_with_super?(closure))
      end

      def instance_variable(name, value)
        @doc ||= value.is_a?(String) ? unindented(value) : nil if name == "@doc"
        @isomorphic = value if name == "@isomorphic"
      end

      def touched
        @open = true
      end

      def maybe
        before = @maybe
        @maybe = true
        yield
      ensure
        @maybe = before
      end

      # @return [Boolean] whether it may have other attributes than these
      def open?
        @open
      end

      def to_h
        {name: @name, line: @line, doc: @doc, open: @open, isomorphic: @isomorphic, patterns: @patterns,
         attributes: attributes, providers: @providers.uniq, features: features}
      end

      private

      def features
        @features.filter_map do |name, text|
          {name: name.to_s, doc: text.is_a?(String) ? unindented(text) : ""} if name.is_a?(Symbol) || name.is_a?(String)
        end
      end

      def attributes
        all = @attributes.values
        names = all.any?(&:namevar?) ? [] : ["name"]
        all.map { |attribute| attribute.to_h(namevar: names.include?(attribute.name), opaque: @opaque) }
      end

      def attribute(kind, arguments, block, line)
        name, options = arguments
        unless name.is_a?(Symbol) || name.is_a?(String)
          @open = true
          return UNKNOWN
        end
        declared = AttributeDeclaration.new(name.to_s, kind, options.is_a?(Hash) ? options : {}, line, @evaluation)
        declared.touched if @maybe || @attributes.key?(name.to_s) || options.equal?(UNKNOWN)
        @open = true if @maybe
        @attributes[name.to_s] = declared
        declared.declare(block) if block
        declared
      end

      def ensurable(block, line)
        declared = attribute(:property, [:ensure, {parent: Constant.new("Puppet::Property::Ensure")}], block, line)
        declared.default_values unless block
        declared.document("The basic property that the resource should be in.")
        declared
      end

      def provide(arguments, line)
        @providers.concat(arguments.first(1).grep(Symbol).map(&:to_s))
        @attributes["provider"] ||= AttributeDeclaration.provider(line, @evaluation)
        UNKNOWN
      end

      # What is not known changes the type only if it is given the type itself, or in a block.
      def other(arguments, block)
        touched if arguments.any? { |one| one.equal?(self) }
        @evaluation.may_run(block)
        UNKNOWN
      end

      def harmless?(mod)
        mod.is_a?(Constant) && mod.path.match?(HARMLESS)
      end

      def begins_with_super?(closure)
        first = closure.body.reject { |node| node.first == :void_stmt }.first
        first = first[1] while first.is_a?(Array) && %i[method_add_arg method_add_block].include?(first.first)
        first.is_a?(Array) && %i[super zsuper].include?(first.first)
      end
    end
  end
end
