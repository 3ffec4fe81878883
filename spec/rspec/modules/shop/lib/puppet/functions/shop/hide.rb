# frozen_string_literal: true

# Hides a value.
Puppet::Functions.create_function(:'shop::hide') do
  dispatch :again do
    param 'Sensitive', :value
  end

  dispatch :hide do
    param 'Any', :value
  end

  def again(value)
    value
  end

  def hide(value)
    Puppet::Pops::Types::PSensitiveType::Sensitive.new(value)
  end
end
