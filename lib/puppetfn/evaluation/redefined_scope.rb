# frozen_string_literal: true

module Puppetfn
  # Singleton methods that functions define on a scope, as the module trlinkin/noop does with `lookupdefaults`.
  #
  # Puppet's evaluator calls them for the code of that scope. Here it asks a scope for the default parameters of resources.
  # Variables can be looked up in another way if no code has any; other methods that Puppet asks cannot be redefined.
  module RedefinedScope
    # Methods of scopes that Puppet's evaluator calls.
    EVALUATED = %i[
      [] []= bound? call_function catalog class_scope class_set compiler define_settings effective_symtable enclosing_scope
      environment ephemeral_from ephemeral_level exist? find_definition find_global_scope find_hostclass findresource
      get_local_variable has_local_variable? include? inherited_scope is_classscope? is_default? is_nodescope? is_topscope?
      lookup_qualified_variable lookupvar merge_settings new_ephemeral new_match_scope newscope parent parent_module_name
      pop_ephemerals push_ephemerals resource set_match_data setvar source to_hash variable_not_found with_global_scope
      with_guarded_scope with_local_scope with_parameter_scope
    ].freeze
    private_constant :EVALUATED

    # @param name [Symbol] a method that the scope alone has
    # @raise [UnavailableError] if the evaluator would have to call it
    def singleton_method_added(name)
      super
      redefined(name) if @is_ready
    end

    # (see Object#extend)
    def extend(*modules)
      super.tap { modules.flat_map(&:instance_methods).each { |name| redefined(name) } if @is_ready }
    end

    # @return [Class] callers of this are about to define methods
    def singleton_class
      runtime.pin_scope(self) if @is_ready
      super
    end

    # (see Object#instance_variable_set)
    def instance_variable_set(name, value)
      runtime.pin_scope(self) if @is_ready
      super
    end

    # @return [Integer] identifies the scope
    # @api private
    def number = 0

    # Returns the parameters that resources of a type have by default.
    #
    # @param type [String]
    # @return [Hash{Symbol=>Puppet::Parser::Resource::Param}]
    def lookupdefaults(type)
      return {} unless runtime.evaluated? && runtime.evaluator.makes_catalog?

      evaluator = runtime.evaluator
      outer = evaluator.scope_parent(number)
      values = outer ? runtime.scope_numbered(outer).lookupdefaults(type) : {}
      evaluator.scope_defaults(number, type.to_s).each do |name, value, file, line|
        param = Puppet::Parser::Resource::Param.new(name: name, value: value, source: source, file: file, line: line)
        values[name.to_sym] = param.freeze
      end
      values
    end

    # Sets parameters that resources of a type have by default.
    #
    # @param type [String]
    # @param params [Array<Puppet::Parser::Resource::Param>, Puppet::Parser::Resource::Param]
    # @return [void]
    # @raise [Puppet::ParseError] when one has a default value in the scope already
    def define_settings(type, params)
      runtime.evaluator.define_defaults(number, type.to_s, Array(params).map(&:to_change))
    end

    private

    def redefined(name)
      evaluator = runtime.evaluator
      runtime.pin_scope(self)
      return redefined_defaults(evaluator) if name == :lookupdefaults
      # Specs replace methods where no code waits for the answer.
      return unless EVALUATED.include?(name) && evaluator.caller_places.any?
      return runtime.redefine_lookups if name == :lookupvar && evaluator.redefine_lookups

      raise UnavailableError, "The method #{name} of one scope, which code would have to be evaluated with"
    end

    def redefined_defaults(evaluator)
      # Such methods add parameters to the instance variable of Puppet's scopes, from which Puppet compares overrides.
      @defaults ||= Scope::Defaults.of_scope(self)
      evaluator.redefine_defaults(number)
    end
  end
end
