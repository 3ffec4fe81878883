# frozen_string_literal: true

require "voxpupuli/test/facts"
require "rspec-puppet"
require "puppetfn/rspec/contents"
require "puppetfn/rspec/module_layout"

Puppetfn::RSpec::ModuleLayout.configure(RSpec.configuration)
RSpec.configuration.strict_variables = true
RSpec.configuration.facter_implementation = "rspec"
RSpec.configuration.facterdb_string_keys = false
RSpec.configuration.after(:suite) { RSpec::Puppet::Coverage.report! }
