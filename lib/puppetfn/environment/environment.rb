# frozen_string_literal: true

module Puppetfn
  # The environment that functions see: a name, and where modules are.
  class Environment
    # @return [Symbol]
    attr_reader :name

    # @return [Array<String>] the directories that hold modules, in order of preference
    attr_reader :modulepath
    alias full_modulepath modulepath

    # @return [String, nil]
    attr_reader :directory

    # @api private
    # @return [Hash{Symbol=>Object}] the settings that its `environment.conf` has
    attr_reader :settings

    # Returns the environment in a directory, with the modules that its `environment.conf` names.
    #
    # @api private
    # @param directory [String, nil]
    # @param modulepath [Array<String>] replaces the environment's modulepath, unless it is empty
    # @return [Environment]
    # @raise [Puppetfn::Error] when the `environment.conf` cannot be used
    def self.at(directory, modulepath)
      new(directory, directory.nil? || modulepath.any? ? modulepath : nil)
    end

    # Returns an environment that has no directory, as Puppet's programs make them.
    #
    # @param name [String, Symbol]
    # @param modulepath [Array<String>]
    # @return [Environment]
    def self.create(name, modulepath, _manifest = nil, _config_version = nil)
      new(nil, modulepath, name: name)
    end

    # @param directory [String, nil] the directory of the environment; its last part is the name
    # @param modulepath [Array<String>, nil] directories with modules; if nil, the modulepath of `environment.conf`
    # @param name [String, Symbol, nil] another name
    # @raise [Puppetfn::Error] when the `environment.conf` cannot be used
    def initialize(directory, modulepath = nil, name: nil)
      @directory = directory && File.expand_path(directory)
      @name = (name || (directory ? File.basename(@directory) : "production")).to_sym
      @own_modulepath = modulepath
      @settings = modulepath || directory.nil? ? {} : SettingsTable.of_environment(@directory, @name.to_s)
      modulepath ||= @settings.fetch(:modulepath, "").split(File::PATH_SEPARATOR).select { |path| FileTest.directory?(path) }
      @modulepath = modulepath.map { |path| File.expand_path(path) }.freeze
    end

    # Compiles the catalog of a node of the environment, as `puppetfn compile` does: with the main manifest, the classes of the
    # node classifier, and the facts and variables that a server gives.
    #
    # @example
    #   environment = Puppetfn::Environment.new("spec/control_repository", name: "production")
    #   catalog = environment.compile("web1.example.com", facts: "spec/control_repository/facts/web1.example.com.json",
    #                                 enc: "spec/control_repository/scripts/classifier.sh")
    #   catalog.resource("Class[ntp]").to_s  # => "Class[Ntp]"
    #
    # @param node [String] the name of the node
    # @param facts [Hash, String, nil] the facts by name, or the file that has them in a format in which facts are exported
    # @param options [Hash{Symbol => Object}] options of `puppetfn compile`: `enc`, `classes`, `manifest`, `hiera_config`, `trusted`,
    #   `strict`, `server_fact`, `setting`, `limit` and so on
    # @return [Catalog] its runtime has the log: `catalog.runtime.logs`
    # @raise [ArgumentError] when an option is wrong, or the facts cannot be read
    # @raise [Puppet::Error] when the compilation fails; it knows the node, and the place if there is one
    def compile(node, facts: {}, **options)
      given = {environment: @directory, environment_name: name.to_s, modulepath: @own_modulepath, **options}
      facts = facts.to_path if facts.respond_to?(:to_path)
      require "json"
      Nodes.compile_node(JSON.generate(Configuration.of(given)), node.to_s, facts).compiler.catalog
    end

    # @return [Array<Puppet::Module>] the modules on the modulepath
    def modules
      @modulepath
        .flat_map { |path| Dir.children(path).sort.map { |name| [name, path] } if FileTest.directory?(path) }
        .compact.uniq(&:first)
        .filter_map { |name, _| self.module(name) }
    end

    # @param name [String]
    # @return [Puppet::Module, nil]
    def module(name)
      return unless name.match?(Puppet::Module::NAME)

      directory = @modulepath.map { |path| File.join(path, name) }.find { |path| FileTest.directory?(path) }
      directory && Puppet::Module.new(name, directory, self)
    end

    # Returns the `lib` directories of the environment and of its modules, in which functions find the files that they
    # require.
    #
    # @api private
    # @return [Array<String>]
    def libraries
      [@directory, *modules.map(&:path)].compact
        .map { |root| File.join(root, "lib") }
        .select { |path| FileTest.directory?(path) }
    end

    # @yieldparam path [String] the `lib` directory of a module
    def each_plugin_directory
      modules.each { |mod| yield mod.plugin_directory if FileTest.directory?(mod.plugin_directory) }
    end

    # @return [Puppet::Resource::TypeCollection] classes and defined types of the runtime at work
    def known_resource_types
      Runtime.current!("known_resource_types").known_resource_types
    end

    # @return [Hash{String=>Array<Puppet::Module>}] the modules of each directory on the modulepath
    def modules_by_path
      @modulepath.to_h { |path| [path, modules.select { |found| File.dirname(found.path) == path }] }
    end

    # @return [String, nil] the main manifest, or the directory that has it
    def manifest
      @directory && File.join(@directory, "manifests")
    end

    # @return [String]
    def to_s
      name.to_s
    end

    # @return [Symbol]
    def to_sym
      name
    end

    # @return [String]
    def inspect
      "#<#{self.class} #{name}>"
    end
  end
end
