# frozen_string_literal: true

require "timeout"
require_relative "../../puppetfn"

module Puppetfn
  module DropIn
    # Compiles the catalog of a node as Puppet's compiler does, and returns a catalog of Puppet's. Nothing is logged
    # before the catalog is there: where puppetfn cannot compile it, Puppet starts from the beginning.
    class CatalogCompiler
      # Puppet has to compile the catalog.
      class Declined < StandardError; end

      # The classes whose methods decide what a catalog is. Where one is not Puppet's own, Puppet compiles.
      DECIDING = %w[
        Puppet::Parser::Compiler Puppet::Parser::Scope Puppet::Parser::Resource Puppet::Pops::Evaluator::EvaluatorImpl
        Puppet::Pops::Evaluator::Runtime3Support Puppet::Resource::Catalog Puppet::Resource::Type
      ].freeze
      private_constant :DECIDING

      @taken = 0
      @declined = Hash.new(0)
      @counting = Mutex.new

      class << self
        # @param node [Puppet::Node]
        # @param code_id [String, nil]
        # @return [Puppet::Resource::Catalog, nil] nil if Puppet has to compile it
        def compile(node, code_id)
          attempt { new(node, code_id).compile }
        end

        # The data of the catalog, for a comparison: nothing is logged.
        #
        # @param node [Puppet::Node]
        # @return [Hash{String=>Object}, nil] nil if Puppet has to compile it
        def data(node)
          attempt { new(node, nil).data }
        end

        # @return [Hash{Symbol=>Object}] how many catalogs were compiled, and why others were not
        def counts
          @counting.synchronize { {taken: @taken, declined: @declined.dup} }
        end

        private

        def attempt
          result = yield
          @counting.synchronize { @taken += 1 }
          result
        rescue Declined => e
          decline(e.message)
        rescue Timeout::Error
          raise
        rescue StandardError => e
          # Puppet finds the error, too, and reports it in its own way; or it can do what puppetfn cannot.
          decline("an error: #{e.class}")
        end

        def decline(reason)
          @counting.synchronize { @declined[reason] += 1 }
          nil
        end
      end

      # @param node [Puppet::Node]
      # @param code_id [String, nil]
      def initialize(node, code_id)
        @node, @code_id = node, code_id
        @environment = node.environment
      end

      # @return [Puppet::Resource::Catalog]
      # @raise [Declined] if Puppet has to compile it
      # @raise [StandardError] if it cannot be compiled
      def compile
        catalog = CatalogBuilder.new(data, @node, @code_id).build
        @messages.each { |log| ::Puppet::Util::Log.create(level: log.level, source: log.source || "Puppet", message: log.message) }
        catalog
      end

      # @return [Hash{String=>Object}] the data of the catalog
      # @raise (see #compile)
      def data
        decline_what_is_known
        @node.sanitize
        runtime = new_runtime
        runtime.logs.level = ::Puppet::Util::Log.level
        runtime.logs.destinations << (@messages = [])
        catalog = runtime.compile_manifests(manifests, classes, log: false)
        without_virtual(catalog.to_data_hash(virtual: true), runtime)
      end

      private

      def decline_what_is_known
        decline("the setting tasks") if ::Puppet[:tasks]
        decline("the setting storeconfigs") if ::Puppet[:storeconfigs]
        decline("the setting data_binding_terminus") unless %w[none hiera].include?(::Puppet[:data_binding_terminus].to_s)
        decline("a version of the configuration") unless @environment.config_version.to_s.empty?
        decline("errors of the environment") unless @environment.validation_errors.empty?
        changed = changed_method
        decline("another method #{changed}") if changed
      end

      def decline(reason)
        raise Declined, reason
      end

      # A method that is not from Puppet's own files.
      def changed_method
        # Delegators are from Ruby's library.
        libraries = [File.dirname($LOADED_FEATURES.find { |file| file.end_with?("/puppet/pops.rb") }), RbConfig::CONFIG["rubylibdir"]]
        DECIDING.each do |name|
          klass = Object.const_get(name)
          klass.instance_methods(false).each do |method|
            file, = klass.instance_method(method).source_location
            return "#{name}##{method}" if file && !file.start_with?(*libraries)
          end
        end
        nil
      end

      def new_runtime
        facts = @node.facts&.values || {}
        Runtime.new(
          environment: Environment.new(directory, @environment.full_modulepath.map(&:to_s), name: @environment.name),
          facts: facts, variables: variables(facts), node: @node.name, trusted: @node.trusted_data || {},
          server_facts: @node.server_facts || {}, hiera_config: hiera_config,
          strict: ::Puppet[:strict], strict_variables: ::Puppet[:strict_variables]
        )
      end

      # Where an environment has a directory, its `hiera.yaml` counts.
      def directory
        configuration = @environment.configuration if @environment.respond_to?(:configuration)
        configuration.path_to_env if configuration.respond_to?(:path_to_env)
      end

      # What is exported stays: Puppet's compiler leaves it to others to take that out.
      def without_virtual(data, runtime)
        left_out = runtime.evaluator.overview.filter_map do |type, title, _file, virtual, exported|
          "#{type}[#{title}]" if virtual && !exported
        end
        return data if left_out.empty?

        left_out = left_out.to_h { |reference| [reference, true] }
        resources = data["resources"].reject { |resource| left_out.key?("#{resource["type"]}[#{resource["title"]}]") }
        edges = data["edges"].reject { |edge| left_out.key?(edge["source"]) || left_out.key?(edge["target"]) }
        data.merge("resources" => resources, "edges" => edges)
      end

      def hiera_config
        file = ::Puppet[:hiera_config]
        file if file && File.file?(file)
      end

      # The parameters of the node that are not its facts.
      def variables(facts)
        given = @node.parameters.reject { |name, value| name.to_s == "environment" || (facts.key?(name) && facts[name].equal?(value)) }
        given.to_h { |name, value| [name.to_s, value.is_a?(Symbol) ? value.to_s : value] }
      end

      def manifests
        code = ::Puppet[:code]
        return [[code, nil]] unless code == ""

        manifest = @environment.manifest
        return [] if manifest == ::Puppet::Node::Environment::NO_MANIFEST

        files = File.directory?(manifest) ? Dir.glob("**/*.pp", base: manifest).sort.map { |file| File.join(manifest, file) } : [manifest]
        files.select { |file| File.file?(file) }.map { |file| [File.read(file, encoding: Encoding::UTF_8), file] }
      end

      def classes
        given = @node.classes
        given.is_a?(Hash) ? given.map { |name, parameters| [name, parameters || {}] } : Array(given).map { |name| [name, {}] }
      end
    end

    # Makes a catalog of Puppet's from the data of one.
    class CatalogBuilder
      # @param data [Hash{String=>Object}] as {Catalog#to_data_hash} has it
      # @param node [Puppet::Node]
      # @param code_id [String, nil]
      def initialize(data, node, code_id)
        @data, @node, @code_id = data, node, code_id
      end

      # @return [Puppet::Resource::Catalog]
      def build
        environment = @node.environment
        # Whoever asks for a type of the environment has Puppet read its manifest first, which needs these.
        context = {current_environment: environment, loaders: ::Puppet::Pops::Loaders.new(environment)}
        ::Puppet.override(context, "For the catalog of #{@node.name}") do
          environment.known_resource_types
          catalog
        end
      end

      private

      def catalog
        catalog = ::Puppet::Resource::Catalog.new(@node.name, @node.environment, @code_id)
        catalog.version = @data["version"]
        catalog.client_version, catalog.server_version = @node.parameters.values_at("clientversion", "serverversion")
        catalog.tag(*@data["tags"])
        add_resources(catalog)
        catalog.add_class(*@data["classes"])
        catalog
      end

      def add_resources(catalog)
        made = @data["resources"].to_h { |resource| ["#{resource["type"]}[#{resource["title"]}]", resource(resource)] }
        made.each_value { |resource| catalog.add_resource(resource) }
        @data["edges"].each { |edge| catalog.add_edge(made.fetch(edge["source"]), made.fetch(edge["target"])) }
      end

      def resource(data)
        resource = ::Puppet::Resource.from_data_hash(data)
        resource.environment = @node.environment
        resource.virtual = true if resource.exported
        title = title(data)
        resource.instance_variable_set(:@title, title) unless title.is_a?(String)
        resource
      end

      # The name is left out where it is the title, unless that is no String: Puppet's own stage and class are called by
      # a Symbol, and numbers may be titles.
      def title(data)
        title = data["title"]
        return :main if title == "main" && %w[Class Stage].include?(data["type"])
        return title unless data.dig("parameters", "name") == title

        title.match?(/\A\d+\z/) ? Integer(title, 10) : title.to_sym
      end
    end

    # Before `Puppet::Parser::Compiler.compile`.
    #
    # @api private
    module Compiling
      def compile(node, code_id = nil)
        node.environment.check_for_reparse
        CatalogCompiler.compile(node, code_id) || super
      end
    end
  end
end
