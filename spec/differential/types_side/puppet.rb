# frozen_string_literal: true

require "puppet"
require "tmpdir"
require_relative "describe"

Dir.mktmpdir("differential") do |directory|
  Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf",
    "--basemodulepath", Differential::MODULEPATH.join(":")])
  Puppet::Util::Log.close_all

  environment = Puppet::Node::Environment.create(:production, Differential::MODULEPATH)
  Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
    Differential::TypesSide.run(Differential::MODULEPATH) do |name, title|
      title ? Puppet::Resource.new(name, title).send(:parse_title) : Puppet::Type.type(name)
    end
  end
end
