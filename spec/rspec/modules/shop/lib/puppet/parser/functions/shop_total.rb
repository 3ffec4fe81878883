# frozen_string_literal: true

module Puppet::Parser::Functions
  newfunction(:shop_total, type: :rvalue, arity: 1, doc: <<-DOC
    The sum of prices.
  DOC
  ) do |args|
    prices = args[0]
    raise(Puppet::ParseError, "shop_total(): expects an Array, got #{prices.class}") unless prices.is_a?(Array)

    prices.sum
  end
end
