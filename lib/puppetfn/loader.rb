# frozen_string_literal: true

require "monitor"

module Puppetfn
  # Finds functions and types by name: in the modules and the environment of a runtime, and among
  # those that come with puppetfn.
  #
  # The native part knows files; this part makes functions of them, once.
  class Loader
    # The aliases that Puppet itself defines, by their names in lower case.
    BUILT_IN_TYPES = %w[Data RichData RichDataKey Puppet::LookupKey Puppet::LookupValue]
      .to_h { |name| [name.downcase, name] }.freeze
    private_constant :BUILT_IN_TYPES

    # @param runtime [Runtime]
    # @return [Loader] the loader of its environment
    # @api private
    def self.for(runtime)
      environment = runtime.environment
      new(environment.modulepath, environment.directory).join(runtime, {}, Monitor.new)
    end

    # @return [Runtime, nil]
    attr_reader :runtime

    # @return [Loader] what functions are given to load things with
    def private_loader
      self
    end

    # @return [Environment, nil]
    def environment
      runtime&.environment
    end

    # Something that can be called or checked with.
    #
    # @param kind [:function, :type]
    # @param name [String, Symbol] in any case, with or without leading `::`
    # @return [Function, NativeFunction, Type, nil] nil when there is none
    def load(kind, name)
      name = name.to_s
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

    # A function that comes with puppetfn.
    #
    # @param name [String]
    # @return [NativeFunction, nil]
    def built_in(name)
      found = find_function(name)
      found if found.is_a?(NativeFunction)
    end

    # A loader that sees what this one sees, and the types that are defined in it alone.
    #
    # @return [Loader]
    def local
      child.join(runtime, @functions, @lock)
    end

    # @return [String]
    def inspect
      "#<#{self.class} of #{environment.inspect}>"
    end

    # Makes this a loader of a runtime, with the functions that all its loaders share.
    #
    # @api private
    def join(runtime, functions, lock)
      @runtime = runtime
      @functions = functions
      @lock = lock
      self
    end

    # Keeps others from loading functions while a block does.
    #
    # @api private
    def synchronize(&block)
      @lock.synchronize(&block)
    end

    # Has a function of the 3.x API made anew when it is next asked for.
    #
    # @api private
    def forget(name)
      synchronize { @functions.delete(name) if @functions[name].is_a?(Functions::Function3x) }
    end

    # A function that is not written in the Puppet language.
    #
    # @api private
    # @param name [String, Symbol]
    # @return [Function, NativeFunction, nil]
    def load_in_ruby(name)
      name = name.to_s
      synchronize { @functions[name] ||= named_function(plain(name)) || legacy_function(name) }
    end

    private

    # What makes functions of files, by the API that these are written against.
    INSTANTIATORS = {func_4x: :FunctionLoader, func_3x: :LegacyFunctionLoader}.freeze
    private_constant :INSTANTIATORS

    # Makes a function once, also for threads that ask at the same time.
    def load_function(name)
      load_in_ruby(name) || code_function(plain(name))
    end

    def named_function(name)
      @functions[name] ||= make_function(name)
    end

    # A function of the 3.x API that has no file of its own, or one that is found by its exact name only.
    def legacy_function(name)
      info = runtime&.legacy_functions&.find_in_modules(name.to_sym)
      Functions::Function3x.create_function(name, info, self).new(nil, self) if info
    end

    # A function in the Puppet language, from a file or defined by code that was evaluated.
    def code_function(name)
      signatures = runtime&.evaluator&.signatures(name)
      signatures && CodeFunction.new(name, signatures, runtime)
    end

    def load_type(name)
      find_type(name) || (BUILT_IN_TYPES.key?(name) ? Type.parse(BUILT_IN_TYPES[name]) : nil)
    end

    def make_function(name)
      found = find_function(name)
      return found unless found.is_a?(Array)

      api, path = found
      Puppetfn.const_get(INSTANTIATORS.fetch(api)).instantiate(name, path, self)
    end

    def plain(name)
      name.delete_prefix("::").downcase
    end
  end
end
