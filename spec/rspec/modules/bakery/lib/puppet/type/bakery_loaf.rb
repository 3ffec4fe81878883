# frozen_string_literal: true

Puppet::Type.newtype(:bakery_loaf) do
  feature :slices, 'Loaves can be sliced.'

  newparam(:name, namevar: true)
  newparam(:count) do
    validate { |value| raise ArgumentError, 'too many' if value.to_i > 1000 }
  end
  newparam(:shape)
  newparam(:topping)

  autorequire(:file) { "/etc/bakery/#{self[:name]}" }
  autobefore(:service) { 'oven' }
end
