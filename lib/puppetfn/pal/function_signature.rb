# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pal
      # The signatures of a function.
      class FunctionSignature < Puppetfn::FunctionSignature
        # Returns true if the function accepts arguments.
        #
        # @param args [Array<Object>]
        # @param callable [Proc, nil] counts for the explanation only, as in Puppet: a function that needs a
        #   block accepts no arguments here
        # @yieldparam message [String] why it does not
        # @return [Boolean]
        def callable_with?(args, callable = nil)
          return true if signatures.any? { |signature| signature.callable_with?(args) }

          yield Signature.describe_mismatch(name, signatures, args, callable) if block_given?
          false
        end
      end
    end
  end
end
