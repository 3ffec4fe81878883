# frozen_string_literal: true

require "rspec-puppet"
require "puppetlabs_spec_helper/puppet_spec_helper"
require "puppetlabs_spec_helper/puppetlabs_spec/puppet_internals"
require "puppetfn/rspec/module_layout"

# @return [Object, nil] the value of a parameter, as the code has given it
def param_value(subject, type, title, param)
  subject.resource(type, title).parameters[param.to_sym]
end

# Checks that a file has some lines.
#
# @return [void]
def verify_contents(subject, title, expected_lines)
  content = subject.resource("file", title).parameters[:content]
  expect(content.split("\n") & expected_lines).to match_array(expected_lines.uniq)
end

Puppetfn::RSpec::ModuleLayout.configure(RSpec.configuration)
