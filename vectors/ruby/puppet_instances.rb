# frozen_string_literal: true

require "puppet"
require_relative "instances"

module Vectors
  # Makes instances of resources and their relationship graph with real Puppet.
  class PuppetInstances
    # An object as Ruby shows it, with its address and instance variables.
    OBJECT = /#<(Puppet|Class)[^<>]*>/
    private_constant :OBJECT

    # @param modules [String] a module path
    # @param facts [Hash]
    def initialize(modules, facts)
      @modules, @facts = modules, facts
      ::Puppet.initialize_settings(["--vardir", Instances::VARIABLES, "--confdir", "/etc/puppetfn-vectors", "--basemodulepath", modules])
      ::Puppet[:strict] = :error
      ::Puppet::Util::Log.close_all
      # Types and providers require files of modules, which an agent has in one directory.
      $LOAD_PATH.concat(Dir["#{modules}/*/lib"].sort)
      @environment = ::Puppet::Node::Environment.create(:production, [modules])
    end

    # @return [Hash] the outcome of a program in its recorded form
    def outcome(code)
      phase = "compile"
      ::Puppet.override(current_environment: @environment) do
        catalog = compile(code)
        phase = "instances"
        ral = catalog.to_ral
        resources = Instances.resources(ral.resources)
        phase = "graph"
        graph = ral.relationship_graph
        Instances.hidden({"resources" => resources, **Instances.graph(graph.edges, graph.find_cycles_in_graph)}, @modules)
      end
    rescue StandardError, ScriptError, SystemStackError => e
      message = e.message.gsub(OBJECT, "#<\\1>")
      Instances.hidden({"error" => {"class" => e.class.name, "message" => message}, "phase" => phase}, @modules)
    end

    # @return [Class] a resource type
    def type(name)
      ::Puppet.override(current_environment: @environment) { ::Puppet::Type.type(name) }
    end

    private

    def compile(code)
      ::Puppet[:code] = code
      @environment.check_for_reparse
      # Definitions of other programs are not there.
      @environment.loaders = nil
      node = ::Puppet::Node.new(Instances::NODE, environment: @environment, facts: ::Puppet::Node::Facts.new(Instances::NODE, @facts))
      node.merge(@facts)
      ::Puppet.override(loaders: ::Puppet::Pops::Loaders.new(@environment)) { ::Puppet::Parser::Compiler.compile(node) }
    end
  end
end
