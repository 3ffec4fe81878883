# frozen_string_literal: true

module Puppetfn
  class Runtime
    # Returns a type, from its text in the Puppet language.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.type("Array[Integer[0], 1]").instance?([1, 2])  # => true
    #   runtime.type("Integer[")
    #   # Puppet::ParseErrorWithIssue: Syntax error at end of input
    # @param text [String] may name types of the modules, and types that code has defined. Ruby warns of a name that no
    #   type has: as in Puppet, that is a reference, of which nothing is an instance
    # @return [Type]
    # @raise [Puppet::ParseError] when the text is not a type
    def type(text)
      type = parse_type(text)
      problem = problem_of(type)
      warn(problem, uplevel: 1) if problem
      type
    end

    # Returns a type as Puppet reads it: a name that no type has is a reference, of which nothing is an instance.
    #
    # @api private
    # @param text [String]
    # @return [Type]
    # @raise [Puppet::ParseError] when the text is not a type
    def parse_type(text)
      # Code may have defined types.
      type = evaluated? ? activate { evaluator.type(text) } : Type.parse(text, loader)
      type.runtime = self if type.features?
      type
    end

    # Makes a value of a type from other values, as `new` does in the Puppet language.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.create("Integer", "0xFF", 16)           # => 255
    #   runtime.create("Timespan", "1-02:03:04").hours  # => 2
    # @param type [String, Type]
    # @param args [Array<Object>] the arguments, one by one
    # @yieldparam value [Object] the value; the block returns the result that replaces it
    # @return [Object]
    # @raise [ArgumentError] when the type does not accept the arguments
    # @raise [Puppet::ParseError] when there is no such type
    # @see Type#new
    def create(type, *args, &block)
      type = existing_type(type) unless type.is_a?(Type)
      activate { type.new(*args, &block) }
    end

    # Exports types that are defined by their features as a model that other tools can read: Ecore, in XMI.
    #
    # @param types [Array<String, Type>] types that they use are in the model, too
    # @param logic [Boolean] whether the code of the types is in annotations
    # @return [String]
    # @raise [Puppet::Error] when one is not defined by its features
    # @see https://eclipse.dev/modeling/emf/
    def export_model(*types, logic: false)
      types = types.map { |type| type.is_a?(Type) ? type : type(type) }
      evaluator.export_model(types, logic)
    end

    # Defines the types of a model. The parts of it that types do not support are noted in {#logs}.
    #
    # @param text [String] Ecore, in XMI
    # @return [Array<Type>] sorted by name
    # @raise [Puppet::ParseError] when it is not Ecore, or has parts that types cannot have
    def import_model(text)
      names, notes = activate { evaluator.import_model(text) }
      notes.each { |note| @logs.add(:notice, note) }
      names.map { |name| type(name) }
    end

    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.infer([1, "a"]).to_s  # => "Array[ScalarData, 2, 2]"
    # @param value [Object]
    # @return [Type] the type of a value
    def infer(value)
      Type.infer(value)
    end

    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.infer_set([1, "a"]).to_s  # => "Tuple[Integer[1, 1], String]"
    # @param value [Object]
    # @return [Type] the type of a value, in which each element counts
    def infer_set(value)
      Type.infer_set(value)
    end

    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.common_type(runtime.type("Integer[1, 2]"), runtime.type("Integer[5, 9]")).to_s  # => "Integer[1, 9]"
    # @param first [Type]
    # @param second [Type]
    # @return [Type] the closest type that both belong to
    def common_type(first, second)
      Type.common(first, second)
    end

    private

    # Returns the type of a text, if all types that it names exist.
    def existing_type(text)
      type = parse_type(text)
      problem = problem_of(type)
      raise Puppet::ParseError, problem if problem

      type
    end

    # Returns the unknown name in the text of a type, and the name that was probably meant.
    def problem_of(type)
      unknown = type.unknown_name
      unknown && loader.unknown_type(unknown)
    end
  end
end
