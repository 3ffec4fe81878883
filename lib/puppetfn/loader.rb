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

    private

    # Makes a function once, also for threads that ask at the same time.
    def load_function(name)
      @lock.synchronize do
        @functions[name] ||= name == plain(name) ? make_function(name) : load_function(plain(name))
      end
    end

    def load_type(name)
      find_type(name) || (BUILT_IN_TYPES.key?(name) ? Type.parse(BUILT_IN_TYPES[name]) : nil)
    end

    def make_function(name)
      case found = find_function(name)
      when String then FunctionLoader.instantiate(name, found, self)
      else found
      end
    end

    def plain(name)
      name.delete_prefix("::").downcase
    end
  end
end
