# frozen_string_literal: true

# Another Puppet than the installed one: the directory with its library.
$LOAD_PATH.unshift(ENV.fetch("PUPPET_LIB")) if ENV.key?("PUPPET_LIB")

require "puppet"
require "tmpdir"

module Differential
  module InstanceSide
    # Makes instances with real Puppet.
    class Puppet
      def self.open
        Dir.mktmpdir("differential") do |directory|
          ::Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf"])
          ::Puppet[:disable_i18n] = true
          ::Puppet[:strict] = :error
          ::Puppet[:strict_variables] = true
          ::Puppet[:clientbucketdir] = "/var/bucket"
          ::Puppet::Util::Log.close_all
          ::Puppet::Util::Log.level = :warning
          yield new
        end
      end

      def initialize
        @logs = []
        ::Puppet::Util::Log.destinations[self] = ::Puppet::Util::Log.desttypes[:array].new(@logs)
        # Types and providers require files of modules, which an agent has in one directory.
        $LOAD_PATH.concat(MODULEPATH.flat_map { |path| Dir["#{path}/*/lib"] }.sort)
        # One for all programs: types and directories are read once.
        @environment = ::Puppet::Node::Environment.create(:production, MODULEPATH)
      end

      def answer(program)
        @logs.clear
        ::Puppet.clear_deprecation_warnings
        ::Puppet::Util::Warnings.clear_warnings
        ::Puppet.override(current_environment: @environment) { InstanceAnswer.new(self, program).data }
      end

      # What was logged for the last program.
      def logs
        @logs.map { |entry| [entry.level.to_s, entry.message.to_s] }
      end

      def compile(code)
        ::Puppet[:code] = code
        @environment.check_for_reparse
        # What other programs define is not there.
        @environment.loaders = nil
        loaders = ::Puppet::Pops::Loaders.new(@environment)
        facts = InstanceAnswer::FACTS
        node = ::Puppet::Node.new(InstanceAnswer::NODE, environment: @environment, facts: ::Puppet::Node::Facts.new(InstanceAnswer::NODE, facts))
        node.merge(facts)
        ::Puppet.override(loaders: loaders) { ::Puppet::Parser::Compiler.compile(node) }
      end

      # Yields as code of types is run.
      def active = yield

      # Yields the line of each resource, and what makes an instance of it.
      def each_resource(code)
        ral = compile("").to_ral
        catalog = compile(code)
        catalog.resources.each do |resource|
          copy = resource.copy_as_resource
          copy.catalog = ral
          yield resource.line, -> { copy.to_ral }
        end
      end
    end
  end
end
