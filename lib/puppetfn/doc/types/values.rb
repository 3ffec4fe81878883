# frozen_string_literal: true

require_relative "../syntax"

class Puppetfn::Doc
  module Types
    # A value that is not known without running code.
    UNKNOWN = Object.new.freeze

    # What code sees where it stands.
    #
    # @!attribute target
    #   @return [Target, nil] what `self` is
    # @!attribute variables
    #   @return [Hash{String => Object}]
    Scope = Struct.new(:target, :variables)

    # A block, a lambda or a method.
    #
    # @!attribute parameters
    #   @return [Array<Parameter>]
    # @!attribute body
    #   @return [Array<Array>]
    # @!attribute scope
    #   @return [Scope] where it stands
    # @!attribute node
    #   @return [Array] all of it
    Closure = Struct.new(:parameters, :body, :scope, :node)

    # A parameter of one.
    #
    # @!attribute name
    #   @return [String, nil] nil where it takes an Array apart
    # @!attribute default
    #   @return [Array, nil] the node of what it is by default
    # @!attribute keyword
    #   @return [Boolean]
    Parameter = Struct.new(:name, :default, :keyword)

    # A constant that no code that was read sets.
    #
    # @!attribute path
    #   @return [String]
    Constant = Struct.new(:path) do
      # @return [String] without what it is in
      def name
        path.split("::").last
      end
    end

    # What calls without a receiver are sent to.
    module Target
      # @param _called [Syntax::Call]
      # @param _arguments [Array] the values of its arguments
      # @param _block [Closure, nil]
      # @return [Object]
      def receive(_called, _arguments, _block)
        UNKNOWN
      end

      # Notes that a method is defined.
      def method_defined(_name, _singleton, _closure); end

      # Notes that an instance variable is set.
      def instance_variable(_name, _value); end

      # Notes that code that is not known may do anything with it.
      def touched; end

      # @yield what is done in some cases only
      def maybe
        yield
      end
    end

    # What can be documented with `desc`.
    module Documented
      include Syntax

      # Describes its purpose, if nothing else does.
      def document(text)
        @doc ||= text
      end

      private

      # Returns the text that `desc` is given.
      def documentation(called, arguments)
        text = arguments.first
        text = called.args.first && prose(called.args.first) unless text.is_a?(String)
        text && unindented(text)
      end
    end

    # A module, whose methods can be called.
    class ModuleBody
      include Target

      # @param evaluation [Evaluation]
      def initialize(name, evaluation)
        @name = name
        @evaluation = evaluation
        @singleton = false
      end

      def receive(called, arguments, block)
        @evaluation.call_function(@name, called, arguments, block)
      end

      def method_defined(name, _singleton, closure)
        @evaluation.functions["#{@name}.#{name}"] = closure
      end
    end
  end
end
