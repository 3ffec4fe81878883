# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pal
      # Calls functions and evaluates code, for as long as the block runs that was given it.
      class Compiler
        # @api private
        def initialize(runtime)
          @runtime = runtime
        end

        # Calls a function.
        #
        # @param function_name [String]
        # @param args [Array<Object>] the arguments, one by one
        # @yield the lambda that the function is given
        # @return [Object] the result of the function
        def call_function(function_name, *args, &block)
          Arguments.non_empty_string(function_name, "function_name")
          @runtime.call_function(function_name, *args, &block)
        end

        # @param function_name [String]
        # @return [FunctionSignature, nil] the signatures of a function; nil if it does not exist
        def function_signature(function_name)
          function = @runtime.loader.load(:function, function_name)
          function && FunctionSignature.new(function)
        end

        # @param filter_regex [Regexp, nil] pattern of the functions' names
        # @param _error_collector [Array, nil] stays as it is: no function is loaded for this
        # @return [Array<Puppet::Pops::Loader::TypedName>]
        def list_functions(filter_regex = nil, _error_collector = nil)
          names = @runtime.list_functions(filter_regex)
          names.map { |name| Pops::Loader::TypedName.new(:function, name) }
        end

        # Evaluates code in the top scope.
        #
        # @param puppet_code [String, nil]
        # @param source_file [String, nil] the file name in messages
        # @return [Object] the value of the last statement, nil for no code
        # @raise [ArgumentError] when the code is not a String
        # @raise [Puppet::ParseErrorWithIssue] when it is not Puppet, and when its evaluation fails
        def evaluate_string(puppet_code, source_file = nil)
          return if puppet_code.nil? || puppet_code == ""

          Arguments.string(puppet_code, "puppet_code")
          @runtime.evaluate_string(puppet_code, source_file)
        end

        # Evaluates a file in the top scope.
        #
        # @param file [String]
        # @return [Object] the value of the last statement
        def evaluate_file(file)
          evaluate(parse_file(file))
        end

        # Evaluates the result of {#parse_string} or {#parse_file}.
        #
        # @param ast [Program, Object] other objects than programs are their own value
        # @return [Object] the value of the last statement
        def evaluate(ast)
          ast.is_a?(Program) ? @runtime.evaluate_string(ast.source_text, ast.file) : ast
        end

        # Returns the value of code that needs no evaluation: a literal, or a collection of such.
        #
        # @param ast [Program]
        # @return [Object]
        # @raise [ArgumentError] when it is something else
        def evaluate_literal(ast)
          value = ast.literal if ast.is_a?(Program)
          raise Puppetfn::Error[ArgumentError], "The given 'ast' does not represent a literal value" unless value

          value.first
        end

        # Reads code.
        #
        # @param code_string [String]
        # @param source_file [String, nil] the file name in messages
        # @return [Program]
        # @raise [ArgumentError] when the code is not a String
        # @raise [Puppet::ParseErrorWithIssue] when it is not Puppet
        def parse_string(code_string, source_file = nil)
          Arguments.string(code_string, "code_string")
          @runtime.parse_string(code_string, source_file, tasks: @runtime.node.nil?)
        end

        # Reads a file.
        #
        # @param file [String] the ending `.pp` may be left out
        # @return [Program]
        # @raise [ArgumentError] when it is not a String
        # @raise [Puppet::ParseErrorWithIssue] when its content is not Puppet
        # @raise [SystemCallError] when it cannot be read
        def parse_file(file)
          Arguments.string(file, "file")
          file = "#{file}.pp" unless File.exist?(file) || file.end_with?(".pp")
          parse_string(RegularFile.read_named(file), file)
        end

        # @param type_string [String] a type in the Puppet language
        # @return [Type]
        # @raise [Puppet::ParseError] when the text is not a type
        def type(type_string)
          Arguments.string(type_string, "type_string")
          @runtime.parse_type(type_string)
        end

        # Makes a value of a type, as `new` does.
        #
        # @param data_type [String, Type]
        # @param arguments [Array<Object>] the arguments, one by one
        # @return [Object]
        # @raise [ArgumentError] when the type is none
        def create(data_type, *arguments)
          type = data_type.is_a?(String) ? type(data_type) : data_type
          unless type.is_a?(Puppetfn::Type)
            raise Puppetfn::Error[ArgumentError], "Given data_type value is not a data type, got '#{type.class}'"
          end

          call_function("new", type, *arguments)
        end

        # @return [Boolean] whether it makes a catalog
        def has_catalog?
          false
        end

        # @return [String]
        def inspect
          "#<#{self.class.name} of #{@runtime.inspect}>"
        end
      end
    end
  end
end
