# frozen_string_literal: true

require_relative "legacy_functions/puppets_own"

module Puppetfn
  # The functions of the 3.x API that a runtime knows: a module that its scopes are extended with.
  #
  # A function is a method `function_NAME` of the scope that it runs against. Each runtime has a module of
  # its own, so that environments do not see each other's functions.
  class LegacyFunctions < Module
    # @param runtime [Runtime]
    def initialize(runtime)
      super()
      # Ruby remembers methods that were called, and with them this module. That must not keep the runtime, and its catalog.
      @runtimes = ObjectSpace::WeakMap.new
      @runtimes[self] = runtime
      @info = {}
      @autoloaded = {}
      @puppets_own = {}
      @paths = {}
    end

    # Defines a function, in place of one of the same name.
    #
    # @param name [Symbol]
    # @param options [Hash] `:type`, `:arity` and `:doc`; other options are ignored
    # @yield as a method of the scope, with an Array of the arguments
    # @return [Hash] the function's metadata: `:arity`, `:type`, `:name` and `:doc`
    # @raise [Puppet::DevError] when the type is neither `:statement` nor `:rvalue`
    def newfunction(name, options, &block)
      @noted&.push([name, options, block])
      define(name, options, &block)
    end

    # Defines the functions of a file: by evaluating it, or from another runtime that has evaluated it.
    #
    # @api private
    # @param path [String]
    # @yieldreturn [Hash] metadata of the file's function, if the file is evaluated now
    # @return [Hash] metadata of the file's function
    def define_of_file(path)
      evaluated = false
      info, definitions = runtime.evaluated_files.fetch(path) do
        evaluated = true
        noting { yield }
      end
      definitions.each { |name, options, block| define(name, options, &block) } unless evaluated
      info
    end

    # Forgets functions of files, which are loaded when they are next called. Calls that run go on.
    #
    # @api private
    # @yieldparam path [String] of a file that defines functions
    # @yieldreturn [Boolean] whether they are forgotten
    # @return [void]
    def forget
      known = files
      @files = nil
      @paths.each do |name, path|
        next unless @info.key?(name) && known.value?(path) && yield(path)

        info = @info.delete(name)
        @autoloaded.delete(name)
        # Code that is running may still call the body.
        remove_method(info[:name])
      end
    end

    # As {#newfunction}, without a warning.
    #
    # @api private
    def replace(name, options, &block)
      info = self.class.info(name, options)
      define_function(name, info, &block)
      @paths[name] = block.source_location&.first
      @puppets_own.delete(name)
      runtime.loader.redefined(name.name)
      @info[name] = info
    end

    # Returns the metadata of a function that is defined already.
    #
    # @param name [Symbol]
    # @return [Hash, nil]
    def get_function_info(name)
      @info[name]
    end

    # Returns the metadata of all functions that are defined already, by their names.
    #
    # @return [Hash{Symbol=>Hash}]
    def all_function_info
      @info
    end

    # Returns the metadata of a function, which is loaded if need be.
    #
    # @param name [Symbol]
    # @return [Hash, nil] nil when there is no such function
    # @raise [Puppet::Error] when it cannot be loaded
    def find(name)
      @info[name] || (@info[name] if autoload_function(name))
    end

    # As {#find}, without the functions that Puppet itself has in this API.
    #
    # They belong to the scope alone: everywhere else they are the built-in functions.
    def find_in_modules(name)
      info = find(name)
      info unless @puppets_own.key?(name)
    end

    # Loads the file of a function, again if it was loaded before.
    #
    # @param name [Symbol]
    # @return [Boolean] whether there is such a file
    # @raise [Puppet::Error] when it cannot be loaded
    def autoload_function(name)
      runtime.loader.synchronize do
        path = files[name.name]
        next false unless path || PuppetsOwn.include?(name)

        @autoloaded[name] = true
        path ? evaluate(name, path) : define_own(name)
        true
      end
    end

    # Loads the files of all functions that were not loaded before.
    #
    # @return [void]
    def autoload_all
      files.each_key { |name| autoload_function(name.to_sym) unless autoloaded?(name.to_sym) }
    end

    # @param name [Symbol]
    # @return [Boolean] whether the file of a function was loaded by {#autoload_function}
    def autoloaded?(name)
      @autoloaded.key?(name)
    end

    # @return [String]
    def inspect
      "#<#{self.class} of #{runtime.environment.inspect}>"
    end

    # Returns the metadata of a function with these options.
    #
    # @api private
    def self.info(name, options)
      type = options[:type] || :statement
      raise Puppet::DevError, "Invalid statement type #{type.inspect}" unless %i[statement rvalue].include?(type)

      info = {arity: options[:arity] || -1, type: type, name: "function_#{name}"}
      info[:doc] = options[:doc] if options[:doc]
      info
    end

    private

    def runtime
      @runtimes[self] or raise OperationError, "the runtime is gone whose functions these are"
    end

    # Returns the files that define functions, by the names of these, in which case counts.
    def files
      @files ||= runtime.legacy_function_files
    end

    def define(name, options, &block)
      Puppet.warning("Overwriting previous definition for function #{name}") if @info.key?(name)
      replace(name, options, &block)
    end

    # Returns the result of a block, and the functions that are defined in it.
    def noting
      before = @noted
      begin
        @noted = []
        [yield, @noted]
      ensure
        @noted = before
      end
    end

    def evaluate(name, path)
      placeholder = runtime.loader.placeholder(name.name)
      return replace(name, type: :rvalue, arity: 1) { |arguments| placeholder.call(self, *arguments) } if placeholder

      define_of_file(path) { DefinitionFile.new(path, runtime.loader).evaluate }
    rescue StandardError, ScriptError => e
      message = "Could not autoload puppet/parser/functions/#{name}: #{e.message}"
      runtime.activate { Puppet.log_exception(e, message) }
      raise Puppet::Error, message, e.backtrace
    end

    def define_own(name)
      info = PuppetsOwn.info(name)
      define_function(name, info, &PuppetsOwn.body(name))
      @puppets_own[name] = true
      @info[name] = info
    end

    # The body becomes a method, for it may use `return`.
    def define_function(name, info, &block)
      body = :"real_function_#{name}"
      define_method(body, &block)
      arity, is_rvalue = info[:arity], info[:type] == :rvalue
      define_method(info[:name]) do |*args|
        LegacyFunctions.check_arguments(name, arity, args)
        result = runtime.activate { __send__(body, args.first) }
        Puppet::Pops::Evaluator::Runtime3FunctionArgumentConverter.convert_return(result) if is_rvalue
      end
    end

    # @api private
    def self.check_arguments(name, arity, args) # rubocop:disable Lint/IneffectiveAccessModifier
      list = args.first
      unless list.is_a?(Array)
        raise Error[ArgumentError], "custom functions must be called with a single array that contains the arguments. " \
                             "For example, function_example([1]) instead of function_example(1)"
      end

      least = arity.negative? ? -arity - 1 : arity
      return if arity.negative? ? list.size >= least : list.size == least

      raise Error[ArgumentError], "#{name}(): Wrong number of arguments given " \
                           "(#{list.size} for #{"minimum " if arity.negative?}#{least})"
    end
  end
end
