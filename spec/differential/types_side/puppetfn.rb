# frozen_string_literal: true

require_relative "../../../lib/puppetfn"
require_relative "describe"

runtime = Puppetfn::Runtime.new(modulepath: Differential::MODULEPATH)
runtime.activate do
  Differential::TypesSide.run(Differential::MODULEPATH) do |name, title|
    type = runtime.resource_type(name)
    title ? type.parse_title(title) : type
  end
end
