# frozen_string_literal: true

module Puppetfn
  # The compiler as functions see it: the scope, the environment and the catalog.
  class Compiler
    # The advice if there is no catalog.
    NEEDS_NODE = "Give the runtime the name of a node: Puppetfn::Runtime.new(node: \"web\")."

    # @param runtime [Runtime]
    def initialize(runtime)
      # Specs create compilers from nodes. Their code is in the runtime at work.
      @runtime = runtime.is_a?(Puppet::Node) ? Runtime.current!("Puppet::Parser::Compiler.new") : runtime
      @caches = {}.compare_by_identity
    end

    # @api private
    # @return [Runtime]
    attr_reader :runtime

    # @return [Scope]
    def topscope
      @runtime.scope
    end

    # @return [Environment]
    def environment
      @runtime.environment
    end

    # @return [Puppet::Node]
    def node
      @node ||= Puppet::Node.of(@runtime)
    end

    # @return [Array<String>] names of the classifier's and of all evaluated classes
    def classlist
      classes = node.classes
      (classes.is_a?(Hash) ? classes.keys : classes) + catalog.classes
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

    # @return [Array<Puppet::Parser::Resource>] the resources declared so far
    def resources
      catalog.resources
    end

    # @param type [String, #name] a type, or a reference such as `File[/tmp/x]` without a title
    # @param title [String, nil]
    # @return [Puppet::Parser::Resource, nil] the resource, if it is declared
    def findresource(type, title = nil)
      catalog.resource(type, title)
    end

    # Mutating methods of Puppet's compiler whose state puppetfn's evaluator has elsewhere.
    REFUSED = %i[add_catalog_validator add_catalog_validators add_collection add_relationship collections compile delete_collection
                 evaluate_ast_node evaluate_node_classes evaluate_relationships newscope qualified_variables relationships
                 resource_overrides validate_catalog].freeze
    private_constant :REFUSED

    REFUSED.each do |name|
      define_method(name) { |*| raise UnavailableError, "Puppet::Parser::Compiler##{name}" }
    end

    # @return [String, nil] an identifier of the code, which the catalog has got before any of it was evaluated
    attr_accessor :code_id

    # Declares a resource.
    #
    # @param scope [Scope] the scope of the declaration
    # @param resource [Puppet::Resource]
    # @return [void]
    # @raise [Puppet::Error] when it is declared already, or there is no such type
    # @see Catalog#add_resource
    def add_resource(scope, resource)
      catalog
      Puppet::Parser::Resource.add(@runtime, resource, scope.number)
    end

    # Changes a resource by the rules for the code that called the running function, now or when it is declared.
    #
    # @param override [Puppet::Parser::Resource] holds the parameters to change
    # @return [void]
    # @raise [Puppet::Error] when the code may not change it
    def add_override(override)
      catalog
      @runtime.settle_loans(false)
      @runtime.evaluator.add_override(override.type, override.title.to_s, override.parameters.each_value.map(&:to_change),
        [override.file, override.line])
    end

    # Adds a name to the classes of the catalog.
    #
    # @param name [String]
    # @return [void]
    def add_class(name)
      catalog.add_class(name) unless name == ""
    end

    # @raise [UnavailableError] always
    def instance_variable_set(name, _value)
      raise UnavailableError, "The instance variable #{name} of a Puppet::Parser::Compiler"
    end

    # @raise [UnavailableError] always
    def instance_variable_get(name)
      raise UnavailableError, "The instance variable #{name} of a Puppet::Parser::Compiler"
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
end
