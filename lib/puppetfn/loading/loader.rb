# frozen_string_literal: true

require "monitor"

module Puppetfn
  # Finds functions and types by name: in the modules and the environment of a runtime, and in puppetfn
  # itself.
  #
  # The native part knows files; this part makes functions of them, once. Each module has a loader of its
  # own, which resolves a name without a namespace in the module and its dependencies first.
  class Loader
    # The aliases that Puppet itself defines, by their names in lower case.
    BUILT_IN_TYPES = %w[Data RichData RichDataKey Puppet::LookupKey Puppet::LookupValue]
      .to_h { |name| [name.downcase, name] }.freeze

    # The module name of the environment.
    ENVIRONMENT = "environment"

    # The classes that load functions from files, by the API that the files use.
    INSTANTIATORS = {func_4x: :FunctionLoader, func_3x: :LegacyFunctionLoader}.freeze
    private_constant :BUILT_IN_TYPES, :ENVIRONMENT, :INSTANTIATORS

    # The state that the loaders of one runtime share.
    #
    # @api private
    class Shared
      # @return [Runtime]
      attr_reader :runtime

      # @return [Monitor] held while functions are loaded
      attr_reader :lock

      # @return [Hash{String, nil=>Loader}] by module
      attr_reader :loaders

      # @return [Hash{String=>Function}] by the path of the file
      attr_reader :files

      # @return [Hash{String=>Function}] the functions that replace all others of their names, by these
      attr_reader :replacements

      # @return [Array<ObjectImplementation>] implementations of types, including replaced ones that may still be in use
      attr_reader :implementations

      # @return [Integer] the number of reloads: earlier results may be out of date
      attr_accessor :generation

      def initialize(runtime)
        @runtime = runtime
        @lock = Monitor.new
        @loaders = {}
        @files = {}
        @replacements = {}
        @implementations = []
        @generation = 0
      end
    end
    private_constant :Shared

    # @param environment [Environment]
    # @param hiera_config [String, nil] the `hiera.yaml` of the global layer of data
    # @param strict [Symbol, String] the severity of a module's `metadata.json` that is not JSON
    # @param strict_dependencies [Boolean] whether modules see the functions of their dependencies only
    # @param outside_files [Boolean] whether files outside of modules and of the environment may be read
    # @param secrets [Boolean] whether encrypted data is decrypted
    # @param target [Target] the release whose behaviour code sees
    # @return [Loader] the loader of the environment, to be {#join joined} to a runtime
    # @api private
    def self.for(environment, hiera_config: nil, strict: :error, strict_dependencies: false, outside_files: true, secrets: true,
                 target: Target.default)
      hiera_config &&= File.expand_path(hiera_config)
      new(environment.modulepath, environment.directory, environment.name.to_s, hiera_config, strict, strict_dependencies,
        outside_files, secrets, target.name)
    end

    # Makes this the loader of the environment of a runtime.
    #
    # @api private
    # @param runtime [Runtime]
    # @return [self]
    def join_runtime(runtime)
      shared = Shared.new(runtime)
      shared.loaders[nil] = self
      join(shared, nil, {})
    end

    # @return [String, nil] the module that it is of; nil for the environment
    attr_reader :module_name

    # @return [String] Puppet's name for it, after the module
    def loader_name
      "#{@module_name || ENVIRONMENT} private"
    end
    alias to_s loader_name

    # @return [Runtime, nil]
    def runtime
      @shared&.runtime
    end

    # @return [Loader] the loader that functions are given
    def private_loader
      self
    end

    # @api private
    # @param kind [:function, :type]
    # @param given [String, Symbol]
    # @return [String] the name of a function or type
    # @raise [TypeError] when it is no text
    def self.name_of(kind, given)
      case given
      when String then given
      when Symbol then given.name
      else raise Error[TypeError], "the name of a #{kind}: expected a String or a Symbol, got an object of #{given.class}"
      end
    end

    # @return [Environment, nil]
    def environment
      runtime&.environment
    end

    # Loads a function or type.
    #
    # @param kind [:function, :type]
    # @param name [String, Symbol] in any case, with or without leading `::`
    # @return [Function, NativeFunction, CodeFunction, Type, nil] nil when there is none
    # @raise [TypeError] when the name is no text
    def load(kind, name)
      name = Loader.name_of(kind, name)
      case kind
      when :function then @functions[name] || load_function(name)
      when :type then load_type(plain(name))
      end
    end

    # @param typed_name [Puppet::Pops::Loader::TypedName]
    # @return [Puppet::Pops::Loader::NamedEntry, nil]
    def load_typed(typed_name)
      value = load(typed_name.type, typed_name.name)
      value && Puppet::Pops::Loader::NamedEntry.new(typed_name, value)
    end

    # Returns a function that comes with puppetfn.
    #
    # @param name [String]
    # @return [NativeFunction, nil]
    def built_in(name)
      found = find_function(name, nil)
      found if found.is_a?(NativeFunction)
    end

    # Returns the error for a function that does not exist, which can {Explained#explain explain} which name may
    # have been meant.
    #
    # @api private
    # @param message [String]
    # @param name [String, Symbol]
    # @return [ArgumentError] an {UnknownFunctionError}
    def unknown(message, name)
      name = plain(Loader.name_of(:function, name))
      unknown_function(message, name, @module_name)
    end

    # Runs a file in Ruby that defines a type.
    #
    # @api private
    # @param name [String] the name that the place of the file gives to the type
    # @param path [String]
    # @param module_name [String]
    # @return [Array(String, Integer, Boolean)] the definition in the Puppet language; the id of the implementation of
    #   the objects, nil if there is none; and whether the implementation creates objects from hashes
    def host_type(name, path, module_name)
      synchronize do
        definition = DataTypeLoader.instantiate(name, path, for_module(module_name))
        next [definition.to_s, nil, true] unless definition.implemented?

        implementation = ObjectImplementation.new(definition, self)
        @shared.implementations << implementation
        [definition.to_s, implementation.id, implementation.takes_hash?]
      end
    end

    # Returns the implementation of the objects of a type.
    #
    # @api private
    # @param type_name [String]
    # @return [ObjectImplementation, nil]
    def implementation(type_name)
      @shared.implementations.reverse.find { |implementation| implementation.of?(type_name) }
    end

    # Returns the text of a file in Ruby. Files are UTF-8 in any locale, with or without a byte order mark.
    #
    # @api private
    # @param path [String] is looked at again when all is reloaded
    # @return [String]
    # @raise [ArgumentError] when it is not valid UTF-8
    def read_source(path)
      source = read_file(path).force_encoding(Encoding::UTF_8).delete_prefix("\uFEFF")
      return source if source.valid_encoding?

      raise Error[ArgumentError], "invalid byte sequence in UTF-8"
    end

    # Returns a loader with this loader's definitions, and the types that are defined in it alone.
    #
    # @return [Loader]
    def local
      child.join(@shared, @module_name, @functions)
    end

    # @return [String]
    def inspect
      "#<#{self.class} #{loader_name} of #{environment.inspect}>"
    end

    # Makes this a loader of a runtime, for the code of a module or for other code.
    #
    # @api private
    def join(shared, module_name, functions)
      @shared = shared
      @module_name = module_name
      @functions = functions
      self
    end

    # Returns the loader of a module.
    #
    # @api private
    # @param module_name [String, nil] nil for the environment
    # @return [Loader]
    def for_module(module_name)
      module_name = nil if module_name == ENVIRONMENT
      synchronize { @shared.loaders[module_name] ||= child.join(@shared, module_name, {}) }
    end

    # Prevents other threads from loading functions during a block.
    #
    # @api private
    def synchronize(&block)
      @shared.lock.synchronize(&block)
    end

    # Checks all directories and files again, and drops stale definitions.
    #
    # @api private
    # @return [Array<String>] the files that were read and have changed
    def reload
      synchronize do
        files, types = reload_files
        files |= runtime.changed_files
        outdated = files.to_h { |file| [file, true] }
        # Anything may have used a type, or a helper.
        all = runtime.forget_evaluated_files || types
        @shared.generation += 1
        @shared.files.delete_if { |path, _| all || outdated.key?(path) }
        @shared.loaders.each_value { |loader| loader.forget(types) }
        runtime.legacy_functions.forget { |path| all || outdated.key?(path) }
        runtime.evaluator.reload(files, types) if runtime.evaluated?
        files
      end
    end

    # @api private
    # @return [Boolean] whether types have changed since they were resolved
    def types_changed?
      reload_files.last
    end

    # Replaces all functions of the same name by this one.
    #
    # @api private
    # @param function [Function]
    # @return [Function]
    def replace(function)
      name = plain(function.class.name)
      synchronize do
        @shared.replacements[name] = function
        runtime.evaluator.define(name)
      end
      function
    end

    # Looks up a function again when it is next needed, because code has defined it.
    #
    # @api private
    # @param name [String]
    def defined(name)
      drop_everywhere { |known, _| plain(known) == name }
    end

    # Makes a function of the 3.x API again when it is next needed.
    #
    # @api private
    # @param name [String]
    def redefined(name)
      drop_everywhere { |known, function| known == name && function.is_a?(Functions::Function3x) }
      @shared.files.delete_if { |_, function| function.is_a?(Functions::Function3x) && function.class.name == name }
      runtime.evaluator.forget_function(name) if runtime.evaluated?
    end

    # @api private
    # @param name [String]
    # @return [Boolean] whether a function was looked for and found
    def known_function?(name)
      synchronize { @shared.loaders.each_value.any? { |loader| loader.knows?(name) } }
    end

    # @api private
    # @return [Boolean] whether nobody has looked for anything, nor defined it
    def unused?
      [@functions, @shared.files, @shared.replacements, @shared.implementations].all?(&:empty?) && @shared.loaders.one?
    end

    # Returns a function that is not written in the Puppet language.
    #
    # @api private
    # @param name [String, Symbol]
    # @param module_name [String, nil] the module whose code asks
    # @return [Function, NativeFunction, nil]
    def load_in_ruby(name, module_name = @module_name)
      return for_module(module_name).load_in_ruby(name) unless module_name == @module_name

      name = Loader.name_of(:function, name)
      known = @functions[name]
      return known if known && !known.is_a?(CodeFunction)

      keeping(name) do
        plain = plain(name)
        @shared.replacements[plain] || synchronize { ruby_function(plain) || legacy_function(name) || termini_function(plain) }
      end
    end

    private

    def load_function(name)
      plain = plain(name)
      return for_module(nil).load(:function, name) unless @module_name.nil? || depends_on_module?(plain)

      keeping(name) do
        @shared.replacements[plain] || defined_function(plain) || load_in_ruby(name) || code_function(plain)
      end
    end

    # Caches the result of a block under a name, unless everything was reloaded meanwhile.
    def keeping(name)
      generation = @shared.generation
      found = yield
      synchronize { @functions[name] ||= found if @shared.generation == generation } if found
      found
    end

    # Returns a function that is built in, or in a file whose name is all in lower case.
    def ruby_function(name)
      found = find_function(name, @module_name)
      found.is_a?(Array) ? function_of_file(name, *found) : found
    end

    # Makes a function once, even if several threads need it.
    def function_of_file(name, api, path, module_name)
      @shared.files[path] ||= runtime.evaluated_files.while_loading(name, path) do
        Puppetfn.const_get(INSTANTIATORS.fetch(api)).instantiate(name, path, for_module(module_name))
      end
    end

    # Returns a function of the 3.x API that has no file of its own, or one that is found by its exact name only.
    def legacy_function(name)
      info = runtime&.legacy_functions&.find_in_modules(name.to_sym)
      Functions::Function3x.create_function(name, info, self).new(nil, self) if info
    end

    # Returns a function that code has defined, in place of any other.
    def defined_function(name)
      code_function(name) if runtime&.evaluated? && runtime.evaluator.defines?(name)
    end

    # Returns a function in the Puppet language, from a file or defined by code that was evaluated.
    def code_function(name)
      signatures = runtime&.evaluator&.signatures(name)
      signatures && CodeFunction.new(name, signatures, runtime)
    end

    def load_type(name)
      find_type(name) || (BUILT_IN_TYPES.key?(name) ? Type.parse(BUILT_IN_TYPES[name]) : nil)
    end

    def drop_everywhere(&which)
      synchronize { @shared.loaders.each_value { |loader| loader.drop(&which) } }
    end

    def plain(name)
      name.delete_prefix("::").downcase
    end

    protected

    def forget(types)
      @functions.clear
      forget_types if types
    end

    def knows?(name)
      @functions.key?(name)
    end

    def drop(&which)
      @functions.delete_if(&which)
    end
  end
end
