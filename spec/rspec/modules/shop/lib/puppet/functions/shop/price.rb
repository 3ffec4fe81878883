# frozen_string_literal: true

# The price of an article, with tax.
Puppet::Functions.create_function(:'shop::price') do
  # @param net The net price.
  # @param tax The tax, in percent.
  dispatch :price do
    param 'Numeric', :net
    optional_param 'Integer[0, 100]', :tax
    return_type 'Float'
  end

  # @param nets Several net prices.
  dispatch :prices do
    param 'Array[Numeric, 1]', :nets
    return_type 'Array[Float]'
  end

  def price(net, tax = 20)
    raise Puppet::ParseError, "a price cannot be negative: #{net}" if net.negative?

    (net * (100 + tax) / 100.0).round(2)
  end

  def prices(nets)
    nets.map { |net| price(net) }
  end
end
