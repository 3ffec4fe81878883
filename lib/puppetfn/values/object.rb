# frozen_string_literal: true

module Puppetfn
  # An object of an Object type. Its attributes and functions are methods of it.
  #
  # @example
  #   runtime = Puppetfn::Runtime.new
  #   runtime.create("Error", "it broke", "kind").msg  # => "it broke"
  class PuppetObject
    # @api private
    def respond_to_missing?(name, include_private = false)
      member?(name.to_s) || super
    end

    # @api private
    def initialize(*)
      # An implementation may have its own. The attributes have their values already.
    end
    private :initialize

    # @api private
    def method_missing(name, *arguments, &block)
      member?(name.to_s) ? call_member(name.to_s, *arguments, &block) : super
    end
  end
end
