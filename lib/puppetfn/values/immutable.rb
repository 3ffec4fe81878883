# frozen_string_literal: true

module Puppetfn
  # An immutable object is its own copy.
  #
  # @api private
  module Immutable
    def dup
      self
    end

    def clone(freeze: true) # rubocop:disable Lint/UnusedMethodArgument
      self
    end
  end

  [Type, RichValue].each { |immutable| immutable.include(Immutable) }
end
