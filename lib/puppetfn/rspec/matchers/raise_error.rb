# frozen_string_literal: true

require "rspec/matchers"

module Puppetfn
  module RSpec
    # Matchers of every example group.
    module GenericMatchers
      # RSpec's own `raise_error`, also for subjects that are a lambda.
      class RaiseError < ::RSpec::Matchers::BuiltIn::RaiseError
        # @return [true]
        def supports_value_expectations?
          true
        end
      end

      # @param error [Class, String, Regexp]
      # @param message [String, Regexp, nil]
      # @return [RaiseError]
      def raise_error(error = ::RSpec::Matchers::BuiltIn::RaiseError::UndefinedValue, message = nil, &block)
        RaiseError.new(error, message, &block)
      end
    end
  end
end
