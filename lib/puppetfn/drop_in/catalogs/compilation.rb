# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Puppet has to compile the catalog.
      class Declined < StandardError; end

      # A catalog in the making: puppetfn evaluates its code, and calls the functions in Ruby that Puppet has loaded.
      class Compilation
        # The key of the compilation at work in a fiber.
        CURRENT = :__puppetfn_compilation__
        private_constant :CURRENT

        class << self
          # @return [Compilation, nil] the one at work in this fiber
          def current
            Thread.current[CURRENT]
          end
        end

        # @return [Values]
        attr_reader :values

        # @return [EffectGuard]
        attr_reader :effect_guard

        # @return [StrictSettings]
        attr_reader :strict_settings

        # @return [Declined, nil] why Puppet has to compile the catalog, even where a function has rescued it
        attr_reader :declined

        # @param node [::Puppet::Node]
        # @yieldparam compilation [Compilation] this
        # @yieldreturn [CatalogRuntime] when it is first needed
        def initialize(node, &make_runtime)
          @node, @make_runtime = node, make_runtime
          @values = Values.new(self)
          @strict_settings = StrictSettings.new(self)
          @effect_guard = EffectGuard.new(self)
          @scopes = {}.compare_by_identity
          @resources = {}
          @functions = {}
        end

        # @return [CatalogRuntime]
        def runtime
          @runtime ||= @make_runtime.call(self)
        end

        # Makes this the compilation at work for the length of a block.
        #
        # @yieldreturn [Object]
        # @return [Object] the result of the block
        def work(&block)
          thread = Thread.current
          before = thread[CURRENT]
          begin
            thread[CURRENT] = self
            ::Puppet.override(context, "For compiling #{@node.name}", &block)
          ensure
            thread[CURRENT] = before
          end
        end

        # Leaves the catalog to Puppet.
        #
        # @param reason [String]
        # @raise [Declined] always
        def decline(reason)
          raise decline_later(reason)
        end

        # Leaves the catalog to Puppet when its code has been evaluated.
        #
        # @param reason [String]
        # @return [Declined]
        def decline_later(reason)
          @declined ||= Declined.new(reason)
        end

        # @return [Boolean] whether this is the compilation at work in this fiber
        def at_work_here? = equal?(Compilation.current)

        # @return [::Puppet::Pops::Loaders] the loaders of the environment, which keep the code that they have loaded
        def loaders
          @loaders ||= ::Puppet::Pops::Loaders.new(@node.environment)
        end

        # @return [LentCompiler]
        def compiler
          @compiler ||= LentCompiler.new(@node, self)
        end

        # @param scope [Puppetfn::Scope]
        # @return [LentScope] the same for the same scope
        def lend_scope(scope)
          return compiler.topscope if scope.equal?(runtime.scope)

          @scopes[scope] ||= LentScope.new(compiler, self, scope)
        end

        # @param scope [::Puppet::Parser::Scope]
        # @return [Boolean] whether it is the scope of the caller of the running function
        def at_work?(scope)
          scope.equal?(lend_scope(runtime.caller_scope))
        end

        # @param resource [Puppetfn::Puppet::Parser::Resource, nil]
        # @return [LentResource, nil] the same for the same resource
        def lend_resource(resource)
          return if resource.nil?

          lent = @resources[resource.ref]
          lent ? lent.show(resource) : @resources[resource.ref] = LentResource.new(resource, lend_scope(runtime.caller_scope))
        end

        # @return [::Puppet::Node::Environment]
        def environment
          @node.environment
        end

        # Declares a resource where the function is called that runs.
        #
        # @param resource [::Puppet::Resource]
        # @return [void]
        def declare(resource)
          decline("a resource with a line, but no file") if resource.line && resource.file.nil?

          exposure = (:exported if resource.exported) || (:virtual if resource.virtual) || :regular
          parameters = resource.to_hash.to_h { |name, value| [name.to_s, values.from_puppet(value)] }
          values.lend do
            runtime.evaluator.declare(resource.type, resource.title.to_s, parameters, exposure, [resource.file, resource.line])
            runtime.evaluator.tag(resource.type, resource.title.to_s, resource.tags.to_a)
            nil
          end
          # From now on it is the one in the catalog, which its owner might change.
          resource.parameters.each_value(&:freeze).freeze
          resource.freeze
        end

        # Finds exported resources of other nodes for a collector.
        #
        # @param type [String]
        # @param condition [Array, nil] in PuppetDB's AST query language
        # @return [Array<Array(String, String, Hash)>] see {ExportSearch#find}
        def find_exports(type, condition)
          scope = lend_scope(runtime.caller_scope)
          ExportSearch.new(self, @node.name).find(type, condition, scope)
        end

        # A function in Ruby that Puppet finds.
        #
        # @param name [String]
        # @param module_name [String, nil] the module whose code calls it
        # @return [LoadedFunction, nil] nil if it does not exist, or is in the Puppet language
        def function(name, module_name)
          key = [name, module_name]
          @functions.fetch(key) { @functions[key] = find_function(name, loader(module_name)) }
        end

        # Whether a function that another calls is Puppet's business: it is written in Ruby, and no built-in one.
        #
        # @param name [String]
        # @param loader [::Puppet::Pops::Loader::Loader] of the one that calls
        # @return [Boolean]
        def in_ruby?(name, loader)
          return false if runtime.loader.built_in(name)

          found = loader.load(:function, name)
          found.nil? ? !!::Puppet::Parser::Functions.function(name, @node.environment) : !found.is_a?(::Puppet::Functions::PuppetFunction)
        end

        # Has Puppet compile the catalog if a function in Ruby that another calls has effects outside of it.
        #
        # @param name [String]
        # @param loader [::Puppet::Pops::Loader::Loader] of the one that calls
        # @return [void]
        # @raise [Declined]
        def expect_harmless(name, loader)
          find_function(name, loader)&.expect_harmless
        end

        # Calls a function for one of Puppet's.
        #
        # @param scope [::Puppet::Parser::Scope] the scope that it acts in
        # @param name [String, Symbol]
        # @param arguments [Array<Object>] values of Puppet
        # @return [Object] a value of Puppet
        def call_function(scope, name, arguments, &block)
          values.lend do
            function = runtime.loader.load(:function, name.to_s)
            raise runtime.loader.unknown("Unknown function '#{name}'", name) unless function

            arguments, block = values.from_puppet(arguments), values.block_from_puppet(block)
            in_scope(scope) { function.call(scope.lent, *arguments, &block) }
          end
        end

        private

        # Calls act where the scope is, which may be above the running code.
        def in_scope(scope, &call)
          evaluator = runtime.evaluator
          runtime.activate { scope.is_topscope? && !evaluator.at_top? ? evaluator.at_top(&call) : yield }
        end

        def context
          {current_environment: @node.environment, loaders: -> { loaders }, global_scope: -> { compiler.topscope }}
        end

        def loader(module_name)
          (loaders.private_loader_for_module(module_name) if module_name) || loaders.private_environment_loader
        end

        def find_function(name, loader)
          found = loader.load(:function, name)
          return if found.is_a?(::Puppet::Functions::PuppetFunction)
          return LoadedFunction.new(self, name, found) if found

          method = ::Puppet::Parser::Functions.function(name, @node.environment)
          LegacyFunction.new(self, name, method) if method
        end
      end
    end
  end
end
