# frozen_string_literal: true

module Puppetfn
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

    # @raise [UnavailableError] always
    def catalog
      raise UnavailableError, "The catalog"
    end

    # @raise [UnavailableError] always
    def evaluate_string(_puppet_code, _source_file = nil)
      raise UnavailableError, "The evaluation of code in the Puppet language"
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
