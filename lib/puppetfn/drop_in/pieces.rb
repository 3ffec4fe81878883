# frozen_string_literal: true

module Puppetfn
  module DropIn
    # Methods of a class of Puppet's that a module of the extension is put before.
    #
    # `instead` are further methods whose work is done without calling them, and files. A class that is not in
    # `Puppet::Pops` is named from the top; `singleton` says that they are methods of the class itself.
    Patch = Struct.new(:piece, :class_name, :methods, :module_name, :instead, :singleton, keyword_init: true) do
      # @return [Array<String>] all methods and files that must be unchanged
      def names
        methods.map { |name| "#{class_name}##{name}" } + Array(instead)
      end
    end

    PIECES = %i[dispatch types inference mismatch type_parser parser catalog].freeze

    # The kinds of types whose check looks into values or strings. Checks of other kinds are a single comparison.
    CHECKED = %w[
      PArrayType PHashType PTupleType PStructType PVariantType POptionalType PNotUndefType PTypeType PEnumType
      PPatternType PCollectionType PIterableType PSensitiveType PCallableType PTypeAliasType
    ].freeze
    private_constant :CHECKED

    # The types whose constructors have nothing to do for inferred types.
    BUILT = %w[
      PArrayType PCollectionType PHashType PNumericType PStringType PStructElement PStructType PTupleType PTypeWithContainedType
      PVariantType
    ].freeze
    private_constant :BUILT

    # The files that decide the result of parsing.
    GRAMMAR = %w[
      pops/model/ast.rb pops/model/factory.rb pops/parser/eparser.rb pops/parser/epp_parser.rb pops/parser/epp_support.rb
      pops/parser/heredoc_support.rb pops/parser/interpolation_support.rb pops/parser/lexer2.rb pops/parser/lexer_support.rb
      pops/parser/locator.rb pops/parser/parser_support.rb pops/parser/slurp_support.rb
    ].freeze
    private_constant :GRAMMAR

    # The files that decide the content of a catalog.
    COMPILER = %w[parser/compiler.rb parser/resource.rb resource/catalog.rb].freeze
    private_constant :COMPILER

    # The methods that are taken over.
    PATCHES = [
      *CHECKED.map do |name|
        Patch.new(piece: :types, class_name: "Types::#{name}", methods: %i[instance?], module_name: :InstanceCheck)
      end,
      *%w[PAnyType PVariantType PTypeAliasType].map do |name|
        Patch.new(piece: :types, class_name: "Types::#{name}", methods: %i[assignable?], module_name: :AssignableCheck)
      end,
      Patch.new(piece: :types, class_name: "Types::PCallableType", methods: %i[callable_with?],
                module_name: :CallableCheck),
      Patch.new(piece: :dispatch, class_name: "Functions::Dispatcher", methods: %i[dispatch find_matching_dispatcher],
                module_name: :Dispatching, instead: %w[Functions::Dispatch#invoke Functions::Dispatcher#signatures]),
      Patch.new(piece: :dispatch, class_name: "Functions::Function", methods: %i[call], module_name: :Calling),
      Patch.new(piece: :mismatch, class_name: "Types::TypeMismatchDescriber",
                methods: %i[describe_signatures describe_mismatch], module_name: :Wording),
      Patch.new(piece: :inference, class_name: "Types::TypeCalculator", methods: %i[infer infer_set generalize common_type],
                module_name: :Inference,
                instead: BUILT.map { |name| "Types::#{name}#initialize" }),
      Patch.new(piece: :type_parser, class_name: "Types::TypeParser", methods: %i[parse], module_name: :TypeParsing,
                instead: %w[Types::TypeParser#interpret Types::TypeParser#interpret_AccessExpression] +
                         BUILT.map { |name| "Types::#{name}#initialize" }),
      Patch.new(piece: :parser, class_name: "Parser::Parser", methods: %i[parse_string parse_file], module_name: :Parsing,
                instead: GRAMMAR),
      Patch.new(piece: :parser, class_name: "Parser::EppParser", methods: %i[parse_file], module_name: :TemplateParsing),
      Patch.new(piece: :catalog, class_name: "::Puppet::Parser::Compiler", methods: [], module_name: :Compiling,
                instead: COMPILER + %w[Functions::Function#internal_call_function], singleton: true)
    ].freeze
  end
end
