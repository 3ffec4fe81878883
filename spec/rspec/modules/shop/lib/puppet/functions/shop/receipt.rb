# frozen_string_literal: true

# A receipt, by way of other functions.
Puppet::Functions.create_function(:'shop::receipt') do
  dispatch :receipt do
    param 'Hash[String, Numeric]', :articles
  end

  def receipt(articles)
    lines = articles.map { |name, net| call_function('shop::line', name, call_function('shop::price', net)) }
    lines.push(call_function('shop_total', articles.values)).join("\n")
  end
end
