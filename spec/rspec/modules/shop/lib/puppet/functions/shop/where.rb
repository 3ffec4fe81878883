# frozen_string_literal: true

# Where the shop is.
Puppet::Functions.create_function(:'shop::where', Puppet::Functions::InternalFunction) do
  dispatch :where do
    scope_param
    optional_param 'String', :variable
  end

  def where(scope, variable = 'facts')
    value = scope.lookupvar(variable)
    value.is_a?(Hash) && value['networking'] ? value['networking']['fqdn'] : value
  end
end
