# frozen_string_literal: true

module Puppetfn
  # The namespace in which the Ruby files of an environment are evaluated: files of functions, and the helper files below
  # `lib` of the environment and of modules that these require.
  #
  # Definitions of a file, such as `PuppetX::Helper`, are constants in here, and so two environments can have different
  # versions of them. Files find the constants because this module is the namespace around all of them; and one another
  # because `require` is refined in them, even where they call it later. In here `Puppet` is ours, even where real Puppet
  # is loaded.
  #
  # @api private
  class Sandbox < Module
    # Held while constants get their names, which involves the whole process.
    NAMING = Monitor.new

    # Only blanks may precede `class` and `module`.
    OPENED = /^[ \t]*(?:class|module)[ \t]+([A-Z]\w*)/
    REST = /^__END__$.*/m

    # Calls of a file that require others, or are refined.
    REFINED = /\b(?:require|require_relative|load|autoload)\b|\.exists\?/

    # Makes bindings that see the constants of a sandbox.
    OPEN = "def self.plain_binding(loader_injected_arg) = binding"

    # Has a sandbox make bindings that also see its refinements. It is a block, for Ruby permits no
    # refinement to be used within a method; and it is only done for files that need it, for Ruby then looks
    # at all objects.
    OPEN_REFINED = lambda do |sandbox|
      sandbox.module_eval(<<~RUBY, __FILE__, __LINE__ + 1)
        using REFINEMENT                                         # using REFINEMENT
        def self.refined_binding(loader_injected_arg) = binding  # def self.refined_binding(loader_injected_arg) = binding
      RUBY
    end
    # The local variable of a thread that has the sandbox whose file it evaluates.
    EVALUATING = :__puppetfn_evaluating_sandbox__
    private_constant :EVALUATING, :NAMING, :OPENED, :REST, :REFINED, :OPEN, :OPEN_REFINED

    # Looks for constants named from the top level, `::PuppetX`, in the sandbox that evaluates a file, and in
    # the sandbox of the runtime at work: types can have one of their own.
    module TopLevel
      # @param name [Symbol]
      # @return [Object]
      def const_missing(name)
        unless equal?(Object)
          # The code of a class within a shared namespace refers to constants of that namespace.
          found = SharedNames.around(self, name) unless Puppetfn.autoload?(:SharedNames)
          return found.nil? ? super : found
        end

        sandbox = [Thread.current[EVALUATING], Runtime.current&.sandbox].find { |one| one&.const_defined?(name, false) }
        sandbox ? sandbox.const_get(name, false) : super
      end
    end
    private_constant :TopLevel

    # Constants that Puppet's providers of packages define in their blocks, and so at the top level, where providers of modules
    # find them.
    LEAKED_CONSTANTS = {
      DebianVersion: -> { Puppet::Util::Package::Version::Debian }, GEM_VERSION: -> { Puppet::Util::Package::Version::Gem },
      **%i[VersionRange GEM_VERSION_RANGE RPM_VERSION_RANGE PIP_VERSION_RANGE].to_h { |name| [name, -> { Puppet::Util::Package::Version::Range }] }
    }.freeze
    private_constant :LEAKED_CONSTANTS

    # @param environment [Environment]
    # @param ruby [Boolean] whether files may be evaluated at all
    def initialize(environment, ruby: true)
      super()
      @ruby = ruby
      @environment = environment
      @lock = Monitor.new
      # The loader of the runtime that was last at work with it, for threads that functions start. Not kept by this:
      # objects of classes that files define lead here.
      @loaders = ObjectSpace::WeakMap.new
      # The files that were required, with their states; nil while they load.
      @features = {}
      # The file that a feature is, nil where it is the host's.
      @resolved = {}
      const_set(:Puppet, Puppet)
      const_set(:SemanticPuppet, SemanticPuppet)
      # A spec or a program that has Facter means that one.
      const_set(:Facter, Object.const_defined?(:Facter) ? ::Facter : Facter)
      module_eval(OPEN, __FILE__, __LINE__)
      Object.singleton_class.prepend(TopLevel)
    end

    # Evaluates a file of a function, or of a type.
    #
    # @param source [String] the content of the file
    # @param path [String]
    # @param loader [Loader] the value of `loader_injected_arg` in the file
    # @return [Object] the value of its last expression
    # @raise [RefusedError] when no files may be evaluated
    def evaluate(source, path, loader)
      raise RefusedError.ruby(path) unless @ruby

      synchronize do
        adopt_constants(source)
        outer = Thread.current[EVALUATING]
        Thread.current[EVALUATING] = self
        Snapshot.for_all { fresh_binding(source, loader).eval(source.sub(REST, ""), path, 1) }
      ensure
        Thread.current[EVALUATING] = outer
        name_constants
      end
    end

    # Loads a file that is not the host's, unless that was done.
    #
    # @param feature [String] as `require` takes it
    # @return [Boolean, nil] whether it was loaded now; nil when there is no such file
    def require_file(feature)
      return false if feature == "facter" && const_defined?(:Facter, false)

      loaded = require_of_modules(feature)
      loaded.nil? && feature.is_a?(String) && feature.start_with?("puppet/") ? require_of_puppet(feature) : loaded
    end

    # Loads the stand-in for a file of Puppet's. The file of an installed Puppet must not be loaded: it would need all
    # of Puppet.
    #
    # @param feature [String] as `require` takes it
    # @return [false, nil] nil if it has no stand-in
    # @raise [LoadError] when it is a file of an installed Puppet
    def require_of_puppet(feature)
      loaded = resource_types.require_own(feature)
      return loaded if !loaded.nil? || Puppetfn.beside_puppet? || $LOADED_FEATURES.include?(with_extension(feature))
      return false if Compat::OTHERS.match?(feature)

      raise LoadError, "cannot load such file -- #{feature}" if Compat.of_installed_puppet?(feature)
    end

    # Loads a file of the environment or of a module, unless that was done.
    #
    # @param feature [String] as `require` takes it
    # @return [Boolean, nil] as for {#require_file}
    def require_of_modules(feature)
      path = @resolved.fetch(feature) { resolve(feature) }
      path && load_once(path)
    end

    # Loads a file that is named relative to another one, unless that was done.
    #
    # @param feature [String] as `require_relative` takes it
    # @param location [Thread::Backtrace::Location] the place of the call
    # @return [Boolean, nil] as for {#require_file}
    def require_beside(feature, location)
      path = File.expand_path(with_extension(feature), File.dirname(location.absolute_path || location.path))
      load_once(path) if file?(path)
    end

    # Loads a file that is not the host's, again if it was loaded.
    #
    # @param file [String] as `load` takes it
    # @return [true, nil] nil when there is no such file
    def load_file(file)
      path = find(file) or return
      synchronize { run(path) }
      true
    end

    # Keeps other threads from evaluating files while a block does.
    def synchronize(&block)
      @lock.synchronize(&block)
    end

    # @return [Array<String>] the required files that have changed since
    def changed_files
      @features.select { |_, state| state&.changed? }.keys
    end

    # Returns the resource types that files define.
    #
    # @return [ResourceTypes]
    def resource_types
      @resource_types || synchronize { @resource_types ||= ResourceTypes.new(self) }
    end

    # Forgets that a file of a module was loaded, so that it is loaded again.
    #
    # @param feature [String] as `require` takes it
    def forget_file(feature)
      @features.delete(@resolved[feature])
    end

    # Forgets failed lookups, so that files are looked for again.
    def forget_misses
      @libraries = @real_libraries = nil
      @resource_types&.forget_misses
    end

    # @return [Array<String>] directories of the files that `require` finds
    def libraries
      @libraries ||= @environment.libraries
    end

    # Notes that a runtime uses the files.
    #
    # @param loader [Loader] of the runtime
    def used_by(loader)
      @loaders[self] = loader
    end

    # @return [Loader] the loader of the runtime at work
    # @raise [Error] when the runtime is gone
    def loader
      Runtime.current&.loader || @loaders[self] or raise OperationError, "the runtime is gone whose files these are"
    end

    # Constants of the top level that no file has defined are resolved as at the top level. Files of types use constants
    # that files of their providers define.
    def const_missing(name)
      @resource_types&.load_all_providers
      return const_get(name, false) if const_defined?(name, false)

      leaked = LEAKED_CONSTANTS[name] if @resource_types
      leaked ? leaked.call : Object.const_missing(name)
    end

    # @return [String]
    def inspect
      "#<#{self.class} of #{@environment.inspect}>"
    end

    private

    # Methods that a file defines at its top level can be called there, as in a file that Ruby loads.
    def method_missing(name, ...)
      method_defined?(name, false) ? instance_method(name).bind_call(self, ...) : super
    end

    def respond_to_missing?(name, include_private = false)
      method_defined?(name, false) || super
    end

    # Returns a binding for one file, with its loader where {Puppet::Functions.create_function} looks for it. Being a
    # local variable it needs no care about threads, or about a file that loads another.
    def fresh_binding(source, loader)
      return plain_binding(loader) unless source.match?(REFINED)

      unless const_defined?(:REFINEMENT, false)
        const_set(:REFINEMENT, refinement)
        private_constant :REFINEMENT
        OPEN_REFINED.call(self)
      end
      refined_binding(loader)
    end

    # Finds a feature, and memoizes its path.
    def resolve(feature)
      path = find(feature)
      StandardLibrary.load_whole(feature) if path.nil? && feature.is_a?(String)
      @resolved[feature.dup.freeze] = path if feature.is_a?(String) && (path || remains_missing?(feature))
      path
    end

    # Returns true if no module can get a file for this feature.
    def remains_missing?(feature)
      host?(feature, with_extension(feature))
    end

    def find(feature)
      feature = feature.to_path if feature.respond_to?(:to_path)
      return unless feature.is_a?(String)

      name = with_extension(feature)
      name = File.expand_path(name) if File.absolute_path?(name)
      return (name if inside?(name) && file?(name)) if File.absolute_path?(name)
      # No file of an installed Puppet takes precedence over a file of a module.
      return if !name.start_with?("puppet/") && host?(feature, name)

      libraries.map { |directory| File.join(directory, name) }.find { |path| file?(path) }
    end

    # Returns true for anything but a directory: reading it reports other problems.
    def file?(path)
      FileTest.exist?(path) && !FileTest.directory?(path)
    end

    def with_extension(feature)
      feature.end_with?(".rb") ? feature : "#{feature}.rb"
    end

    # Returns true if the host has a file of this name: no module can replace a library of the host.
    def host?(feature, name)
      return true if $LOADED_FEATURES.include?(name)

      _, path = $LOAD_PATH.resolve_feature_path(feature)
      # Files of some modules put their directories on Ruby's load path.
      !path.nil? && real_libraries.none? { |directory| path.start_with?("#{directory}/") }
    end

    # Ruby follows links.
    def real_libraries
      @real_libraries ||= libraries.map { |directory| File.realpath(directory) }
    end

    def inside?(path)
      libraries.any? { |directory| path.start_with?("#{directory}/") }
    end

    def load_once(path)
      return false if @features[path]

      synchronize do
        # A file that is being loaded is not loaded by itself.
        next false if @features.key?(path)

        @features[path] = nil
        begin
          state = EvaluatedFiles::State.new(path)
          run(path)
          @features[path] = state
          true
        ensure
          @features.delete(path) unless @features[path]
        end
      end
    end

    def run(path)
      evaluate(Snapshot.for_all { loader.read_source(path) }, path, loader)
    end

    # Makes `class String` in a file reopen the String of the host.
    def adopt_constants(source)
      source.scan(OPENED).flatten.uniq.each do |name|
        NAMING.synchronize do
          const_set(name, Object.const_get(name)) if !const_defined?(name, false) && Object.const_defined?(name, false)
        end
      end
    end

    # Names classes and modules as they would be named at the top level.
    def name_constants
      constants(false).each do |name|
        value = const_get(name, false)
        next unless value.is_a?(Module) && value.name&.start_with?("#<")

        NAMING.synchronize do
          next if Object.const_defined?(name, false)

          Object.const_set(name, value)
          Object.send(:remove_const, name)
        end
      end
    end

    # The `require` and the like of the files; and methods that Ruby dropped in 3.2 but Puppet still provides.
    def refinement
      sandbox = self
      Module.new do
        [Kernel, Kernel.singleton_class].each do |kernel|
          refine(kernel) do
            define_method(:require) do |feature|
              loaded = sandbox.require_file(feature)
              loaded.nil? ? super(feature) : loaded
            end

            define_method(:require_relative) do |feature|
              location = caller_locations(1, 1).first
              loaded = sandbox.require_beside(feature, location)
              loaded.nil? ? super(File.expand_path(feature, File.dirname(location.path))) : loaded
            end

            define_method(:load) do |file, wrap = false|
              (wrap ? nil : sandbox.load_file(file)) || super(file, wrap)
            end
          end
        end
        [File, Dir].reject { |files| files.respond_to?(:exists?) }.each do |files|
          refine(files.singleton_class) { define_method(:exists?) { |path| exist?(path) } }
        end
        refine(Module) do
          # Ruby would look for the file where the host has its own.
          define_method(:autoload) do |name, feature|
            sandbox.require_file(feature).nil? ? super(name, feature) : nil
          end
        end
      end
    end
  end
end
