# frozen_string_literal: true

# What modules' spec helpers need of puppetlabs_spec_helper, which is no Debian package, on real rspec-puppet.
require "rspec-puppet"

RSpec.configure do |config|
  config.mock_with :rspec
  config.environmentpath = File.join(Dir.pwd, "spec")
  config.module_path = File.join(Dir.pwd, "spec", "fixtures", "modules")
end
