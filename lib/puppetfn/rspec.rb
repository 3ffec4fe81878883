# frozen_string_literal: true

if Object.const_defined?(:Puppet) && Puppet.respond_to?(:version) && !Object.const_defined?(:Puppetfn)
  raise LoadError, "puppetfn/rspec stands for Puppet and rspec-puppet: require it before them, or run `puppetfn test`"
end

require "rspec/core"
# Spec helpers count on RSpec having all of its syntax.
require "rspec/expectations"
require_relative "../puppetfn"

# The features of rspec-puppet for functions, type aliases, classes, defined types and nodes, on puppetfn.
#
#   require "puppetfn/rspec"
#
#   describe "mymodule::double" do
#     it { is_expected.to run.with_params(2).and_return(4) }
#   end
#
# Spec helpers know it as `RSpec::Puppet`, and find their libraries in its `shims`.
module Puppetfn::RSpec
  # The directory that comes first on the load path: its files stand in for Puppet's libraries for specs.
  SHIMS = File.join(__dir__, "rspec", "shims")

  # The shims require files of puppetfn, also where its command is run from a checkout.
  $LOAD_PATH.unshift(*([SHIMS, File.dirname(__dir__)] - $LOAD_PATH))

  # Parts that not all suites need are loaded when they are first named.
  {
    Dependencies: "dependencies", ExampleTypes: "example_types", FunctionMock: "function_mock", Profile: "profile", Watch: "watch"
  }.each { |name, file| autoload name, File.join(__dir__, "rspec", file) }
end

RSpec.const_set(:Puppet, Puppetfn::RSpec)

# Puppet and puppetlabs_spec_helper have loaded these.
{Tempfile: "tempfile", FileUtils: "fileutils", Pathname: "pathname"}.each do |name, file|
  Object.autoload(name, file) unless Object.const_defined?(name)
end

require_relative "rspec/heap"
require_relative "rspec/settings"
require_relative "rspec/facter"
require_relative "rspec/puppet_files"
require_relative "rspec/platform"
require_relative "rspec/node"
require_relative "rspec/puppet_settings"
require_relative "rspec/example_runtime"
require_relative "rspec/execution"
require_relative "rspec/fixtures"
require_relative "rspec/coverage"
require_relative "rspec/function_coverage"
require_relative "rspec/code_coverage"
require_relative "rspec/sensitive"
require_relative "rspec/matchers/raise_error"
require_relative "rspec/matchers/run"
require_relative "rspec/matchers/allow_value"
require_relative "rspec/matchers/be_valid_type"
require_relative "rspec/matchers/manifest_matchers"
require_relative "rspec/support"
require_relative "rspec/function_example_group"
require_relative "rspec/type_alias_example_group"
require_relative "rspec/type_example_group"
require_relative "rspec/catalog_example_group"
require_relative "rspec/hooks"
