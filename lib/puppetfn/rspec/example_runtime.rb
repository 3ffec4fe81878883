# frozen_string_literal: true

require "etc"

module Puppetfn
  module RSpec
    # The top scope of one example.
    #
    # @api private
    class ExampleScope < Scope
      # Many examples are of the same node, and have the same settings.
      @known = Recent.new(16)

      class << self
        # @return [Recent] the initial variables of the scopes of the last examples
        attr_reader :known
      end

      private

      # The facts of equal nodes are the same object.
      def variables_of_node(facts, trusted, server_facts)
        inputs = [facts.object_id, trusted, server_facts, runtime.environment, runtime.settings.assigned]
        # The top scope belongs to no module, which its variables show.
        ExampleScope.known.fetch(inputs) { super.tap { |variables| variables.set("module_name", "") } }.copy
      end

      # rspec-puppet does not make texts of facts that are undef.
      def fact_variables(facts)
        Facts.variables(facts, missing: nil)
      end
    end

    # The runtime of one example.
    #
    # It is at work while the example and its hooks run, so that these can set `Puppet[:name]` and the like.
    # The example is asked for its node when a function or the scope is first needed: hooks may change the node.
    #
    # @api private
    class ExampleRuntime < Runtime
      # Settings of Puppet's that have a value in every example.
      SETTINGS = %i[environmentpath hiera_config strict_variables confdir basemodulepath vendormoduledir].freeze
      # The name of the machine, which nodes have that have no other.
      HOST = Etc.uname[:nodename].downcase.freeze
      private_constant :SETTINGS, :HOST

      # @param example [Object] the example, as an instance of its group
      # @return [ExampleRuntime]
      def self.for(example)
        clean_up
        environment = Settings.given?(example, :environment) ? example.environment.to_s : "production"
        runtime = new(environment_of(Settings.modulepath(example), environment))
        runtime.assign(SETTINGS.to_h { |name| [name, Settings.of(example, name)] })
        runtime.settings.take(between_examples.settings)
        runtime.example_with_data = example if Settings.given?(example, :puppetdb_data)
        runtime.log_as(between_examples.logs)
      end

      # @param modulepath [Array<String>]
      # @param name [String]
      # @return [Environment] the same for all examples with these
      def self.environment_of(modulepath, name)
        modulepath = modulepath.map { |path| File.absolute_path?(path) ? path : File.expand_path(path) }
        (@environments ||= {})[[modulepath, name]] ||= Environment.new(nil, modulepath, name: name)
      end
      private_class_method :environment_of

      # Removes the files that functions of the last example have kept. While it runs, it may have mocked their removal.
      #
      # @return [void]
      def self.clean_up
        return unless File.exist?(vardir)

        require "fileutils"
        FileUtils.rm_rf(vardir)
        @vardirs.clear
      end

      # @return [String] where functions of the example keep something, if they do; each process has its own
      def self.vardir
        (@vardirs ||= {})[Process.pid] ||=
          File.join(ENV.fetch("TMPDIR", Etc.systmpdir), "puppetfn-vardir-#{Process.pid}-#{Random.new_seed.to_s(36)}")
      end

      # Returns the settings that examples of an environment begin with.
      #
      # @param environment [Environment]
      # @yieldreturn [Settings] the settings that all runtimes begin with
      # @return [Settings] to be copied
      def self.first_settings(environment)
        (@first_settings ||= {})[[environment, vardir]] ||= yield.tap do |settings|
          settings.add(PuppetSettings.of(vardir, HOST))
          # Puppet's own settings do not change with the environment of the example.
          settings.add(environment: "production")
          settings[:code] = ""
        end
      end

      # Returns the settings of examples of an environment that assign some of them.
      #
      # @param environment [Environment]
      # @param values [Hash{Symbol=>Object}] the assigned ones
      # @yieldreturn [Settings]
      # @return [Settings] to be copied
      def self.settings_with(environment, values, &)
        (@settings_with ||= Recent.new(16)).fetch([environment.object_id, vardir, values], &)
      end

      # Returns the runtime for code outside examples: spec helpers, and hooks of groups.
      #
      # @return [ExampleRuntime]
      def self.between_examples
        @between_examples ||= new(Environment.new(nil, [])).tap(&:loader)
      end

      # @param environment [Environment]
      def initialize(environment)
        # Ruby of modules and of specs runs programs anyway.
        super(environment: environment, allow: [:exec], secrets: !self.class.hides_secrets)
        @mocks = []
      end

      # @return [Object] the example whose `puppetdb_data` answers queries to PuppetDB; it is called when the node is known
      attr_writer :example_with_data

      # Assigns settings that many examples have in common.
      #
      # @param values [Hash{Symbol=>Object}]
      # @return [void]
      def assign(values)
        @settings = self.class.settings_with(environment, values) { @settings.tap { |own| values.each { |name, value| own[name] = value } } }.dup
      end

      # @return [Puppetfn::Coverage, nil] the coverage of the run
      def coverage
        CodeCoverage.recorder
      end

      # @return [Loader]
      def loader
        @loader ||= twin_loader(nil)
      end

      # @return [Scope] without facts, as long as the runtime has no node
      def scope
        @scope ||= Scope.new(self)
      end

      # All examples share the files that functions require: specs use these helpers, too, and mock them. Files are read
      # once a run.
      #
      # @return [EvaluatedFiles]
      def evaluated_files
        @files_of_run ||= begin
          self.class.publish(environment) unless equal?(self.class.between_examples)
          equal?(self.class.between_examples) ? super.tap(&:settle) : self.class.between_examples.evaluated_files
        end
      end

      # Their names, too, are read once.
      #
      # @return [Hash{String=>String}]
      def legacy_function_files
        files = (self.class.legacy_function_files ||= {})
        files[environment.modulepath] ||= super
      end

      # @return [Loader]
      def definition_loader(module_name)
        loader.for_module(module_name)
      end

      # Makes the libraries of modules available to `require`, until the end of the example.
      #
      # @param environment [Environment]
      # @return [void]
      def self.publish(environment)
        missing = libraries(environment) - $LOAD_PATH
        $LOAD_PATH.concat(missing) unless missing.empty?
      end

      # @param environment [Environment]
      # @return [Array<String>] the `lib` directories of its modules, which are listed once
      def self.libraries(environment)
        (@libraries ||= {})[environment.modulepath] ||= environment.libraries
      end

      # Returns the template of the loaders of examples, as long as they have the same modules.
      #
      # @param modulepath [Array<String>]
      # @yieldreturn [Loader]
      # @return [Loader]
      def self.loader_template(modulepath)
        @loader_template = nil unless @template_modulepath == modulepath
        @template_modulepath = modulepath
        @loader_template ||= yield
      end

      # @param environment [Environment]
      # @return [ExampleTypes] the types in the modules of the environment
      def self.types(environment)
        @types ||= {}
        @types[environment.modulepath] ||= ExampleTypes::Files.new(environment).resource_types
      end

      # @return [ExampleTypes] the types in the default modulepath of examples
      def self.types_of_fixtures
        # The module itself is one of them, as its `lib` is on RSpec's load path.
        @linked ||= ::RSpec.configuration.setup_fixtures ? Fixtures.new.link || true : true
        types(environment_of(Settings.modulepath(nil), "production"))
      end

      class << self
        # @return [Hash{Array<String>=>Hash}, nil] the files of functions of the 3.x API, by modulepath
        attr_accessor :legacy_function_files

        # @return [Boolean, nil] whether placeholders stand for encrypted data
        attr_accessor :hides_secrets
      end

      # @return [Hash{Array<String>=>Hash}] outlines of types, by modulepath and name
      def self.outlines
        @outlines ||= {}
      end

      # Logs at the level and to the destinations of other logs.
      #
      # @param other [Logs]
      # @return [self]
      def log_as(other)
        logs.level = other.level
        logs.destinations.concat(other.destinations)
        self
      end

      # Sets the node of the runtime, and evaluates the code for it.
      #
      # @param node [Node]
      # @param manifests [Array<String>] files in the Puppet language
      # @param code [String, nil] code that comes after them
      # @return [self]
      def prepare(node, manifests, code)
        take(node)
        manifests.each { |file| evaluate_file(file) }
        evaluate_string(code) unless code.nil? || code.empty?
        activate { evaluator.complete_catalog } if evaluated?
        self
      end

      # Compiles the catalog of a node.
      #
      # @param node [Node]
      # @param code [String] the main manifest
      # @param others [Exports, nil] the resources that other nodes export, if collectors find any
      # @return [self]
      # @raise [Puppet::Error] when that fails
      def compile_for(node, code, others = nil)
        exports = others&.resources
        settings[:storeconfigs] = true if exports
        take(node, of_server: true)
        self.exports = exports if exports
        compile(code)
        self
      end

      # @return [ExampleRuntime] one like it for another node of the example
      def for_another_node
        ExampleRuntime.new(environment).tap do |runtime|
          runtime.assign(SETTINGS.to_h { |name| [name, settings[name]] })
          runtime.settings.take(settings)
          runtime.log_as(logs)
          @mocks.each { |mock| runtime.mock(mock) }
        end
      end

      # Replaces all functions of the same name by a mock.
      #
      # @param mock [FunctionMock]
      # @return [void]
      def mock(mock)
        @mocks << mock
        put_in_place(mock) if @prepared
      end

      # Evaluates code that comes last, once.
      #
      # @param code [String, nil]
      # @return [void]
      def finish(code)
        return if code.nil? || @finished

        @finished = true
        evaluate_string(code)
      end

      # Makes this the runtime at work from now on.
      #
      # @return [void]
      def enter
        Thread.current[CURRENT] = self
        @load_path = $LOAD_PATH.dup
        Consts.restore_consts
      end

      # Makes this the runtime at work in an example that has a node.
      #
      # @param example [Object]
      # @return [void]
      def enter_node(example)
        enter
        @of_node = true
        self.class.publish(environment)
        platform = Platform.of_example(example)
        Consts.stub_consts_for(platform) if platform
      end

      # Sets the platform by the facts, if they state it.
      #
      # @return [void]
      def pretend
        platform = Platform.of(@facts)
        Consts.stub_consts_for(platform) if platform
      end

      # Ends the example.
      #
      # @return [void]
      def leave
        FunctionCoverage.called_by_code(called_by_code) if FunctionCoverage.active? && evaluated?
        # Puppet's TestHelper does this: facts of modules are only there in examples that have a node.
        restore_load_path unless $LOAD_PATH == @load_path
        Puppet.runtime.clear
        ExampleRuntime.between_examples.enter
        Facter.leave_node
      end

      # The resource types are evaluated once for each modulepath. Code outside of examples sees the types of the default
      # modulepath, as it does in Puppet, whose autoloader looks into `$LOAD_PATH`.
      #
      # @return [ExampleTypes]
      def resource_types
        return self.class.types_of_fixtures if equal?(self.class.between_examples)

        @resource_types ||= self.class.types(environment)
      end

      # Specs with a node are about other systems than this machine.
      #
      # @return [Boolean]
      def suits_providers?
        !@of_node.nil?
      end

      # Types stay loaded, so that a defined type of their name, as `pre_condition` has it, is no second definition.
      #
      # @param name [String]
      # @return [Boolean]
      def type_loaded?(name)
        resource_types.loaded?(name)
      end

      # Returns the outline of a type: files are looked at once.
      #
      # @return [Array, nil]
      def type_outline(name)
        @outlines ||= self.class.outlines[environment.modulepath] ||= {}
        @outlines.fetch(name) { @outlines[name] = resource_type(name)&.outline }
      end

      private

      # Gems stay: they are not put on the load path again.
      def restore_load_path
        added = $LOAD_PATH - @load_path - self.class.libraries(environment)
        gems = added.empty? ? [] : added & Gem.loaded_specs.each_value.flat_map(&:full_require_paths)
        $LOAD_PATH.replace(@load_path + gems)
      end

      # Makes a node the one that code is evaluated for.
      def take(node, of_server: false)
        @node = node.name
        @prepared = true
        start_again
        @facts = facts = node.facts
        Facter.facts = facts
        pretend
        server_facts = of_server ? node.server_facts : {}
        @scope = ExampleScope.new(self, facts: facts, variables: server_facts.merge(node.variables), trusted: node.trusted,
          server_facts: server_facts)
        @mocks.each { |mock| put_in_place(mock) }
        self.puppetdb = @example_with_data.puppetdb_data if @example_with_data
      end

      # Until now only hooks have looked anything up: their settings may change the places of lookups.
      def start_again
        hiera_config = settings[:hiera_config]
        hiera_config = nil if hiera_config == Settings::NOWHERE
        @loader = twin_loader(hiera_config) unless @loader&.unused? && @hiera_configs == hiera_configs(hiera_config)
        @compiler = Compiler.new(self)
        @evaluator = nil
      end

      def put_in_place(mock)
        define_function(mock.name) do
          dispatch :answer do
            repeated_param "Any", :args
            optional_block_param
          end
          define_method(:answer) { |*args, &block| mock.call(args, &block) }
        end
        return if mock.name.include?("::")

        # Functions of the 3.x API are also methods of the scope.
        legacy_functions.replace(mock.name.to_sym, type: :rvalue) { |args| mock.call(args) }
      end

      # Examples share the caches of files and types of their modules.
      def twin_loader(hiera_config)
        template = self.class.loader_template(environment.modulepath) { first_loader }
        @hiera_configs = hiera_configs(hiera_config)
        template.twin(environment.name.to_s, *@hiera_configs).join_runtime(self)
      end

      def first_loader
        Loader.for(environment, secrets: !self.class.hides_secrets).tap { |loader| make_ready(loader) }
      end

      # Nobody looks at messages from before a catalog, and without a module most examples fail.
      def make_ready(loader)
        loader.spare_init
        loader.complaints.each { |message| warn("puppetfn: #{message}") }
      end

      # Returns the configuration of the global layer of data, and configurations of modules that are outside of the modules.
      def hiera_configs(global)
        [global && File.expand_path(global), Settings.module_hiera_configs(environment)]
      end

      def make_settings(**)
        self.class.first_settings(environment) { super }.dup
      end

      # The loader and the scope are created on first use: examples of types and providers need neither, and most others have a node before.
      def make_loader(**) = nil

      def make_scope(**) = nil

      # Code looks for a function when it calls it; examples and functions in Ruby also look functions up, to call them.
      def called_by_code
        evaluator.loaded_functions.reject { |name| loader.known_function?(name) }
      end
    end
  end
end
