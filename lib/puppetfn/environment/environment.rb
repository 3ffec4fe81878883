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
    # @param modulepath [Array<String>] other modules, if there are any
    # @return [Environment]
    # @raise [Puppetfn::Error] when the `environment.conf` cannot be used
    def self.at(directory, modulepath)
      return new(directory, modulepath) if directory.nil? || modulepath.any?

      settings = SettingsTable.of_environment(File.expand_path(directory), File.basename(directory))
      new(directory, settings.fetch(:modulepath).split(File::PATH_SEPARATOR).select { |path| File.directory?(path) }, settings: settings)
    end

    # @param directory [String, nil] the directory of the environment; its last part is the name
    # @param modulepath [Array<String>]
    # @param name [String, Symbol, nil] another name
    # @param settings [Hash{Symbol=>Object}] settings of its `environment.conf`
    def initialize(directory, modulepath, name: nil, settings: {})
      @directory = directory && File.expand_path(directory)
      @name = (name || (directory ? File.basename(directory) : "production")).to_sym
      @modulepath = modulepath.map { |path| File.expand_path(path) }.freeze
      @settings = settings
    end

    # @return [Array<Puppet::Module>] the modules on the modulepath
    def modules
      @modulepath
        .flat_map { |path| Dir.children(path).sort.map { |name| [name, path] } if File.directory?(path) }
        .compact.uniq(&:first)
        .filter_map { |name, _| self.module(name) }
    end

    # @param name [String]
    # @return [Puppet::Module, nil]
    def module(name)
      return unless name.match?(Puppet::Module::NAME)

      directory = @modulepath.map { |path| File.join(path, name) }.find { |path| File.directory?(path) }
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
        .select { |path| File.directory?(path) }
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
