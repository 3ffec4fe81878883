# frozen_string_literal: true

require "puppet"

module FleetBench
  # Real Puppet, which keeps its environment, as a server does.
  module RealPuppet
    # @param directory [String] for its files
    # @param environments [String] the directory with the environment `production`
    # @yield sets more settings
    def self.start(directory, environments)
      ::Puppet.initialize_settings(["--confdir", "#{directory}/conf", "--vardir", "#{directory}/var", "--environment_timeout", "unlimited",
                                    "--environmentpath", environments, "--strict", "error", "--strict_variables", "true"])
      ::Puppet::Util::Log.close_all
      yield if block_given?
      ::Puppet::ApplicationSupport.push_application_context(::Puppet::Util::RunMode[:user])
    end

    # @param name [String]
    # @param facts [Hash{String=>Object}]
    # @return [::Puppet::Node]
    def self.node(name, facts)
      production = ::Puppet.lookup(:environments).get!("production")
      node = ::Puppet::Node.new(name, environment: production, facts: ::Puppet::Node::Facts.new(name, facts))
      node.merge(facts)
      node.trusted_data = {"authenticated" => "local", "certname" => name, "domain" => name[/\.(.+)/, 1], "hostname" => name[/\A[^.]+/], "extensions" => {}}
      node
    end
  end
end
