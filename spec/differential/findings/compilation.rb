# frozen_string_literal: true

# Another Puppet than the installed one: the directory with its library.
$LOAD_PATH.unshift(ENV.fetch("PUPPET_LIB")) if ENV.key?("PUPPET_LIB")

require "puppet"
require "tmpdir"
require_relative "observation"
require_relative "path"

module Differential
  module Findings
    # Compiles with real Puppet, observed.
    module Compilation
      # Keeps the trees of files.
      module Remembered
        def parse_file(file)
          (@parsed ||= {})[file] ||= super
        end
      end

      class << self
        # Starts Puppet, with the settings that Puppet 8 has by default.
        def boot
          Dir.mktmpdir("findings") do |directory|
            ::Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf"])
            ::Puppet[:disable_i18n] = true
            ::Puppet[:strict] = :error
            ::Puppet[:strict_variables] = true
            ::Puppet::Util::Log.close_all
            attach
            yield
          end
        end

        # @return [Puppet::Pops::Model::Program]
        # @raise [Puppet::ParseError] if Puppet refuses the text
        def tree(file)
          parsers[file.end_with?(".epp") ? 1 : 0].parse_file(file)
        end

        # Compiles a catalog.
        # @param observation [Observation]
        # @param environment [Puppet::Node::Environment]
        # @param node [Puppet::Node]
        # @yieldparam compiler [Puppet::Parser::Compiler] before anything is compiled
        # @return [Puppet::Resource::Catalog, nil] nil if it failed; that is noted
        def compile(observation, environment, node)
          ::Puppet.override(current_environment: environment, rich_data: true) do
            observation.observe do
              observation.go_on do
                compiler = ::Puppet::Parser::Compiler.new(node)
                yield compiler if block_given?
                compiler.compile
              end.tap { |catalog| make_instances(catalog, observation) if catalog && observation.lenient? }
            end
          end
        end

        # @return [Puppet::Node]
        def node(environment, facts, name: "node.example.com", variables: {})
          node = ::Puppet::Node.new(name, environment: environment, parameters: facts.merge(variables),
            facts: ::Puppet::Node::Facts.new(name, facts))
          node.trusted_data = {"authenticated" => "local", "certname" => name, "extensions" => {}, "hostname" => name, "domain" => nil}
          node.add_server_facts("serverversion" => ::Puppet.version, "servername" => name)
          node
        end

        private

        # Values are only looked at when resources become instances.
        def make_instances(catalog, observation)
          catalog.resources.grep(::Puppet::Parser::Resource).each do |resource|
            next unless resource.builtin_type? && observation.file?(resource.file)

            observation.go_on(resource) { ::Puppet::Resource.new(resource.type, resource.title, parameters: resource.to_hash).to_ral }
          end
        end

        def attach
          ::Puppet::Pops::Evaluator::EvaluatorImpl.prepend(ObservedEvaluator)
          ::Puppet::Parser::Resource.prepend(ObservedResource)
          ::Puppet::Parser::Relationship.prepend(ObservedRelationship)
          ::Puppet::Parser::Compiler::CatalogValidator::RelationshipValidator.prepend(ObservedReferences)
          parsers.each { |parser| parser.singleton_class.prepend(Remembered) }
        end

        def parsers
          @parsers ||= [::Puppet::Pops::Parser::EvaluatingParser.singleton, ::Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.new]
        end
      end
    end
  end
end
