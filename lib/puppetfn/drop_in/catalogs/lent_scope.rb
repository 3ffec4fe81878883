# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # The scope that functions of Puppet get: its variables, resources and functions come from the code that puppetfn
      # evaluates. Other methods of Puppet's scopes give the catalog to Puppet.
      class LentScope < ::Puppet::Parser::Scope
        extend StandIn
        stands_in_for ::Puppet::Parser::Scope
        include SingletonGuard
        extend Declining

        # Methods that only use replaced methods, or know the environment alone.
        INHERITED = %i[environment catalog compiler include? find_hostclass find_definition [] []= undef_as find_resource_type
                       find_builtin_resource_type find_defined_resource_type variable_not_found handle_not_found method_missing
                       resolve_type_and_titles transform_and_assert_classnames assert_class_and_title] + ::Puppet::Util::Log.levels
        private_constant :INHERITED

        # The functions of the 3.x API that come with Puppet. They take precedence over functions that Puppet defines in
        # modules.
        BUILT_IN_FUNCTIONS = Module.new do
          LegacyFunctions::PuppetsOwn.built_in_names.each do |name|
            define_method(:"function_#{name}") { |arguments| compilation.call_function(self, name, arguments) }
          end
        end
        private_constant :BUILT_IN_FUNCTIONS

        # @return [Compilation]
        attr_reader :compilation

        # @return [Puppetfn::Scope]
        attr_reader :lent

        # @param compiler [LentCompiler]
        # @param compilation [Compilation]
        # @param lent [Puppetfn::Scope]
        def initialize(compiler, compilation, lent)
          @compilation, @lent = compilation, lent
          super(compiler)
          extend(BUILT_IN_FUNCTIONS)
          @is_lent = true
        end

        # @return [Boolean] whether it is complete
        def lent? = @is_lent

        # (see ::Puppet::Parser::Scope#lookupvar)
        def lookupvar(name, options = {})
          raise ::Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)

          return variable(@lent.lookupvar(name)) if exist?(name)

          class_name, _, variable = name.delete_prefix("::").rpartition("::")
          return variable_not_found(variable) if class_name.empty?

          handle_not_found(class_name, variable, options, @lent.problem_of_class(class_name))
        end

        # (see ::Puppet::Parser::Scope#exist?)
        def exist?(name)
          compilation.decline("the variable $#{name}") if name.match?(/\A\d+\z/)

          @lent.exist?(name)
        end

        # (see ::Puppet::Parser::Scope#bound?)
        def bound?(name) = @lent.bound?(name)

        # (see ::Puppet::Parser::Scope#setvar)
        def setvar(name, value, options = {})
          # Functions and lambdas have scopes of their own.
          compilation.decline("Puppet::Parser::Scope#setvar") if compilation.runtime.evaluator.caller_local?

          compilation.values.lend { @lent.setvar(name, compilation.values.from_puppet(value), options) }
        end

        # (see ::Puppet::Parser::Scope#to_hash)
        def to_hash(recursive = true, include_undef = false)
          # The wrapper of a template asks first; then the template may ask for all variables.
          shown, @shown = @shown, nil
          return Values.freeze_strings(compilation.values.to_puppet(shown)) if shown

          in_sight = @lent.in_sight_now(recursive, include_undef)
          unless in_sight.equal?(@in_sight)
            @in_sight = in_sight
            @converted = in_sight.transform_values { |value| variable(value) }
          end
          @converted.dup
        end

        # Has a template be given these variables, which it may change in place.
        #
        # @param variables [Hash{String=>Object}]
        # @yieldreturn [Object]
        # @return [Object] the result of the block
        def showing(variables)
          before = @shown
          begin
            @shown = variables
            yield
          ensure
            @shown = before
          end
        end

        # @raise [Declined] always
        %i[source= resource= parent=].each do |name|
          define_method(name) { |value| @is_lent ? compilation.decline("Puppet::Parser::Scope##{name}") : super(value) }
        end

        # @return [LentResource, nil] the class or resource that the code is of
        def resource
          compilation.lend_resource(@lent.resource)
        end

        # @return [::Puppet::Resource::Type]
        def source
          source = @lent.source
          ::Puppet::Resource::Type.new(source.type, source.name, module_name: source.module_name)
        end

        # (see ::Puppet::Parser::Scope#findresource)
        def findresource(type, title = nil) = catalog.resource(type, title)

        # @return [Hash] empty for new resources: they add their defaults to the defaults of the catalog
        # @raise [Declined] if a function asks
        def lookupdefaults(_type)
          return {} if DecidingMethods.called_by_library?

          compilation.decline("Puppet::Parser::Scope#lookupdefaults")
        end

        # @return [LentScope, nil]
        def parent = (compiler.topscope unless is_topscope?)

        # @return [LentScope]
        def find_global_scope = compiler.topscope

        # @return [Boolean]
        def is_topscope? = @lent.is_topscope?

        # (see ::Puppet::Parser::Scope#call_function)
        def call_function(name, arguments, &block) = compilation.call_function(self, name, arguments, &block)

        # @return [String]
        def to_s
          is_topscope? ? "Scope(Class[main])" : @lent.to_s
        end

        decline_others_of(::Puppet::Parser::Scope, INHERITED + %i[compiler parent= source= resource=])

        private

        # Code gets back the changes that templates make to a variable that they are lent.
        def variable(value)
          @lent.lending? ? Values.freeze_strings(compilation.values.to_puppet(value)) : compilation.values.seen(value)
        end
      end

      # The compiler that functions of Puppet get.
      class LentCompiler < ::Puppet::Parser::Compiler
        extend StandIn
        stands_in_for ::Puppet::Parser::Compiler
        include SingletonGuard
        extend Declining

        # @return [Compilation]
        attr_reader :compilation

        # @return [LentCatalog]
        attr_reader :catalog

        # @param node [::Puppet::Node]
        # @param compilation [Compilation]
        def initialize(node, compilation) # rubocop:disable Lint/MissingSuper
          @node, @compilation = lend_node(node), compilation
          @catalog = LentCatalog.new(node, compilation)
          @loaders = compilation.loaders
          @topscope = LentScope.new(self, compilation, compilation.runtime.scope)
        end

        # Declares a resource.
        def add_resource(scope, resource)
          compilation.decline("Puppet::Parser::Compiler#add_resource with another scope") unless compilation.at_work?(scope)

          compilation.declare(resource)
        end

        # (see ::Puppet::Parser::Compiler#evaluate_classes)
        def evaluate_classes(classes, scope, lazy_evaluate = true)
          # Puppet evaluates them later, or knows less of the parameters.
          compilation.decline("Puppet::Parser::Compiler#evaluate_classes") if lazy_evaluate || classes.is_a?(Hash)

          compilation.values.lend do
            compilation.runtime.compiler.evaluate_classes(compilation.values.from_puppet(classes), scope, lazy_evaluate)
            nil
          end
          classes.map { |name| catalog.resource("Class", name) }
        end

        # @return [Array<LentResource>] the resources that Puppet does not add to the catalog by itself
        def resources
          catalog.resources.reject { |resource| resource.stage? && resource.title == :main || resource.ref == "Class[Settings]" }
        end

        decline_others_of(::Puppet::Parser::Compiler,
          %i[node environment loaders topscope findresource classlist code_id with_context_overrides])

        private

        # Changes by a function would still be in the node when Puppet begins again.
        def lend_node(node)
          lent = node.dup
          lent.parameters = node.parameters.dup.freeze
          lent.classes = node.classes.dup.freeze
          lent.freeze
        end
      end

      # The catalog that functions of Puppet get.
      class LentCatalog < ::Puppet::Resource::Catalog
        extend StandIn
        stands_in_for ::Puppet::Resource::Catalog
        include SingletonGuard
        extend Declining

        # @return [Compilation]
        attr_reader :compilation

        # @param node [::Puppet::Node]
        # @param compilation [Compilation]
        def initialize(node, compilation)
          @compilation = compilation
          super(node.name, node.environment)
          @version = node.environment.known_resource_types.version
        end

        # (see ::Puppet::Resource::Catalog#resource)
        def resource(type, title = nil)
          type = type.name if type.respond_to?(:name) && !type.is_a?(::Puppet::Pops::Types::PAnyType)
          compilation.lend_resource(lent.resource(type.to_s, title&.to_s))
        end

        # @return [Array<LentResource>]
        def resources = lent.resources.map { |resource| compilation.lend_resource(resource) }
        alias vertices resources

        # (see ::Puppet::Resource::Catalog#resource_keys)
        def resource_keys = lent.resource_keys

        # (see ::Puppet::Resource::Catalog#classes)
        def classes = lent.classes

        # (see ::Puppet::Util::Tagging#tags)
        def tags = ::Puppet::Util::TagSet.new(lent.tags)

        # (see ::Puppet::Util::Tagging#tagged?)
        def tagged?(*tags) = lent.tagged?(*tags)

        decline_others_of(::Puppet::Resource::Catalog, %i[name version code_id catalog_uuid environment environment_instance
                                                          host_config? to_s title_key_for_ref])
        decline_others_of(::Puppet::Graph::SimpleGraph, %i[vertices to_s])
        decline_others_of(::Puppet::Util::Tagging, [])

        private

        def lent = compilation.runtime.catalog_so_far
      end
    end
  end
end
