# frozen_string_literal: true

require 'yaml'

# What is in stock, from a file.
Puppet::Functions.create_function(:'shop::stock') do
  dispatch :stock do
    param 'String', :path
    optional_param 'Any', :default
  end

  def stock(path, default = nil)
    unless File.exist?(path)
      Puppet.warning("there is no stock in #{path}")
      return default
    end
    YAML.safe_load(File.read(path))
  rescue Psych::SyntaxError => e
    raise ArgumentError, "shop::stock: #{e.class}"
  end
end
