# frozen_string_literal: true

# Changes what it is given, which it must not.
Puppet::Functions.create_function(:'shop::spoil') do
  dispatch :spoil do
    param 'Variant[String, Array, Hash]', :value
  end

  def spoil(value)
    value.replace(value.class.new)
  end
end
