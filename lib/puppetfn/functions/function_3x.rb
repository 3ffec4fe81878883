# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Functions
      # A function of the 3.x API, as functions of the 4.x API see it.
      #
      # It is called past the dispatcher: the function itself counts its arguments, and reports errors in the words of the
      # 3.x API.
      class Function3x < InternalFunction
        @of_files = {}

        class << self
          # @return [Symbol] the method of a scope that is the function
          attr_reader :method3x

          # Makes the class of a function.
          #
          # @param func_name [String]
          # @param func_info [Hash] the result of `newfunction`
          # @param loader [Loader]
          # @return [Class<Function3x>]
          # @api private
          def create_function(func_name, func_info, loader)
            function = Class.new(self)
            function.bind(func_name, loader)
            function.declare(func_info)
            function
          end

          # Returns the class of a function that a file defines, the same for all runtimes: of the function itself it has the
          # name alone.
          #
          # @param func_name [String]
          # @param func_info [Hash] the result of `newfunction`
          # @return [Class<Function3x>]
          # @api private
          def of_file(func_name, func_info)
            @of_files[[func_name, func_info.values_at(:name, :arity)]] ||= create_function(func_name, func_info, nil)
          end

          # Declares the function's parameters, for queries of its signature.
          #
          # @api private
          def declare(func_info)
            @method3x = func_info[:name].to_sym
            arity = func_info[:arity]
            required = arity.negative? ? -arity - 1 : arity
            names = Array.new(arity.abs) { |index| "p#{index}" }
            dispatcher.add(Dispatch.untyped(:"3x_function", required, 0, arity.negative?, names))
          end
        end

        # Calls the function against a scope, with the arguments in the form that the 3.x API has for them.
        #
        # @param scope [Scope]
        # @param args [Array<Object>]
        # @return [Object, nil] nil when the function is a statement; an unknown value when an argument is not known
        def call(scope, *args)
          return Unknown.new if Unknown.among?(args)

          jump = catch(:return) do
            mapped = Pops::Evaluator::Runtime3FunctionArgumentConverter.map_args(args, scope, "")
            return scope.__send__(self.class.method3x, mapped)
          end
          jump.value
        end
      end
    end
  end
end
