# frozen_string_literal: true

require "puppet"
require "tmpdir"
require_relative "facts"

module Differential
  # Data as real Puppet looks it up: as the application `puppet lookup` does.
  class HieraSide
    include HieraNode

    def self.open(root, &block)
      Dir.mktmpdir do |dir|
        Puppet.initialize_settings(["--confdir", dir, "--vardir", dir, "--codedir", dir])
        Puppet[:strict] = :error
        Puppet[:strict_variables] = true
        Puppet[:environmentpath] = File.join(root, "environments")
        Puppet[:hiera_config] = File.join(root, "global/hiera.yaml")
        Puppet[:code] = "undef"
        # Resources are declared once in a catalog; what data cannot be looked up is asked for again and again.
        Puppet.push_context(Puppet.base_context(Puppet.settings))
        environment = Puppet.lookup(:environments).get("production")
        Puppet.override(current_environment: environment) { compile(environment, &block) }
      end
    end

    def self.compile(environment)
      facts = Puppet::Node::Facts.new("web1.example.com", FACTS)
      node = Puppet::Node.new("web1.example.com", environment: environment, facts: facts, parameters: VARIABLES.dup)
      node.merge(FACTS.merge(VARIABLES))
      compiler = Puppet::Parser::Compiler.new(node)
      compiler.compile do |catalog|
        yield new(compiler.topscope)
        catalog
      end
    end
    private_class_method :compile

    def initialize(scope)
      @scope = scope
      @parser = Puppet::Pops::Parser::EvaluatingParser.new
    end

    def evaluate(code)
      @parser.evaluate_string(@scope, code, "/test.pp")
    end

    def explain(keys, merge, only_options)
      explainer = Puppet::Pops::Lookup::Explainer.new(only_options, only_options)
      invocation = Puppet::Pops::Lookup::Invocation.new(@scope, {}, {}, explainer)
      begin
        Puppet::Pops::Lookup.lookup(keys, nil, nil, false, merge, invocation)
      rescue Puppet::DataBinding::LookupError => e
        invocation.report_text { e.message }
      end
      explainer.explain
    end
  end
end
