# frozen_string_literal: true

require "monitor"
%w[catalog_node compiling coverage exports given legacy origins puppetdb types writes].each { |file| require_relative "runtime/#{file}" }

module Puppetfn
  # Calls functions and checks types of the modules on a modulepath.
  #
  # @example
  #   runtime = Puppetfn::Runtime.new(modulepath: ["/usr/share/puppet/modules"])
  #   runtime.call_function("merge", {"a" => 1}, {"b" => 2})    # => {"a" => 1, "b" => 2}
  #   runtime.type("Stdlib::Port").instance?(8080)              # => true
  class Runtime
    include CatalogNode
    include Compiling
    include Exports
    include Puppetdb
    include Writes

    # The key of the runtime at work among a fiber's variables, and the existing permissions.
    CURRENT = :__puppetfn_runtime__
    PERMISSIONS = %i[exec].freeze
    private_constant :CURRENT, :PERMISSIONS

    class << self
      # Returns the runtime that is calling a function in this fiber.
      #
      # @return [Runtime, nil]
      def current
        Thread.current[CURRENT]
      end

      # The settings and logs of a program outside of any runtime, once `puppetfn/pal` is loaded.
      #
      # @api private
      # @return [Puppet::Pal::Process, nil]
      attr_accessor :process

      # Returns the object whose settings and logs apply here: the runtime at work, or the process if there is none.
      #
      # @api private
      # @param feature [String] the feature that needs it, for the error
      # @return [Runtime, Puppet::Pal::Process]
      def surroundings!(feature)
        current || process || current!(feature)
      end

      # Returns the runtime that is calling a function in this fiber.
      #
      # @param feature [String] the feature that needs it, for the error
      # @return [Runtime]
      # @raise [UnavailableError] when none is
      def current!(feature)
        current or raise UnavailableError.new(feature, "It can be used while a Puppetfn::Runtime calls a function.")
      end
    end

    # @return [Loader] finds the functions and types of the modules
    attr_reader :loader

    # @return [Environment] the environment that functions see
    attr_reader :environment

    # @return [Scope] the top scope, which functions see as their `closure_scope`
    attr_reader :scope

    # @return [Logs] the messages of functions
    attr_reader :logs

    # @return [Settings] the settings that functions see as `Puppet[:name]`
    attr_reader :settings

    # @return [Compiler] the compiler that functions can ask for
    attr_reader :compiler

    # The compilers of `puppetfn/pal`, by the names under which functions look them up.
    #
    # @api private
    # @return [Hash{Symbol=>Object}]
    attr_writer :pal_compilers

    # @return [Target] the release whose behaviour code sees
    attr_reader :target

    # @return [String, nil] the node that a catalog is made for; nil where code is a script
    attr_reader :node

    # @return [Injector] the bindings of values that functions have injected
    attr_reader :injector

    # @example
    #   runtime = Puppetfn::Runtime.new(modulepath: ["/usr/share/puppet/modules"], facts: {"os" => {"family" => "Debian"}})
    #   runtime.call_function("stdlib::extname", "a.conf")     # => ".conf"
    #   runtime.evaluate_string("$facts['os']['family']")     # => "Debian"
    # @param modulepath [Array<String>, String] directories with modules, in order of preference
    # @param environment [String, Environment, nil] the directory of an environment, whose `environment.conf` says where modules are
    #   unless `modulepath` does; an {Environment} has its modulepath
    # @param facts [Hash] the facts, by name: `$facts`, and a variable each
    # @param variables [Hash] variables of the top scope, by name
    # @param hiera_config [String, nil] the `hiera.yaml` of the global layer of data; the files of the environment and of
    #   modules are found by themselves
    # @param trusted [Hash] the trusted facts of the node: `$trusted`
    # @param server_facts [Hash, nil] the facts of the server, `$server_facts`; if nil, the facts of this machine, also as variables
    # @param settings [Hash{Symbol=>Object}] settings that are not Puppet's defaults: functions see all as `Puppet[:name]`, code as
    #   `$settings::name`. Texts may refer to other settings, as in `$vardir/lib`
    # @param strict [:off, :warning, :error] how to treat code that is probably a mistake: strings that are used as
    #   numbers, duplicate keys in hashes, changes of resources that come too late
    # @param strict_variables [Boolean] whether the use of a variable without a value is always an error; otherwise
    #   the variable is undef, and `strict` decides how that is reported
    # @param node [String, nil] the name of the node for which code is a manifest and makes a catalog; if nil, code
    #   is a script and declares no resources
    # @param strict_dependencies [Boolean] whether a module's functions may only call functions of modules that
    #   its `metadata.json` names as dependencies, if it names any
    # @param strict_names [Boolean] whether functions defined in manifests must be named as their specification
    #   demands: none replaces one of Puppet's own, and the namespace is `environment`, unless the function
    #   replaces one of a module
    # @param allow [Array<:exec>] additional permissions of functions: `:exec` lets them run programs (`generate`, `Puppet::Util::Execution`)
    # @param ruby [Boolean] whether Ruby code of modules is run: functions, ERB, types and providers; an error where it is used otherwise
    # @param outside_files [Boolean] whether code and data of modules and the environment may read files outside of
    #   modules, of the environment and of the directory of the `hiera_config`; reads by Ruby code are not checked
    # @param secrets [Boolean] whether data is decrypted, with the keys that hiera-eyaml and the module node_encrypt need. If not,
    #   placeholders replace it; they are equal where the encrypted data is equal
    # @param target [String, Symbol, Target, nil] the release whose behaviour code sees: `puppet8`, `openvox8` or `openvox9`; if nil, the
    #   {Target.default}
    # @raise [ArgumentError] when a permission or the `target` is unknown, `strict` is none of the three, a directory of the modulepath is not there,
    #   or facts and the like are no hashes
    def initialize(modulepath: [], environment: nil, facts: {}, variables: {}, hiera_config: nil, trusted: {}, server_facts: nil,
                   settings: {}, node: "localhost", strict: :error, strict_variables: true,
                   strict_dependencies: false, strict_names: false, allow: [], ruby: true, outside_files: true, secrets: true, target: nil)
      unknown = allow - PERMISSIONS
      raise Error[ArgumentError], "unknown permission #{unknown.first.inspect}, expected :exec" if unknown.any?

      modulepath = Given.modulepath(modulepath)
      Given.check_node(node)
      Given.check_hashes(facts: facts, variables: variables, trusted: trusted, server_facts: server_facts || {}, settings: settings)

      @allow = allow
      @ruby = ruby
      Facts.check_names(facts)
      @environment = environment.is_a?(Environment) ? environment : Environment.at(environment, modulepath)
      @node = node
      @strict_names = strict_names
      @target = Target.named(target || settings[Target::SETTING] || Target.default)
      @settings = make_settings(**settings.except(Target::SETTING), target: @target, strict: strict, strict_variables: strict_variables)
      @loading = {hiera_config: hiera_config, strict: strict, strict_dependencies: strict_dependencies, outside_files: outside_files,
                  secrets: secrets, target: @target}
      @top_values = {facts: facts, variables: variables, trusted: trusted, server_facts: server_facts}
      @logs = Logs.new
      @injector = Injector.new
      @making_evaluator = Monitor.new
      @setup = []
      begin_evaluation
    end

    # @param permission [Symbol]
    # @return [Boolean] whether functions may do this
    def allow?(permission)
      @allow.include?(permission)
    end

    # Returns the compiler that functions look up under a name of Puppet::Pal.
    #
    # @api private
    # @param name [:pal_compiler, :pal_script_compiler, :pal_catalog_compiler]
    # @return [Compiler, Puppet::Pal::Compiler, nil]
    def pal_compiler(name)
      return @pal_compilers[name] if @pal_compilers

      case name
      when :pal_script_compiler then @script_compiler ||= ScriptCompiler.new(self)
      when :pal_catalog_compiler then @compiler if @compiler.has_catalog?
      else @compiler
      end
    end

    # Defines a function of the 4.x API, in place of any other of its name: a built-in function, one of a module
    # or one that code defines. Code calls it, too.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.define_function("greet") do
    #     dispatch(:greet) { param "String", :name }
    #
    #     def greet(name)
    #       "Hello #{name}"
    #     end
    #   end
    #   runtime.evaluate_string("greet('Ann')") # => "Hello Ann"
    #
    # @param name [String, Symbol]
    # @param base [Class<Puppet::Functions::Function>]
    # @yield in the class of the function, as for {Puppet::Functions.create_function}
    # @return [Function]
    # @raise [StandardError] when anything is wrong with the function
    def define_function(name, base = Puppet::Functions::Function, &block)
      @setup << ->(runtime) { runtime.define_function(name, base, &block) }
      loader.replace(Puppet::Functions.create_loaded_function(name, loader, base, &block).new(nil, loader))
    end

    # Returns a resource type that a module defines in Ruby, in `lib/puppet/type/NAME.rb`, or that is Puppet's own.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.resource_type("file").parameters.first(3)  # => [:path, :backup, :recurse]
    #
    # @param name [String, Symbol]
    # @return [Class<Puppet::Type>, nil] nil when there is no such type
    # @raise [Puppet::Error] when the file of the type fails
    def resource_type(name)
      activate { resource_types.type(name) }
    end

    # @api private
    # @param _name [String] of a resource type
    # @return [Boolean] whether it was loaded for an earlier catalog
    def type_loaded?(_name)
      false
    end

    # Returns the outline of a resource type.
    #
    # @api private
    # @return [Array, nil] as of {Puppet::Type.outline}; nil when there is no such type
    def type_outline(name)
      resource_type(name)&.outline
    end

    # Returns the names of all functions.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.list_functions(/case/)  # => ["camelcase", "downcase", "upcase"]
    # @param pattern [Regexp, String, nil] pattern of their names
    # @return [Array<String>] sorted
    def list_functions(pattern = nil)
      names = loader.function_names
      pattern ? names.grep(pattern) : names
    end

    # Returns the signatures of a function.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.function_signature("strip").callable_with?(["a"])  # => true
    #   runtime.function_signature("strip").callables.first.to_s   # => "Callable[Numeric]"
    # @param name [String, Symbol]
    # @return [FunctionSignature, nil] nil when there is no such function
    def function_signature(name)
      function = loader.load(:function, name)
      function && FunctionSignature.new(function)
    end

    # Evaluates code in the Puppet language, in the top scope. Its variables, functions and types can be used by
    # code that is evaluated later; its functions can also be called from Ruby.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.evaluate_string("function double($x) { $x * 2 }")
    #   runtime.evaluate_string("[1, 2].map |$x| { double($x) }")  # => [2, 4]
    #   runtime.call_function("double", 21)                        # => 42
    # @param code [String]
    # @param file [String, nil] the name of its file in messages
    # @return [Object] the value of the last statement
    # @raise [Puppet::ParseError] when the code is not Puppet, and when its evaluation fails
    # @raise [Exception] whatever a function in Ruby raises
    def evaluate_string(code, file = nil)
      activate { evaluator.evaluate(code, file) }
    end

    # Evaluates a file in the Puppet language.
    #
    # @param path [String]
    # @return [Object] the value of the last statement
    # @raise (see #evaluate_string)
    # @raise [SystemCallError] when it cannot be read
    def evaluate_file(path)
      evaluate_string(read_named(path), path)
    end

    # Looks up data, as the function `lookup` does. The data of the environment and of modules is resolved for the node
    # whose facts and variables the runtime has.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new(environment: "spec/control_repository")
    #   runtime.lookup("ntp::servers")                            # => ["pool.ntp.org"]
    #   runtime.lookup(["ntp::pool", "ntp::peers"], default: [])  # => []
    # @param keys [String, Array<String>] the key, or several, of which the first with a value is used
    # @param merge [String, Hash, nil] how values are merged, unless the data decides
    # @param type [String, Type, nil] the type that the value must be an instance of
    # @param default [Object] the value where no key has one; without it, that is an error
    # @return [Object]
    # @raise [Puppet::DataBinding::LookupError] when there is no value, or the data has errors
    # @raise [Puppet::ParseError] when the type is none
    # @see #explain_lookup
    def lookup(keys, merge: nil, type: nil, **default)
      unknown = default.keys - [:default]
      raise Error[ArgumentError], "unknown keyword: #{unknown.first.inspect}, expected merge, type or default" if unknown.any?

      type = existing_type(type) if type.is_a?(String)
      options = {"name" => keys, "merge" => merge, "value_type" => type}.compact
      options["default_value"] = default[:default] if default.key?(:default)
      call_function("lookup", options)
    end

    # Explains how the function `lookup` finds its result, in the words of `puppet lookup --explain`.
    #
    # @param keys [String, Array<String>] the key, or several, of which the first with a value is used
    # @param merge [String, Hash, nil] how values are merged, unless the data decides
    # @param only_options [Boolean] whether to explain only the options of the keys
    # @return [String]
    def explain_lookup(keys, merge: nil, only_options: false)
      activate { evaluator.explain_lookup(Array(keys), merge, only_options) }
    end

    # Checks the files of modules and of the environment again, and drops stale definitions: functions in any
    # language, the helpers that they require, and types. The next calls use the files as they are now. Files
    # with the same time or content are not loaded again, unless a type or a helper has changed, which
    # anything may use.
    #
    # Other threads can call functions meanwhile; running calls continue with their definitions. The definitions of
    # evaluated code, and the classes of a catalog, stay.
    #
    # @return [Array<String>] the paths of loaded files that have changed or were removed
    def reload
      loader.reload
    end

    # Returns the resource types, once any are needed.
    #
    # @api private
    # @return [ResourceTypes]
    def resource_types
      sandbox.resource_types
    end

    # Drops the definitions of Ruby files if helpers or types have changed, and forgets which files were not found.
    #
    # @api private
    # @return [Boolean] whether it is dropped
    def forget_evaluated_files
      return false unless @evaluated_files

      @evaluated_files.sandbox.forget_misses
      return false if @evaluated_files.current?

      @evaluated_files = nil
      true
    end

    # @api private
    # @return [Array<String>] the files in Ruby that have changed since they were evaluated
    def changed_files
      @evaluated_files ? @evaluated_files.changed_files : []
    end

    # Returns the definitions of Ruby files, once any are evaluated.
    #
    # @api private
    # @return [EvaluatedFiles]
    def evaluated_files
      @evaluated_files || loader.synchronize do
        @evaluated_files ||= EvaluatedFiles.for(@environment, ruby: @ruby, target: target).tap { |files| files.sandbox.used_by(loader) }
      end
    end

    # @api private
    attr_writer :evaluated_files

    # Returns where files in Ruby are evaluated.
    #
    # @api private
    # @return [Sandbox]
    def sandbox
      evaluated_files.sandbox
    end

    # Returns true if the programs and files that providers need are taken to be there.
    #
    # @api private
    # @return [Boolean]
    def suits_providers?
      false
    end

    # Returns the loader for the evaluation of files that define functions.
    #
    # @api private
    # @param module_name [String, nil] the module that has the file
    # @return [Loader]
    def definition_loader(module_name)
      evaluated_files.loader(module_name)
    end

    # Returns the scope of the code that called the running function: the top scope, unless the code is in a class, node
    # or defined type.
    #
    # @api private
    # @return [Scope]
    def caller_scope
      return scope if !evaluated? || evaluator.at_top?

      @pinned_scopes&.[](evaluator.caller_scope) || (@caller_scope ||= CallerScope.new(scope))
    end

    # Ignores a deviation. Runtimes that stand in for an installed Puppet refuse it.
    #
    # @api private
    # @param _deviation [String] the case, such as `regsubst of Sensitive`
    # @param _since [Integer, nil] the first major version of Puppet with the same answer, if there is one
    # @param _feature [String, nil] the feature of Puppet with the same answer, if there is one
    # @return [void]
    def deviate(_deviation, _since, _feature) = nil

    # Is told of a key of data that a function looks up.
    #
    # @api private
    # @param _key [String]
    # @return [void]
    def looks_up(_key) = nil

    # Renders a template in ERB.
    #
    # @api private
    # @param scope [Scope] has the variables of the template
    # @param template [String]
    # @param path [String, nil] the file that it is from
    # @return [String]
    # @raise [RefusedError] when no Ruby is run
    def render_erb(scope, template, path)
      raise RefusedError.ruby("the template #{path || "that was given as a text"}") unless @ruby

      Puppet::Parser::TemplateWrapper.new(scope).render(template, path)
    end

    # Evaluates code in the Puppet language; made when it is first needed.
    #
    # @api private
    # @return [Evaluator]
    def evaluator
      @evaluator || @making_evaluator.synchronize { @evaluator ||= Evaluator.new(self, @strict_names, @node, scope.variables) }
    end

    # @api private
    # @return [Boolean] whether any code was evaluated
    def evaluated?
      !@evaluator.nil?
    end

    # Binds a value that functions can have injected, with `attr_injected` or `injected_param`.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.bind("String", "greeting") { "Hello" }
    #   runtime.define_function("greet") do
    #     attr_injected "String", :greeting, "greeting"
    #
    #     def greet(name)
    #       "#{greeting} #{name}"
    #     end
    #   end
    #   runtime.call_function("greet", "Ann")  # => "Hello Ann"
    # @param type [String, Type] the type that functions ask for; the value has to be an instance of it
    # @param key [String, nil] distinguishes bindings of the same type
    # @yieldparam scope [Scope] the scope in which it is first needed
    # @yieldreturn [Object] the value, which is then kept
    # @return [void]
    def bind(type, key = nil, &block)
      @injector.bind(type.is_a?(Type) ? type : type(type), key, &block)
    end

    # Binds values that can be injected into functions: each time that one is needed, the block makes a new one.
    #
    # @param type [String, Type] the type that functions ask for; the values have to be instances of it
    # @param key [String, nil] distinguishes bindings of the same type
    # @yieldparam scope [Scope] where it is needed: for an `injected_param`, the scope of the caller
    # @yieldreturn [Object] a value
    # @return [void]
    def bind_producer(type, key = nil, &block)
      @injector.bind_producer(type.is_a?(Type) ? type : type(type), key, &block)
    end

    # Parses code in the Puppet language. Warnings are added to {#logs}, and so are the errors if there are several.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.parse_string("$x + 1").to_pn  # => "(+ (var \"x\") 1)"
    #
    # @param code [String]
    # @param file [String, nil] the path of its file, for messages; the file of a module may only define the
    #   name that it stands for
    # @param tasks [Boolean] whether it is a plan or a script, in which `plan` and `apply` are keywords
    # @param epp [Boolean] whether it is a template
    # @return [Program]
    # @raise [Puppet::ParseError] when it is not Puppet, or something in it is not allowed
    def parse_string(code, file = nil, tasks: false, epp: false)
      Program.parse(code, file, tasks, epp, environment.modulepath) { |level, text| @logs.add(level, text) }
    end

    # Reads a file in the Puppet language; one that ends in `.epp` is a template.
    #
    # @param file [String]
    # @param tasks [Boolean] as for {#parse_string}
    # @return [Program]
    # @raise [Puppet::ParseError] as {#parse_string}
    def parse_file(file, tasks: false)
      parse_string(read_named(file), file, tasks: tasks, epp: file.end_with?(".epp"))
    end

    # Returns everything that is wrong or questionable with code. It raises and logs nothing.
    #
    # @example
    #   runtime = Puppetfn::Runtime.new
    #   runtime.validate_string("$a = 0x").map(&:to_s)  # => ["Not a valid hex number 0x (line: 1, column: 6)"]
    #
    # @param code [String]
    # @param file [String, nil] as for {#parse_string}
    # @param tasks [Boolean] as for {#parse_string}
    # @param epp [Boolean] as for {#parse_string}
    # @return [Array<Diagnostic>] in Puppet's order; a syntax error is the only one
    def validate_string(code, file = nil, tasks: false, epp: false)
      Program.check(code, file, tasks, epp, environment.modulepath).map { |values| Diagnostic.new(*values) }
    end

    # Makes this the runtime at work for the length of a block, as {#call_function} does.
    #
    # @yieldreturn [Object]
    # @return [Object] the result of the block
    def activate
      before = Thread.current[CURRENT]
      begin
        Thread.current[CURRENT] = self
        yield
      ensure
        Thread.current[CURRENT] = before
      end
    end

    # @return [String]
    def inspect
      "#<#{self.class} environment=#{environment} modulepath=#{environment.modulepath.inspect}>"
    end

    private

    def read_named(path)
      RegularFile.read_named(path)
    rescue SystemCallError => e
      raise e.extend(Error)
    end

    def make_loader(**options)
      Loader.for(environment, **options)
    end

    def make_settings(**given)
      Settings.new(environment, **given)
    end
  end
end
