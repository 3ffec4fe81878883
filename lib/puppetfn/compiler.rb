# frozen_string_literal: true

module Puppetfn
  # The loaders of a compiler: one that sees everything, under the names that Puppet has for several.
  Loaders = Struct.new(:private_environment_loader) do
    alias_method :public_environment_loader, :private_environment_loader
    alias_method :puppet_system_loader, :private_environment_loader
    alias_method :static_loader, :private_environment_loader
  end

  # The compiler as functions see it: the scope, the environment and the catalog.
  class Compiler
    # The advice if there is no catalog.
    NEEDS_NODE = "Give the runtime the name of a node: Puppetfn::Runtime.new(node: \"web\")."

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

    # @return [Catalog] as it is now
    # @raise [UnavailableError] where code is a script, which makes none
    def catalog
      raise UnavailableError.new("The catalog", NEEDS_NODE) unless has_catalog?

      @catalog ||= Catalog.new(@runtime)
    end

    # @return [Boolean] whether code can declare resources; not where it is a script
    def has_catalog?
      @runtime.evaluator.makes_catalog?
    end

    # @return [Array<Puppet::Parser::Resource>] what is declared so far
    def resources
      catalog.resources
    end

    # @param type [String, #name] a type, or a reference such as `File[/tmp/x]` without a title
    # @param title [String, nil]
    # @return [Puppet::Parser::Resource, nil] the resource, if it is declared
    def findresource(type, title = nil)
      catalog.resource(type, title)
    end

    # Declares a resource.
    #
    # @param _scope [Scope] it is where the running function is called
    # @param resource [Puppet::Resource]
    # @return [void]
    # @raise [Puppet::Error] when it is declared already, or there is no such type
    def add_resource(_scope, resource)
      catalog.add_resource(resource)
    end

    # Declares classes that are not declared yet.
    #
    # @param classes [Array<String>, Hash{String=>Hash}] their names, or parameters by name
    # @return [Array<Puppet::Parser::Resource>]
    # @raise [Puppet::Error] when there is no such class
    def evaluate_classes(classes, _scope, _lazy_evaluate = true)
      catalog = self.catalog
      if classes.is_a?(Hash)
        classes.each { |name, parameters| @runtime.evaluator.declare("class", name, parameters || {}, :regular, [nil, nil]) }
      else
        @runtime.evaluator.include(Array(classes))
      end
      (classes.is_a?(Hash) ? classes.keys : Array(classes)).map { |name| catalog.resource("Class", name) }
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
      @runtime.parse_type(text)
    end

    # Returns the hash that a function can keep data in between its calls.
    #
    # @param owner [Object] the function
    # @return [Hash]
    def retrieve(owner)
      @caches[owner] ||= {}
    end
  end

  # The compiler that functions get which ask for one for scripts: there is no catalog.
  class ScriptCompiler < Compiler
    undef_method :catalog, :resources, :findresource, :add_resource, :evaluate_classes

    # @return [false]
    def has_catalog? # rubocop:disable Naming/PredicateName
      false
    end
  end
end
