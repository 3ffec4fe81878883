# frozen_string_literal: true

require_relative "../../../lib/puppetfn"
require_relative "../settings"
require_relative "describe"

Differential::CatalogSide.run do |manifest, modulepath|
  runtime = Puppetfn::Runtime.new(modulepath: modulepath, node: Differential::CatalogSide::NODE)
  runtime.evaluate_string(manifest)
  runtime.catalog
end
