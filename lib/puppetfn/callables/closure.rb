# frozen_string_literal: true

module Puppetfn
  # A lambda of Puppet code, as a Ruby function gets it: `block.closure`.
  class Closure
    # As in Puppet, where lambdas are closures of a kind of their own.
    Dynamic = self # rubocop:disable Naming/ConstantName

    # @return [String] Puppet's name of the class
    def self.name
      "Puppet::Pops::Evaluator::Closure::Dynamic"
    end

    # A parameter of a lambda.
    Parameter = Struct.new(:name, :type, :optional, :captures_rest) do
      alias_method :captures_rest?, :captures_rest
      alias_method :optional?, :optional
    end

    # Returns the block of the caller, for native code.
    #
    # @api private
    def self.given(&block)
      block
    end

    # @return [Array<Parameter>]
    def parameters
      required, most = size_range
      names = parameter_names
      rest = names.size - 1 if most > names.size
      names.each_with_index.map do |name, index|
        Parameter.new(name, parameter_types[index], index >= required && index != rest, index == rest)
      end
    end

    # @return [Integer] the number of parameters
    def parameter_count
      parameter_names.size
    end

    # @return [Boolean] whether the last parameter takes all further arguments
    def last_captures_rest?
      parameters.last&.captures_rest || false
    end

    # @return [Type] a Struct of the parameters
    def params_struct
      members = parameters.map do |parameter|
        key = parameter.name.inspect
        "#{parameter.optional ? "Optional[#{key}]" : key} => #{parameter.type}"
      end
      Type.parse("Struct[{#{members.join(", ")}}]")
    end

    # @return [String] the name in messages
    def closure_name
      "lambda"
    end

    # @return [Array<Closure>] itself: a lambda has one signature
    def signatures
      [self]
    end

    # @return [Puppet::Pops::Evaluator::PuppetProc] the block that calls it
    def to_proc
      closure = self
      fiber = Fiber.current
      Puppet::Pops::Evaluator::PuppetProc.new(closure) do |*args|
        unless Fiber.current.equal?(fiber)
          raise OperationError, "A lambda of Puppet code can only be called by the thread and fiber that it was given to"
        end

        closure.call(*args)
      end
    end

    # @return [String]
    def inspect
      "#<#{self.class} #{type}>"
    end
  end

  module Puppet
    module Pops
      module Evaluator
        Closure = Puppetfn::Closure

        # The block that a function is given for a lambda of Puppet code.
        class PuppetProc < Proc
          # @param closure [Closure]
          # @yield calls the closure
          def self.new(closure, &block)
            super(&block).tap { |made| made.instance_variable_set(:@closure, closure) }
          end

          # @return [Closure] the lambda, with the types of its parameters
          attr_reader :closure

          # @return [false] arguments are checked by the closure
          def lambda?
            false
          end

          # @return [Array<Array(Symbol, Symbol)>] the parameters, as `Proc#parameters` has them
          def parameters(lambda: nil) # rubocop:disable Lint/UnusedMethodArgument
            closure.parameters.map do |parameter|
              kind = if parameter.captures_rest then :rest else (parameter.optional ? :opt : :req) end
              [kind, parameter.name.to_sym]
            end
          end

          # @return [Integer] the number of parameters, as `Proc#arity` has it
          def arity
            optional = parameters.index { |kind, _| kind != :req }
            optional ? -optional - 1 : parameters.size
          end
        end
      end
    end
  end
end
