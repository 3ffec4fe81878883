# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Answers to RSpec for matchers whose subject may be a value as well as a block.
    #
    # @api private
    module AnySubject
      # @return [true]
      def supports_block_expectations?
        true
      end

      # @return [true]
      def supports_value_expectations?
        true
      end
    end
  end
end
