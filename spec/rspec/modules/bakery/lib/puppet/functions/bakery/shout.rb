# frozen_string_literal: true

Puppet::Functions.create_function(:'bakery::shout') do
  dispatch :shout do
    param 'Hash', :names
    return_type 'String'
  end

  def shout(names)
    names.map { |name, value| "#{name}: #{value}" }.join(', ').upcase
  end
end
