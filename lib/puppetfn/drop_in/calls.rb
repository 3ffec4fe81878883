# frozen_string_literal: true

module Puppetfn
  # What the extension asks for in calls.
  module DropIn
    class << self
      # Lets `next` or `return` of a lambda leave a function, as Puppet's functions do.
      #
      # @api private
      # @param jumper [Puppet::Pops::Evaluator::Jumper]
      # @raise [Puppet::ParseError] when there is nothing that it can leave
      def leave(jumper)
        if jumper.is_a?(::Puppet::Pops::Evaluator::Next)
          leave_to(:next, jumper.value, jumper)
        else
          leave_to(:return, jumper, jumper)
        end
      end

      # Has Puppet look at what a method returned.
      #
      # @api private
      # @param dispatcher [Puppet::Pops::Functions::Dispatcher]
      # @param index [Integer] of the dispatch
      # @param result [Object]
      # @return [Object] the result
      # @raise [Puppet::Pops::Types::TypeAssertionError]
      def assert_returned(dispatcher, index, result)
        dispatch = dispatcher.dispatchers[index]
        type = dispatch.type.return_type
        ::Puppet::Pops::Types::TypeAsserter.assert_instance_of(nil, type, result) do
          "value returned from function '#{dispatch.instance_variable_get(:@method_name)}'"
        end
      end

      private

      def leave_to(tag, value, jumper)
        throw tag, value
      rescue ::Puppet::Parser::Scope::UNCAUGHT_THROW_EXCEPTION
        raise ::Puppet::ParseError.new("#{tag}() from context where this is illegal", jumper.file, jumper.line)
      end
    end
  end
end
