# frozen_string_literal: true

# Another Puppet than the installed one: the directory with its library.
$LOAD_PATH.unshift(ENV.fetch("PUPPET_LIB")) if ENV.key?("PUPPET_LIB")

require "puppet"
require "tmpdir"

module Differential
  module ProgramSide
    # Compiles programs with real Puppet.
    class Puppet
      def self.open
        Dir.mktmpdir("differential") do |directory|
          ::Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf"])
          ::Puppet[:disable_i18n] = true
          ::Puppet::Util::Log.close_all
          ::Puppet::Util::Log.level = :warning
          yield new
        end
      end

      def initialize
        @logs = []
        ::Puppet::Util::Log.destinations[self] = ::Puppet::Util::Log.desttypes[:array].new(@logs)
      end

      # What was logged for the last program.
      def logs
        @logs.map { |entry| [entry.level.to_s, entry.message.to_s] }
      end

      # The data of the program's catalog.
      def compile(program)
        forget
        program.settings.each { |name, value| ::Puppet[name.to_sym] = value.is_a?(String) ? value.to_sym : value }
        ::Puppet[:hiera_config] = program.hiera_config
        ::Puppet[:code] = program.file ? "" : program.code
        environment = ::Puppet::Node::Environment.create(:production, program.modulepath, program.file || ::Puppet::Node::Environment::NO_MANIFEST)
        ::Puppet.override(current_environment: environment, loaders: ::Puppet::Pops::Loaders.new(environment), rich_data: true) do
          ::Puppet::Parser::Compiler.compile(node(program, environment)).filter(&:virtual?).to_data_hash
        end
      end

      private

      # What is said once a process.
      def forget
        @logs.clear
        ::Puppet.clear_deprecation_warnings
        ::Puppet::Util::Warnings.clear_warnings
      end

      def node(program, environment)
        facts = ::Puppet::Node::Facts.new(program.node, program.facts)
        node = ::Puppet::Node.new(program.node, environment: environment, facts: facts)
        node.merge(program.facts)
        node.trusted_data = program.trusted
        node
      end
    end
  end
end
