# frozen_string_literal: true

require "puppet"
require_relative "modules"

module Vectors
  # Compiles recorded catalogs with real Puppet.
  class PuppetCatalogs
    # @param world [Catalog::World]
    def initialize(world)
      @world = world
      directory = Modules.temporary_directory
      # Providers look for their modules in the environment of the settings.
      ::Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf", "--basemodulepath", world.modules])
      ::Puppet::Util::Log.close_all
    end

    # @return [Puppet::Resource::Catalog]
    def compile(data, facts)
      ::Puppet[:strict] = data["strict"].to_sym
      ::Puppet[:strict_variables] = data["strict_variables"]
      data["settings"].each { |name, value| ::Puppet[name.to_sym] = value }
      ::Puppet[:code] = @world.text(data["code"], data)
      environment = ::Puppet::Node::Environment.create(data["environment"].to_sym, [@world.modules(data)])
      ::Puppet.override(current_environment: environment, rich_data: true) do
        ::Puppet::Parser::Compiler.compile(node(data, facts, environment))
      end
    end

    # @return [Hash] the catalog as agents get it
    def data_hash(catalog)
      ::Puppet.override(rich_data: true) { catalog.to_data_hash }
    end

    private

    def node(data, facts, environment)
      parameters = facts.merge(data["variables"])
      node = ::Puppet::Node.new(data["node"], environment: environment, parameters: parameters,
        facts: ::Puppet::Node::Facts.new(data["node"], facts))
      node.trusted_data = data["trusted"]
      node.add_server_facts(data["server_facts"])
      node
    end
  end
end
