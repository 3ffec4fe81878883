# frozen_string_literal: true

require "set"

module Puppetfn
  # The resource types that a runtime knows: types in `lib/puppet/type` of the environment and of modules, and
  # Puppet's own.
  #
  # @api private
  class ResourceTypes
    # The directory of Puppet's own types.
    OWN = File.expand_path("../puppet_types", __dir__)
    DIRECTORY = "puppet/type"
    PROVIDERS = "puppet/provider"
    FEATURES = "puppet/feature"
    REPORTS = "puppet/reports"
    # A call that defines a provider in a file.
    PROVIDE_CALL = /\bprovide\b/
    # Directory of the files of `puppet generate types`, and their parameter declarations: name and whether it is a namevar.
    GENERATED = ".resource_types"
    GENERATED_PARAMETER = /Puppet::Resource::Param\(.*?,\s*'(\w+)'\s*(?:,\s*(true|false)\s*)?\)/m
    # Own types that releases have changed: the difference, and the file with the change.
    CHANGES = {package: [:package_environment, "package/openvox.rb"]}.freeze
    private_constant :CHANGES, :GENERATED, :GENERATED_PARAMETER, :OWN, :DIRECTORY, :PROVIDERS, :FEATURES, :REPORTS,
      :PROVIDE_CALL

    class << self
      # @param name [String, Symbol] of a type
      # @return [Boolean] whether Puppet has a type of the name
      def own?(name)
        own_names.include?(name.to_s)
      end

      # @return [Set<String>] the names of Puppet's own types
      def own_names
        @own_names ||= Dir.glob("*.rb", base: OWN).to_set { |file| file.delete_suffix(".rb") }
      end
    end

    # @param sandbox [Sandbox] evaluates the files
    def initialize(sandbox)
      @sandbox = sandbox
      @types = {}
      @names = SharedNames.new
      @providers_loaded = {}
    end

    # @param name [String, Symbol]
    # @return [Class<Puppet::Type>, nil]
    # @raise [Puppet::Error] when its file fails
    def type(name)
      @types.fetch(name) do
        name = name.to_s.downcase.intern
        return if name.name.include?(":")

        @types.fetch(name) { @sandbox.synchronize { load(name) } }
      end
    end

    # @yieldparam type [Class<Puppet::Type>] each that is loaded
    def each(&block)
      @types.each_value.to_a.compact.each(&block)
    end

    # Loads the type that a file of Puppet's is a part of.
    #
    # @param feature [String] such as `puppet/type/file/owner`
    # @return [Boolean, nil] nil when it is not one of Puppet's own types
    def require_own(feature)
      name = feature[%r{\A#{DIRECTORY}/(\w+)}o, 1]
      return unless name && ResourceTypes.own?(name)

      type(name)
      false
    end

    # @param name [String]
    # @return [Boolean] whether the type of this name was loaded
    def loaded?(name)
      !@types[name.to_sym].nil?
    end

    # Loads all types.
    def load_all
      (file_names(DIRECTORY) + ResourceTypes.own_names.to_a).uniq.each { |name| type(name) }
    end

    # Defines a type.
    #
    # @return [Class<Puppet::Type>]
    # @see Puppet::Type.newtype
    def define(name, options, &block)
      unless options.is_a?(Hash)
        Puppet.warning("Puppet::Type.newtype(#{name}) now expects a hash as the second argument, not #{options.inspect}")
        options = {}
      end
      @names.hold do
        type = Puppet::Type.genclass(name, parent: Puppet::Type, overwrite: true, hash: @types, attributes: options, &block)
        type.ensurable if type.ensurable? && !type.validproperty?(:ensure)
        type.providify if provider_files(type.name).any? { |path| loader.read_source(path).match?(PROVIDE_CALL) }
        type.define_singleton_method(:"new#{type.name}") { |*arguments| new(*arguments) }
        type
      end
    end

    # Forgets a type. Its file is loaded again when it is named.
    def forget(name)
      name = name.to_s.downcase.intern
      @names.hold { Puppet::Type.rmclass(name, hash: @types) }
      @sandbox.forget_file("#{DIRECTORY}/#{name}")
    end

    # Forgets which types were not found.
    def forget_misses
      @types.compact!
    end

    # Returns a constant of Puppet's that files of this runtime define.
    #
    # @param namespace [Module]
    # @param name [Symbol]
    # @return [Object, nil]
    def constant(namespace, name)
      @names.value(namespace, name)
    end

    # Loads one provider of a type.
    #
    # @param type [Symbol, String]
    # @param name [Symbol, String]
    def load_provider(type, name)
      require_file("#{PROVIDERS}/#{type}/#{name}")
    end

    # Is told of each provider that is defined.
    #
    # @param type [Class<Puppet::Type>]
    # @param provider [Class<Puppet::Provider>]
    # @return [void]
    def provided(type, provider); end

    # Loads the file of a module that defines the test of a feature.
    #
    # @param name [Symbol]
    # @return [Boolean, nil] nil when there is no such file
    def load_feature(name)
      require_file("#{FEATURES}/#{name}")
    end

    # Loads the file of a module that defines a processor of reports.
    #
    # @param name [Symbol]
    # @return [Boolean, nil] nil when there is no such file
    def load_report(name)
      require_file("#{REPORTS}/#{name}")
    end

    # Loads all providers of a type, once.
    def load_providers(type)
      return if @providers_loaded[type.name]

      @providers_loaded[type.name] = true
      file_names("#{PROVIDERS}/#{type.name}").each { |name| load_provider(type, name) }
    end

    # Loads all providers of the types that are loaded, as far as that succeeds.
    def load_all_providers
      each do |type|
        load_providers(type.name)
      rescue Puppet::Error
        next
      end
    end

    # Makes the constants that the files of this runtime defined in Puppet's namespaces available during a block.
    def hold(&block)
      @names.hold(&block)
    end

    private

    def loader
      @sandbox.loader
    end

    def load(name)
      found = require_file("#{DIRECTORY}/#{name}")
      found = load_own(name) if found.nil?
      found = load_generated(name) if found.nil?
      Puppet.warning("Loaded puppet/type/#{name} but no class was created") if found && !@types.key?(name)
      @types[name] ||= nil
    end

    # Loads a file of a module.
    #
    # @return [Boolean, nil] nil when there is no such file
    def require_file(feature)
      runtime = loader.runtime
      StandardLibrary.publish
      @names.hold { runtime.activate { @sandbox.require_of_modules(feature) } }
    rescue ScriptError, StandardError => e
      message = "Could not autoload #{feature}: #{e}"
      runtime.activate { Puppet.log_exception(e, message) }
      raise Puppet::Error, message, e.backtrace
    end

    # Loads one of Puppet's own types.
    def load_own(name)
      path = File.join(OWN, "#{name}.rb")
      return unless ResourceTypes.own?(name)

      runtime = loader.runtime
      @names.hold { runtime.activate { Kernel.load(path) } }
      difference, file = CHANGES[name]
      @names.hold { runtime.activate { Kernel.load(File.join(OWN, file)) } } if difference && runtime.target.has?(difference)
      true
    end

    # Loads a type from the file of `puppet generate types`, which names its parameters.
    def load_generated(name)
      directory = loader.environment&.directory or return
      path = File.join(directory, GENERATED, "#{name}.pp")
      return unless FileTest.file?(path)

      parameters = RegularFile.read(path).scan(GENERATED_PARAMETER)
      loader.runtime.activate do
        define(name, {}) do
          parameters.each { |parameter, is_key| newparam(parameter.to_sym, namevar: is_key == "true") { desc "" } }
        end
      end
      true
    end

    def provider_files(name)
      files("#{PROVIDERS}/#{name}") { |directory, file| File.join(directory, file) }
    end

    def file_names(directory)
      files(directory) { |_, file| file.delete_suffix(".rb") }.uniq
    end

    def files(directory)
      libraries_with(File.dirname(directory)).flat_map do |library|
        path = File.join(library, directory)
        FileTest.directory?(path) ? Dir.glob("*.rb", base: path).sort.map { |file| yield path, file } : []
      end
    end

    # Few modules have a directory. Specs stub File.
    def libraries_with(directory)
      @sandbox.libraries.select { |library| FileTest.directory?(File.join(library, directory)) }
    end
  end
end

Puppetfn::SharedNames.share(Puppetfn::Puppet, *%i[Util Type Parameter Property Provider].map { |name| Puppetfn::Puppet.const_get(name) })
