# frozen_string_literal: true

module Puppetfn
  # The loaders of a compiler: one that sees everything, under the names that Puppet has for several.
  Loaders = Struct.new(:private_environment_loader) do
    alias_method :public_environment_loader, :private_environment_loader
    alias_method :puppet_system_loader, :private_environment_loader
    alias_method :static_loader, :private_environment_loader
  end

  # What functions get when they ask for a compiler: the scope and the environment, and a clear
  # error where only a catalog would do.
  class Compiler
    # @param runtime [Runtime]
    def initialize(runtime)
      @runtime = runtime
      @caches = {}.compare_by_identity
    end

    # @return [Scope]
    def topscope
      @runtime.scope
    end

    # @return [Environment]
    def environment
      @runtime.environment
    end

    # @return [Loaders]
    def loaders
      @loaders ||= Loaders.new(@runtime.loader)
    end

    # @raise [UnavailableError] always
    def catalog
      raise UnavailableError, "The catalog"
    end

    # Evaluates code in the Puppet language.
    #
    # @return [Object] the value of the last statement
    # @see Runtime#evaluate_string
    def evaluate_string(puppet_code, source_file = nil)
      @runtime.evaluate_string(puppet_code, source_file)
    end

    # Evaluates a file in the Puppet language.
    #
    # @return [Object] the value of the last statement
    def evaluate_file(file)
      @runtime.evaluate_file(file)
    end

    # Calls a function by name.
    #
    # @return [Object]
    def call_function(name, *args, &block)
      @runtime.call_function(name, *args, &block)
    end

    # @return [Type]
    def type(text)
      @runtime.type(text)
    end

    # The hash that a function keeps between its calls.
    #
    # @param owner [Object] the function
    # @return [Hash]
    def retrieve(owner)
      @caches[owner] ||= {}
    end
  end
end
