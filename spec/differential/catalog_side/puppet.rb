# frozen_string_literal: true

require "puppet"
require "tmpdir"
require_relative "../settings"
require_relative "describe"

Dir.mktmpdir("differential") do |directory|
  Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf"])
  Puppet[:disable_warnings] = ["deprecations"]
  Puppet[:strict] = :error
  Puppet[:strict_variables] = true
  Puppet::Util::Log.close_all

  Differential::CatalogSide.run do |manifest, modulepath|
    Puppet[:code] = manifest
    environment = Puppet::Node::Environment.create(:production, modulepath)
    node = Puppet::Node.new(Differential::CatalogSide::NODE, environment: environment,
      facts: Puppet::Node::Facts.new(Differential::CatalogSide::NODE, {}))
    Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
      Puppet::Parser::Compiler.compile(node)
    end
  end
end
