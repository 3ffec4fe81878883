# frozen_string_literal: true

module Puppetfn
  # The methods of every function, in whichever API it was written.
  #
  # The native part has `call`, which checks the arguments and calls a method.
  class Function
    include Translation

    # @return [Array<Signature>]
    def self.signatures
      dispatcher.signatures
    end

    class << self
      # @return [String] the name that the class has in Puppet
      def name
        equal?(Function) ? "Puppet::Pops::Functions::Function" : super
      end

      # @api private
      # @return [Boolean] whether it may change hashes and arrays among its arguments, which all code sees then
      attr_accessor :changes_arguments
    end

    # @api private
    # @return [Dispatcher] checks the arguments of a `Deferred` call while a catalog is compiled
    def dispatcher_for_deferred
      self.class.dispatcher
    end

    # @return [Loader, nil] the loader of functions and types that the function names
    attr_accessor :loader

    # @param closure_scope [Scope, nil] the scope of the function's definition
    # @param loader [Loader, nil]
    def initialize(closure_scope, loader)
      @closure_scope = closure_scope
      @loader = loader
    end

    # @return [Scope, Hash] where the function was defined: the top scope, unless it was given another
    def closure_scope
      @closure_scope || Puppet.lookup(:global_scope) { {} }
    end

    # Calls another function that is visible to the loader of this one.
    #
    # @param function_name [String, Symbol]
    # @param args [Array<Object>] the arguments, one by one
    # @return [Object]
    # @raise [ArgumentError] when there is no such function
    def call_function(function_name, *args, &block)
      scope = closure_scope
      evaluator = scope.runtime.evaluator if scope.is_a?(Scope) && scope.runtime.evaluated?
      return internal_call_function(scope, function_name, args, &block) if evaluator.nil? || evaluator.at_top?

      # The called function acts where this function was defined, not where it is called.
      evaluator.at_top { internal_call_function(scope, function_name, args, &block) }
    end

    # @api private
    # @return [Boolean] whether it may change hashes and arrays among its arguments, which all code sees then
    def changes_arguments?
      self.class.changes_arguments || false
    end

    protected

    # Calls another function, on behalf of a caller in another scope.
    #
    # @param scope [Scope]
    # @param function_name [String, Symbol]
    # @param args [Array<Object>]
    # @return [Object]
    # @raise [LimitError] when the functions leave no stack to each other
    def internal_call_function(scope, function_name, args, &block)
      unless loader
        raise Puppetfn::Error[ArgumentError],
          "Function #{self.class.name}(): cannot call function '#{function_name}' - no loader specified"
      end

      function = loader.load(:function, function_name)
      raise loader.unknown("Function #{self.class.name}(): Unknown function: '#{function_name}'", function_name) unless function

      function.call(scope, *args, &block)
    rescue SystemStackError
      # Ruby's message names only its own methods, not the functions that call each other.
      raise LimitError, "functions in Ruby call each other too deep for Ruby's stack (RUBY_THREAD_VM_STACK_SIZE and " \
                        "RUBY_THREAD_MACHINE_STACK_SIZE in the environment, or ulimit -s, make it larger)"
    end

    private

    # Returns an argument that a function has injected. The native part calls this, and knows the
    # scope by itself.
    def injected(what, scope)
      case what
      when Puppet::Functions::Injection then what.fetch(loader, scope)
      when :cache then scope.compiler
      else Puppet.lookup(what)
      end
    end
  end

  module Puppet
    module Functions
      # The class that functions descend from.
      #
      # A function has a class of its own, which no constant holds, and an instance of it for each
      # loader that it is called through. Its methods are defined by the block given to
      # {Functions.create_function}.
      class Function < Puppetfn::Function
        extend InjectedAttributes

        class << self
          # @return [String] the name of the function
          def name
            @name || super
          end

          # @return [Loader, nil] the loader that types and other functions are looked up in
          attr_reader :loader

          # Binds the class to a function.
          #
          # @api private
          def bind(name, loader)
            @name = name
            @loader = loader
          end

          # Declares a signature, and the method for calls that match it.
          #
          # @param meth_name [Symbol]
          # @yield in a {DispatcherBuilder}, to declare the parameters
          # @return [void]
          def dispatch(meth_name, &block)
            add_dispatch(meth_name, false, &block)
          end

          # Rejects calls that match a signature, with a message that a method returns.
          #
          # @param meth_name [Symbol]
          # @yield in a {DispatcherBuilder}, to declare the parameters
          # @return [void]
          def argument_mismatch(meth_name, &block)
            add_dispatch(meth_name, true, &block)
          end

          # Defines type aliases for the dispatches that follow. Each has a method `type_Name`, which
          # answers once a dispatch or another alias has used it, as in Puppet.
          #
          # @yield in a {LocalTypeAliasesBuilder}, whose method is `type`
          # @return [void]
          def local_types(&block)
            if loader.nil?
              raise Puppetfn::Error[ArgumentError], "No loader present. Call create_loaded_function(:myname, loader,...), " \
                                   "instead of 'create_function' if running tests"
            end

            aliases = LocalTypeAliasesBuilder.new(loader, name)
            aliases.instance_eval(&block)
            @loader = types = aliases.loader
            aliases.names.each do |alias_name|
              define_method("type_#{alias_name}") do
                types.resolved_type(alias_name) or raise Error, "Reference to unresolved type #{alias_name}"
              end
            end
          end

          # @param closure_scope [Scope, nil]
          # @param given_loader [Loader, nil] used where the class has no loader of its own
          # @return [Function]
          def new(closure_scope, given_loader)
            super(closure_scope, loader || given_loader)
          end

          # Returns a function that resolves others as a runtime sees them, whatever loader the class was defined with.
          #
          # @api private
          # @param given_loader [Loader]
          # @return [Function]
          def for_loader(given_loader)
            function = new(nil, given_loader)
            function.loader = given_loader
            function
          end

          # Returns the receiver of the blocks of {dispatch}.
          #
          # @api private
          def builder
            DispatcherBuilder.new(loader)
          end

          private

          def add_dispatch(meth_name, argument_mismatch, &block)
            declaration = builder
            declaration.instance_eval(&block)
            dispatcher.add(declaration.build(meth_name, argument_mismatch))
          end
        end
      end

      # The class that functions in the Puppet language descend from.
      class PuppetFunction < Function; end

      # Functions with access to the context of the call: the scope of the caller and more.
      class InternalFunction < Function
        # @api private
        def self.builder
          InternalDispatchBuilder.new(loader)
        end

        # Calls another function that is visible to the loader of this one, in a given scope.
        #
        # @param scope [Scope]
        # @param function_name [String, Symbol]
        # @param args [Array<Object>] the arguments, one by one
        # @return [Object]
        def call_function_with_scope(scope, function_name, *args, &block)
          internal_call_function(scope, function_name, args, &block)
        end
      end
    end
  end
end
