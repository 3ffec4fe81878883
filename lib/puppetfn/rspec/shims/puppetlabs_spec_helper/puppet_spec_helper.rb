# frozen_string_literal: true

require "puppetlabs_spec_helper/puppetlabs_spec_helper"
require "puppet"
require "puppet/test/test_helper"
require "pathname"

RSpec.configure do |config|
  # Asking for the framework would choose one; a module may already have.
  config.mock_with(:rspec) unless config.instance_variable_get(:@mock_framework)

  config.before do
    @logs = []
    Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(@logs))
  end
  config.after { @logs.clear }
end
