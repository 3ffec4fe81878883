# frozen_string_literal: true

module Puppetfn
  module Puppet
    # The API that functions in Ruby are written against.
    #
    # @example
    #   function = Puppet::Functions.create_function(:"mymodule::min") do
    #     dispatch :min do
    #       param "Numeric", :a
    #       param "Numeric", :b
    #       return_type "Numeric"
    #     end
    #
    #     def min(a, b)
    #       a <= b ? a : b
    #     end
    #   end
    #   function.new(nil, nil).call(nil, 2, 1.5)  # => 1.5
    module Functions
      autoload :DispatcherBuilder, "#{__dir__}/functions/dispatcher_builder"
      autoload :Function, "#{__dir__}/functions/function"
      autoload :Function3x, "#{__dir__}/functions/function_3x"
      autoload :InjectedAttributes, "#{__dir__}/functions/injection"
      autoload :Injection, "#{__dir__}/functions/injection"
      autoload :InternalDispatchBuilder, "#{__dir__}/functions/dispatcher_builder"
      autoload :InternalFunction, "#{__dir__}/functions/function"
      autoload :PuppetFunction, "#{__dir__}/functions/function"
      autoload :LocalTypeAliasesBuilder, "#{__dir__}/functions/local_type_aliases_builder"

      extend StandIn

      # The variable in which the file of a function finds its loader, as in Puppet.
      LOADER_VARIABLE = :loader_injected_arg
      private_constant :LOADER_VARIABLE

      # Makes the class of a function, in the loader of the file that this is called from.
      #
      # @param func_name [String, Symbol] the name, `module::function` for a function of a module
      # @param function_base [Class<Function>]
      # @yield in the class, to define its dispatches and methods
      # @return [Class<Function>]
      # @raise [ArgumentError] when anything is wrong with the function
      def self.create_function(func_name, function_base = Function, &block)
        variables = block.binding
        loader = variables.local_variable_get(LOADER_VARIABLE) if variables.local_variable_defined?(LOADER_VARIABLE)
        create_loaded_function(func_name, loader, function_base, &block)
      rescue StandardError => e
        raise Puppetfn::Error[ArgumentError], "Function Load Error for function '#{func_name}': #{e.message}"
      end

      # Makes the class of a function in a given loader, which tests use.
      #
      # @param func_name [String, Symbol]
      # @param loader [Loader, nil]
      # @param function_base [Class<Function>]
      # @yield (see create_function)
      # @return [Class<Function>]
      # @raise [StandardError] whatever is raised in the block
      def self.create_loaded_function(func_name, loader, function_base = Function, &block)
        unless function_base.ancestors.include?(Puppetfn::Function)
          raise Puppetfn::Error[ArgumentError], "Functions must be based on Puppet::Pops::Functions::Function. Got #{function_base}"
        end

        name = Loader.name_of(:function, func_name)
        function = Class.new(function_base)
        function.bind(name, loader&.private_loader)
        function.class_eval(&block)
        function.dispatcher.add(introspected_dispatch(function, name)) if function.dispatcher.empty?
        function
      end

      # Returns the dispatch of a function that declares none: it accepts the arguments that its method accepts.
      #
      # @api private
      def self.introspected_dispatch(function, name)
        # A name that ends in :: has an empty last part, which is ignored.
        method_name = name.split("::").last
        unless function.method_defined?(method_name)
          raise Puppetfn::Error[ArgumentError], "Function Creation Error, cannot create a default dispatcher for function " \
                               "'#{method_name}', no method with this name found"
        end

        count = {req: 0, opt: 0, rest: 0}
        names = function.instance_method(method_name).parameters.map do |kind, parameter|
          # A keyword or block parameter has no place in the count, which makes this fail, as in Puppet.
          count[kind] += 1
          parameter.to_s
        end
        Dispatch.untyped(method_name.to_sym, count[:req], count[:opt], count[:rest].positive?, names)
      end
      private_class_method :introspected_dispatch
    end
  end

  Functions = Puppet::Functions
  Functions.constants(false).each { |name| Functions.const_get(name, false) }
end
