# frozen_string_literal: true

# The coins that make up an amount.
Puppet::Functions.create_function(:'till::change') do
  dispatch :change do
    param 'Integer[0]', :amount
  end

  def change(amount)
    [50, 20, 10, 5, 2, 1].each_with_object([]) do |coin, coins|
      count, amount = amount.divmod(coin)
      coins.concat([coin] * count)
    end
  end
end
