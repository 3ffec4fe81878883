# frozen_string_literal: true

module Puppet::Parser::Functions
  newfunction(:shop_open, type: :rvalue, doc: 'Whether the shop is open.') do |args|
    day = args[0] || lookupvar('weekday')
    raise(Puppet::ParseError, 'shop_open(): no day') if day.nil? || day == ''

    !['saturday', 'sunday'].include?(day.downcase)
  end
end
