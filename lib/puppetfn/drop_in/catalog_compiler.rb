# frozen_string_literal: true

require "English"
require_relative "../../puppetfn"
require_relative "catalogs/type_texts"
require_relative "catalogs/values"
require_relative "catalogs/frozen_errors"
require_relative "catalogs/stand_in"
require_relative "catalogs/singleton_guard"
require_relative "catalogs/declining"
require_relative "catalogs/lent_values"
require_relative "catalogs/lent_scope"
require_relative "catalogs/lent_parameters"
require_relative "catalogs/lent_resource"
require_relative "catalogs/effects"
require_relative "catalogs/strict_settings"
require_relative "catalogs/effect_guard"
require_relative "catalogs/functions"
require_relative "catalogs/export_search"
require_relative "catalogs/node_data"
require_relative "catalogs/definitions"
require_relative "catalogs/known_files"
require_relative "catalogs/catalog_runtime"
require_relative "catalogs/compilation"
require_relative "catalogs/messages"
require_relative "catalogs/builder"
require_relative "catalogs/deciding_methods"
require_relative "catalogs/templates"

module Puppetfn
  module DropIn
    # Compiles the catalog of a node as Puppet's compiler does, and returns a catalog of Puppet's. Nothing is logged
    # before the catalog is there: where puppetfn cannot compile it, Puppet starts from the beginning.
    class CatalogCompiler
      @taken = 0
      @declined = Hash.new(0)
      @counting = Mutex.new

      class << self
        # @param node [Puppet::Node]
        # @param code_id [String, nil]
        # @yieldparam started [StartedCompiler, nil] Puppet's compiler, if it has read the main manifest
        # @yieldreturn [Puppet::Resource::Catalog] the catalog that Puppet compiles, where puppetfn does not
        # @return [Puppet::Resource::Catalog]
        def compile(node, code_id)
          compiler = new(node, code_id)
          attempt_holding_messages(compiler) || yield(compiler.started)
        end

        # Compiles a catalog for a comparison: nothing that it logs is shown.
        #
        # @param node [Puppet::Node]
        # @return [Puppet::Resource::Catalog, nil] nil if Puppet has to compile it
        def try(node)
          messages = Catalogs::Messages.new
          attempt do
            messages.hold do
              compiler = new(node, nil)
              compiler.start
              compiler.compile
            end
          end
        ensure
          messages.drop
        end

        # @return [Hash{Symbol=>Object}] the number of compiled catalogs, and of declined ones by reason
        def counts
          @counting.synchronize { {taken: @taken, declined: @declined.dup} }
        end

        private

        def attempt_holding_messages(compiler)
          messages = Catalogs::Messages.new
          catalog = attempt do
            compiler.start
            messages.hold { compiler.compile }
          end
          messages.drop unless catalog
          catalog
        ensure
          # Also after a timeout or a signal, which ends the log.
          messages.send_all
        end

        def attempt
          result = yield
          @counting.synchronize { @taken += 1 }
          result
        rescue Catalogs::Declined => e
          declined(e.message)
        rescue StandardError, ScriptError, SystemStackError => e
          # Puppet finds the error, too, and reports it in its own way; or it succeeds where puppetfn cannot.
          declined("an error: #{e.class}")
        end

        def declined(reason)
          @counting.synchronize { @declined[reason] += 1 }
          nil
        end
      end

      # @return [StartedCompiler, nil]
      attr_reader :started

      # @param node [Puppet::Node]
      # @param code_id [String, nil]
      def initialize(node, code_id)
        @node, @code_id = node, code_id
        @environment = node.environment
      end

      # Has Puppet's compiler read the main manifest, unless it is known already that Puppet has to compile the catalog.
      #
      # @return [void]
      # @raise [Catalogs::Declined] if Puppet has to compile it
      def start
        decline_what_is_known
        @started = StartedCompiler.new(@node, @code_id)
        decline("an error while the main manifest was read: #{@started.error.class}") if @started.error
        decline("a main manifest that was read in part") unless known_files.read_whole?
        decline("a data_provider of the environment") if known_files.data_provider?
        # Its code runs in the scope of Puppet's own class of this name, before anything else.
        decline("a class named settings") if @environment.known_resource_types.hostclass("settings")&.code
      end

      # @return [Puppet::Resource::Catalog]
      # @raise [Catalogs::Declined] if Puppet has to compile it
      # @raise [StandardError] if it cannot be compiled
      def compile
        work { |compilation| Catalogs::Builder.new(compilation, @node, @code_id).build }
      end

      private

      # Compiles the catalog.
      #
      # @yieldparam compilation [Catalogs::Compilation]
      # @return [Object] the result of the block
      def work
        Catalogs::NodeData.freeze(@node)
        compilation = Catalogs::Compilation.new(@node) { |made| new_runtime(made) }
        result = compilation.work do
          evaluator = compilation.runtime.evaluator
          evaluator.watch_types
          evaluator.exports = nil if ::Puppet[:storeconfigs]
          Catalogs::FrozenErrors.watch(compilation) { compilation.runtime.compile_manifests(manifests, classes, log: false) }
          unsteady = evaluator.unsteady_type
          compilation.decline("the type #{unsteady}") if unsteady
          evaluator.classes.each { |name| compilation.runtime.expect_no_data_provider(name) } unless known_files.data_providers.empty?
          yield compilation
        end
        raise compilation.declined if compilation.declined

        result
      rescue StandardError, ScriptError, SystemStackError
        raise compilation&.declined || $ERROR_INFO
      end

      def decline_what_is_known
        setting = %i[tasks profile].find { |name| ::Puppet[name] }
        decline("the setting #{setting}") if setting
        # Puppet tells of each lookup then.
        decline("the log level debug") if ::Puppet::Util::Log.level == :debug
        decline("the setting data_binding_terminus") if other_data_binding?
        decline("errors of the environment") unless @environment.validation_errors.empty?
        problem = Catalogs::NodeData.problem(@node)
        decline(problem) if problem
        evaluator = ::Puppet::Pops::Parser::EvaluatingParser.singleton.evaluator
        decline("another evaluator") unless evaluator.instance_of?(::Puppet::Pops::Evaluator::EvaluatorImpl)
        changed = Catalogs::DecidingMethods.changed || Catalogs::KnownFiles.changed_method(Catalogs::DecidingMethods.puppet)
        decline("another method #{changed}") if changed
        mocked = [@node, @environment].find { |object| object.singleton_methods(false).any? }
        decline("methods of one object of the class #{mocked.class}") if mocked
      end

      # OpenVox 9 has only Hiera, and no setting.
      def other_data_binding?
        ::Puppet.settings.valid?(:data_binding_terminus) && !%w[none hiera].include?(::Puppet[:data_binding_terminus].to_s)
      end

      def decline(reason)
        raise Catalogs::Declined, reason
      end

      def new_runtime(compilation)
        facts = @node.facts&.values || {}
        all = variables_of?(facts)
        runtime = Catalogs::CatalogRuntime.new(compilation, known_files,
          environment: Environment.new(known_files.directory, @environment.full_modulepath.map(&:to_s), name: @environment.name),
          facts: all ? facts : {}, variables: variables(all ? facts : {}), node: @node.name, trusted: @node.trusted_data || {},
          server_facts: @node.server_facts || {}, hiera_config: hiera_config, settings: settings,
          strict: ::Puppet[:strict], strict_variables: ::Puppet[:strict_variables], target: Target.of_puppet)
        runtime.scope.set_facts(facts) unless all
        runtime
      end

      # Whether each fact is a variable, too. Some may have values of the node's own.
      def variables_of?(facts)
        facts.each_key.all? { |name| @node.parameters.key?(name) }
      end

      # Returns the values of Puppet's settings in the environment.
      def settings
        settings, environment = ::Puppet.settings, @environment.name
        values = {}
        settings.each_key { |name| values[name] = settings.value_sym(name, environment) unless name == :name }
        values
      end

      def hiera_config
        file = ::Puppet[:hiera_config]
        file if file && File.file?(file)
      end

      # Returns the parameters of the node that are not its facts.
      def variables(facts)
        given = @node.parameters.reject { |name, value| name.to_s == "environment" || (facts.key?(name) && facts[name].equal?(value)) }
        given.to_h { |name, value| [name.to_s, value.is_a?(Symbol) ? value.to_s : value] }
      end

      def manifests
        code = ::Puppet[:code]
        code == "" ? known_files.manifests : [[code, nil]]
      end

      def known_files
        @known_files ||= Catalogs::KnownFiles.of(@environment)
      end

      def classes
        given = @node.classes
        given.is_a?(Hash) ? given.map { |name, parameters| [name, parameters || {}] } : Array(given).map { |name| [name, {}] }
      end
    end

    # Puppet's compiler of a node, which reads the main manifest when it is made. Where Puppet then has to compile the catalog,
    # it goes on with this one, so that files are read, and messages logged, once.
    class StartedCompiler
      # The key of the compiler until Puppet creates one.
      CURRENT = :__puppetfn_started_compiler__
      private_constant :CURRENT

      class << self
        # @param node [Puppet::Node]
        # @return [Puppet::Parser::Compiler, nil] the one that was made for the node, once
        # @raise [StandardError] the error with which it was made
        def take(node)
          started = Thread.current[CURRENT]
          return unless started&.for?(node)

          Thread.current[CURRENT] = nil
          raise started.error if started.error

          started.compiler
        end
      end

      # @return [Puppet::Parser::Compiler, nil] nil if there was an error
      attr_reader :compiler

      # @return [StandardError, nil]
      attr_reader :error

      # @param node [Puppet::Node]
      # @param code_id [String, nil]
      def initialize(node, code_id)
        @node = node
        @compiler = ::Puppet::Parser::Compiler.new(node, code_id: code_id)
      rescue StandardError => e
        @error = e
      end

      # @return [Boolean] whether the compiler compiles a node
      def for?(node)
        @node.equal?(node)
      end

      # Has Puppet get the compiler where it makes one.
      #
      # @yieldreturn [Object]
      # @return [Object] the block's result
      def lend
        Thread.current[CURRENT] = self
        yield
      ensure
        Thread.current[CURRENT] = nil
      end
    end

    # Before `Puppet::Parser::Compiler.compile` and `new`.
    #
    # @api private
    module Compiling
      def compile(node, code_id = nil)
        return super unless equal?(::Puppet::Parser::Compiler)

        node.environment.check_for_reparse
        CatalogCompiler.compile(node, code_id) { |started| started ? started.lend { super } : super }
      end

      def new(node, *arguments, **options)
        (StartedCompiler.take(node) if equal?(::Puppet::Parser::Compiler)) || super
      end
    end
  end
end
