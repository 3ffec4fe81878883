# frozen_string_literal: true

require_relative "../compat/util_errors"

module Puppetfn
  # The class below has Puppet's name for it.
  const_set(:Scope, Puppet.const_set(:Parser, Module.new).const_set(:Scope, Class.new))

  # The top scope: variables from the facts and variables of the runtime, and variables set since.
  #
  # Functions see it as their `closure_scope`, and as the scope of their caller. A function of the 3.x API is
  # a method `function_NAME` of it, which is loaded when it is first called.
  class Scope
    autoload :Defaults, "#{__dir__}/scope/defaults"
    autoload :Ephemeral, "#{__dir__}/scope/tables"
    autoload :LocalScope, "#{__dir__}/scope/tables"
    autoload :MatchScope, "#{__dir__}/scope/tables"
    autoload :Queries, "#{__dir__}/scope/queries"

    include Puppet::Util::Errors
    include Translation
    include Queries
    extend Queries::ClassMethods
    include RedefinedScope

    # Variables that exist without a value.
    BUILT_IN_VARS = %w[module_name caller_module_name].freeze

    # Variables that only the runtime can set.
    RESERVED = %w[trusted facts server_facts].freeze

    # Functions of the 3.x API that Puppet defines before it loads any.
    LOGGING = Logs::LEVELS.map { |level| :"function_#{level}" }.freeze
    private_constant :LOGGING

    # Names of match variables.
    MATCH_RESULT = /\A(?:0|[1-9]\d*)\z/

    # @return [Runtime]
    attr_reader :runtime

    # @param runtime [Runtime, Compiler]
    # @param facts [Hash{String=>Object}] become `$facts` and a variable each
    # @param variables [Hash{String=>Object}] take precedence over facts
    # @param trusted [Hash{String=>Object}] becomes `$trusted`
    # @param server_facts [Hash{String=>Object}] becomes `$server_facts`
    def initialize(runtime, facts: {}, variables: {}, trusted: {}, server_facts: {})
      runtime = runtime.runtime if runtime.is_a?(Compiler)
      @runtime = runtime
      @changes = 0
      extend(runtime.legacy_functions)
      @variables = variables_of_node(facts, trusted, server_facts)
      @node_parameters = variables.except(*RESERVED)
      @node_parameters.each { |name, value| @variables.set(name.to_s, value) }
      @is_ready = true
    end

    # Returns the value of a variable.
    #
    # @param name [String] a name, with or without leading `::`
    # @return [Object, nil]
    # @raise [ArgumentError] when there is no such variable and `Puppet[:strict]` is `:error`, as in Puppet 8
    def lookupvar(name, options = {})
      unless name.is_a?(String)
        raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string"
      end

      outer = asked_instead(name)
      return outer.lookupvar(name, options) if outer

      found = variable_of_caller(name)
      found ||= @variables.get(name)
      found ? lent(name, found.first) : variable_not_found(name)
    end

    # (see #lookupvar)
    def [](name, options = {})
      lookupvar(name, options)
    end

    # Sets a variable that has no value yet.
    #
    # @param name [String]
    # @param value [Object]
    # @return [Object] the value
    # @raise [Puppet::ParseError] when the variable has a value or cannot be set
    def setvar(name, value, options = {})
      raise Puppet::ParseError, "Cannot assign to a numeric match result variable '$#{name}'" if name.to_s.match?(/\A\d+\z/)
      unless name.is_a?(String)
        raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string"
      end
      if RESERVED.include?(name) && !options[:privileged]
        raise Puppet::ParseError, "Attempt to assign to a reserved variable name: '#{name}'"
      end
      if assigned?(name)
        raise Puppet::ParseError.new("Cannot reassign variable '$#{name}'", options[:file], options[:line])
      end

      assign(name, value)
    end

    # (see #setvar)
    def []=(name, value)
      setvar(name, value)
    end

    # @!method set_facts(value)
    #   Sets `$facts`, which no code can; and so on for `$trusted` and `$server_facts`.
    #   @param value [Hash{String=>Object}]
    #   @return [void]
    RESERVED.each do |name|
      define_method(:"set_#{name}") do |value|
        @variables.set_frozen(name, name == "facts" ? fact_value(value) : frozen(value))
        @changes += 1
      end
    end

    # @api private
    # @return [Hash{String=>Object}] variables that the runtime was made with, besides facts
    attr_reader :node_parameters

    # @api private
    # @return [Integer] the number of assignments by functions
    attr_reader :changes

    # @param name [String]
    # @return [Boolean] whether a variable has a value other than undef
    def include?(name)
      catch(:undefined_variable) { return !lookupvar(name).nil? }
      false
    end

    # @param name [String]
    # @return [Boolean] whether a variable exists, even if it is undef
    def exist?(name)
      return true if variable_of_caller(name)

      name = name.delete_prefix("::")
      @variables.key?(name) || BUILT_IN_VARS.include?(name)
    rescue Puppet::Pops::Evaluator::UnevaluatedParameter
      true
    end

    # @param name [String]
    # @return [Boolean] whether the scope, or the function or lambda that runs in it, has a variable of its own
    def bound?(name)
      in_function? ? runtime.evaluator.caller_local_variable?(name) : assigned?(name)
    end

    # The variables of the top scope, which functions and code share.
    #
    # @api private
    # @return [Variables]
    attr_reader :variables

    # Returns all variables of the scope, except variables of classes.
    #
    # @param include_undef [Boolean] whether to include variables that are undef
    # @return [Hash{String=>Object}]
    def to_hash(_recursive = true, include_undef = false)
      variables = @variables.to_hash
      # The variables of functions and lambdas hide variables of the scope.
      variables.update(runtime.evaluator.caller_variables) if runtime.evaluated? && runtime.evaluator.at_top?
      include_undef ? variables : variables.reject { |_, value| value.nil? || value == :undef }
    end

    # Returns the result of {#to_hash}.
    #
    # @api private
    # @param recursive [Boolean]
    # @param include_undef [Boolean]
    # @return [Hash{String=>Object}] must not be changed
    def in_sight_now(recursive, include_undef)
      to_hash(recursive, include_undef)
    end

    # Lends variables to a template for the length of a block: all code then sees the changes that the template makes to
    # their hashes and arrays, as in Puppet.
    #
    # @api private
    # @param names [Array<String>, nil] the variables that the template uses; nil where it may use any
    # @yieldparam variables [Hash{String=>Object}] as of {#to_hash}
    # @return [Object] the result of the block
    def lend(names = nil)
      outermost = @lent.nil?
      begin
        @lent ||= {}
        variables = names ? in_sight_of(names) : to_hash
        result = yield variables.to_h { |name, value| [name, lent(name, value)] }
        take_back if outermost
        result
      ensure
        @lent = nil if outermost
      end
    end

    # @api private
    # @return [Boolean] whether a template is being rendered
    def lending?
      !@lent.nil?
    end

    # Returns a variable of the function or lambda whose code called the running function, if that code is of the
    # top scope.
    #
    # @api private
    # @param name [String]
    # @return [Array(Object), nil] its value, if there is such a variable
    def variable_of_caller(name)
      return if !runtime.evaluated? || name.start_with?("::") || !runtime.evaluator.at_top?

      runtime.evaluator.caller_variable(name)
    end

    # Calls a function, with the arguments in an array.
    #
    # @param name [String, Symbol]
    # @param args [Array]
    # @return [Object]
    def call_function(name, args, &block)
      here { runtime.call_function_for(self, name.to_s, *args, &block) }
    end

    # @!method notice(message)
    #   Logs a message, or several joined by spaces; and so on for each level.
    #   @param message [String, Array<String>]
    #   @return [void]
    Logs::LEVELS.each do |level|
      define_method(level) { |message| runtime.logs.add(level, message.is_a?(Array) ? message.join(" ") : message, to_s) }
    end

    # @return [Hash{String=>Object}]
    def facts
      @variables.get("facts").first
    end

    # @return [Hash{String=>Object}]
    def trusted
      @variables.get("trusted").first
    end

    # @return [Environment]
    def environment
      runtime.environment
    end

    # @return [Compiler]
    def compiler
      runtime.compiler
    end

    # @return [Catalog] as it is now
    # @raise (see Compiler#catalog)
    def catalog
      compiler.catalog
    end

    # @param type [String, #name] a type, or a reference such as `File[/tmp/x]` without a title
    # @param title [String, nil]
    # @return [Puppet::Parser::Resource, nil] the resource, if it is declared
    # @raise (see Compiler#catalog)
    def findresource(type, title = nil)
      compiler.findresource(type, title)
    end

    # @return [Scope] self
    def find_global_scope
      self
    end

    # @return [true]
    def is_topscope?
      true
    end

    # @return [nil] there is no enclosing scope
    def parent
      nil
    end

    # @return [Puppet::Parser::Resource, nil] the class or resource in which the running function is called;
    #   nil where code is a script
    def resource
      type, title = here { runtime.evaluator.container } if runtime.evaluator.makes_catalog?
      Puppet::Parser::Resource.declared(runtime, type, title) if type
    end

    # @return [Puppet::Resource::Type] the class without a name that the top scope is of, always the same: specs replace its methods
    def source
      @source ||= Puppet::Resource::Type.new(:hostclass, "", "", runtime)
    end

    # @return [String] names the class or resource in which the running function is called
    def to_s
      "Scope(#{resource})"
    end
    alias inspect to_s

    # Why a class has no variables, if it has none.
    #
    # @api private
    # @param name [String]
    # @return [String, nil]
    def problem_of_class(name)
      if !runtime.evaluated? || !runtime.evaluator.class?(name)
        "class #{name} could not be found"
      elsif !@variables.key?("#{name}::title")
        "class #{name} has not been evaluated"
      end
    end

    private

    def in_function?
      runtime.evaluated? && runtime.evaluator.caller_local? && stands_for_caller?
    end

    def stands_for_caller?
      runtime.evaluator.at_top?
    end

    def assigned?(name)
      @variables.key?(name)
    end

    # @return [nil] the top scope has no enclosing scope
    def asked_instead(_name)
      nil
    end

    # Acts in the scope that this object represents, whatever code has called the running function.
    def here(&block)
      runtime.evaluated? && !runtime.evaluator.at_top? ? runtime.evaluator.at_top(&block) : yield
    end

    # Returns the variables about the node, and the settings.
    def variables_of_node(facts, trusted, server_facts)
      variables = fact_variables(facts)
      variables.set_frozen("trusted", fact_value(trusted))
      variables.set_frozen("server_facts", fact_value(server_facts))
      # Where tasks run there is no catalog whose environment it could be.
      variables.set("environment", runtime.environment.to_s) unless runtime.settings[:tasks]
      variables.share(runtime.settings.variables)
      variables
    end

    def fact_variables(facts)
      Facts.variables(facts)
    end

    def assign(name, value)
      @variables.set(name, value)
      @changes += 1
    end

    # Returns the variables of {#to_hash} with some names, and variables whose names templates cannot use as they are.
    def in_sight_of(names)
      (names + odd_names).to_h { |name| [name, value_in_sight(name)] }.reject { |_, value| value.nil? || value == :undef }
    end

    # Code cannot have variables of such names, but facts and functions can.
    def odd_names
      @variables.odd_names
    end

    def value_in_sight(name)
      (variable_of_caller(name) || @variables.get(name))&.first
    rescue Puppet::Pops::Evaluator::UnevaluatedParameter
      @variables.get(name)&.first
    end

    # Returns the value of a variable. A template gets the same object each time.
    def lent(name, value)
      return value unless @lent && (value.is_a?(Hash) || value.is_a?(Array)) && !value.frozen?

      object, = @lent[[runtime.evaluator.caller_scope, name]] ||= [value, value.hash]
      object
    end

    def take_back
      @lent.each do |(_, name), (value, hash)|
        runtime.evaluator.change_variable(name, value) if value.hash != hash
      end
    end

    # Loads a function of the 3.x API and calls it.
    def method_missing(name, *args, &block)
      function = name.name.delete_prefix("function_") if name.start_with?("function_")
      return super unless function && runtime.legacy_functions.find(function.to_sym)

      public_send(name, *args, &block)
    end

    # As in Puppet, a scope has the loaded functions, and the functions that log.
    def respond_to_missing?(name, _include_private = false)
      LOGGING.include?(name)
    end

    def variable_not_found(name)
      return if BUILT_IN_VARS.include?(name) || MATCH_RESULT.match?(name)

      # Callers that can do without the variable catch this; nobody else should notice it.
      begin
        throw :undefined_variable
      rescue UncaughtThrowError
        complain_about(name)
      end
      nil
    end

    def complain_about(name)
      class_name, found, = name.delete_prefix("::").rpartition("::")
      unless found.empty?
        reason = problem_of_class(class_name)
        name = "#{"::" unless reason}#{name.delete_prefix("::")}"
      end
      message = "Undefined variable '#{name}'; #{reason}"
      case runtime.settings[:strict].to_sym
      when :error then raise Error[ArgumentError], message
      when :warning
        runtime.activate { Puppet.warn_once("undefined_variables", "Variable: #{name}", message) }
      end
    end

    # Data that no function may change.
    def frozen(value)
      case value
      when Hash then value.to_h { |key, element| [frozen(key), frozen(element)] }.freeze
      when Array then value.map { |element| frozen(element) }.freeze
      when String then value.frozen? ? value : value.dup.freeze
      else value
      end
    end

    def fact_value(value)
      Facts.convert(value)
    end
  end
end
