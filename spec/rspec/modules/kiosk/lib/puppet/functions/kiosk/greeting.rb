# frozen_string_literal: true

# What the kiosk says.
Puppet::Functions.create_function(:'kiosk::greeting') do
  dispatch :named do
    param 'String[1]', :name
  end

  dispatch :several do
    param 'Array[String[1], 1]', :names
  end

  def named(name)
    "Hello #{name}, that is #{call_function('kiosk::sum', [10])}"
  end

  def several(names)
    names.map { |name| named(name) }
  end
end
