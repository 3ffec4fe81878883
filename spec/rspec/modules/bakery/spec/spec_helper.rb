# frozen_string_literal: true

require 'rspec-puppet'

RSpec.configure do |c|
  c.mock_with :rspec
  c.module_path = File.join(__dir__, 'fixtures', 'modules')
  c.manifest = File.join(__dir__, 'fixtures', 'manifests', 'site.pp')
  c.environmentpath = __dir__
  c.default_facts = { 'os' => { 'family' => 'Debian', 'name' => 'Debian' } }
  c.strict_variables = true
  c.after(:suite) { RSpec::Puppet::Coverage.report! }
end
