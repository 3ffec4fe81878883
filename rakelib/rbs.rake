# frozen_string_literal: true

require "rbconfig"

# Specs of the API in Ruby. Examples with the tag `misuse` pass arguments that the signatures do not accept.
RBS_SPECS = %w[first_hour runtime doc graph lookup errors check_api environment_compile puppetdb coverage].freeze
RBS_TARGETS = %w[Runtime Type Catalog Fleet Graph Doc Check Format Environment Logs Coverage FunctionSignature]
  .map { |name| "Puppetfn::#{name}" }.freeze

desc "Validate the RBS signatures, and compare them with calls in specs"
task rbs: :compile do
  ruby "-e", 'require "rbs"; require "rbs/cli"; RBS::CLI.new(stdout: $stdout, stderr: $stderr).run(%w[-I sig -r json validate --silent])'
  environment = {"RBS_TEST_TARGET" => RBS_TARGETS.join(","), "RBS_TEST_OPT" => "-I sig -r json", "RBS_TEST_LOGLEVEL" => "error"}
  # The signatures are installed as each class is defined.
  sh environment, RbConfig.ruby, "-I", "lib", "-r", "rbs/test/setup", "-r", "puppetfn", "-S", "rspec", "--tag", "~misuse",
    *RBS_SPECS.map { |name| "spec/unit/#{name}_spec.rb" }
end
