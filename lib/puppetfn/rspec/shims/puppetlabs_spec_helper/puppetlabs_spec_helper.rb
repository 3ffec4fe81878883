# frozen_string_literal: true

require "puppetfn/rspec"
require "puppetlabs_spec_helper/puppetlabs_spec/files"
require "puppetlabs_spec_helper/puppetlabs_spec/fixtures"
require "puppetlabs_spec_helper/puppetlabs_spec/puppet_internals"
require "puppetlabs_spec_helper/puppetlabs_spec/matchers"

RSpec.configure do |config|
  config.extend PuppetlabsSpec::Files
  config.extend PuppetlabsSpec::Fixtures
  config.after { PuppetlabsSpec::Files.cleanup }
end

# RSpec would include a module of the configuration in every single example, too.
RSpec::Core::ExampleGroup.class_eval { include PuppetlabsSpec::Fixtures }
