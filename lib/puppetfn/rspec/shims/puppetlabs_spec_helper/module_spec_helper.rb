# frozen_string_literal: true

require "rspec-puppet"
require "puppetlabs_spec_helper/puppet_spec_helper"
require "puppetlabs_spec_helper/puppetlabs_spec/puppet_internals"
require "puppetfn/rspec/contents"
require "puppetfn/rspec/module_layout"

Puppetfn::RSpec::ModuleLayout.configure(RSpec.configuration)
