# frozen_string_literal: true

module Puppetfn
  # The scope of the code of a class, node or defined type that called the running function.
  #
  # Functions see it as the scope of their caller, and templates as their scope. A runtime has only one: it always stands
  # for the scope of the running code.
  class CallerScope < Scope
    # @return [String] the name of all scopes, in Puppet
    def self.name
      superclass.name
    end

    # @param top [Scope] the top scope
    # @param number [Integer, nil] the fixed scope; nil for the scope of the code that called the
    #   running function
    def initialize(top, number = nil) # rubocop:disable Lint/MissingSuper
      @top = top
      @number = number
      @runtime = top.runtime
      @variables = top.variables
      @changes = 0
      @assigned = Hash.new { |scopes, scope| scopes[scope] = {} }
      extend(runtime.legacy_functions)
      @is_ready = true
    end

    # Stands for the scope of the code that called the running function from now on.
    #
    # @api private
    # @return [Integer] the number of the scope
    def pin
      @number ||= runtime.evaluator.caller_scope
    end

    # (see Scope#number)
    def number = @number || runtime.evaluator.caller_scope

    # (see Scope#variable_of_caller)
    def variable_of_caller(name)
      # Functions get the values that they have set as the same objects.
      assigned = @assigned[number] if @assigned.any?
      return [assigned[name]] if assigned&.key?(name)

      here { runtime.evaluator.caller_variable(name) }
    end

    # Returns all variables that the code sees, except variables of classes, which are named with the class.
    #
    # @param recursive [Boolean] whether to include variables of the node and of the top scope
    # @param include_undef [Boolean] whether to include variables that are undef
    # @return [Hash{String=>Object}]
    def to_hash(recursive = true, include_undef = false)
      in_sight_now(recursive, include_undef).dup
    end

    # Returns the result of {#to_hash}: the same Hash, which must not be changed, for as long as nothing changes.
    #
    # @api private
    # @param recursive [Boolean]
    # @param include_undef [Boolean]
    # @return [Hash{String=>Object}]
    def in_sight_now(recursive, include_undef)
      # Templates ask for one variable after the other.
      state = [@number, runtime.evaluator.caller_number, @changes, @top.changes, recursive, include_undef]
      @state, @in_sight = state, here { in_sight(recursive, include_undef) } unless state == @state
      @in_sight
    end

    # @return [Puppet::Resource::Type] the definition that the code is in
    def source
      kind, name, module_name = here { runtime.evaluator.source }
      Puppet::Resource::Type.new(kind.to_sym, name, module_name, runtime)
    end

    # @return [Scope] scope of the parent class or of the node, or the top scope
    def parent
      runtime.scope_numbered(runtime.evaluator.scope_parent(number) || 0)
    end

    # @return [Scope] the scope of the node, if it has one, or the top scope
    def find_global_scope
      runtime.scope_numbered(runtime.evaluator.scope_global(number))
    end

    # @return [Scope] scope of the node, or the top scope, whichever is nearer
    def enclosing_scope
      outer = parent
      outer.is_topscope? || outer.is_nodescope? ? outer : outer.enclosing_scope
    end

    # @return [Boolean] false
    def is_topscope?
      false
    end

    private

    def stands_for_caller?
      @number.nil? || runtime.evaluator.caller_scope == @number
    end

    def assigned?(name)
      # Groups of a match have values without being bound.
      !MATCH_RESULT.match?(name) && !here { runtime.evaluator.caller_variable(name) }.nil?
    end

    # Returns the scope around this one, if it may look up a variable in a way of its own.
    def asked_instead(name)
      return if !runtime.lookups_redefined? || name.include?("::") || MATCH_RESULT.match?(name)

      (inherited_scope || enclosing_scope) unless to_hash(false, true).key?(name)
    end

    # Acts in the scope that this object represents.
    def here(&block)
      stands_for_caller? ? yield : runtime.evaluator.in_scope(@number, &block)
    end

    def in_sight(recursive, include_undef)
      variables = recursive ? @top.to_hash(true, include_undef) : {}
      runtime.evaluator.caller_variables.each do |name, value|
        # A variable that is undef hides the one of an outer scope.
        value.nil? && !include_undef ? variables.delete(name) : variables[name] = value
      end
      variables.merge!(@assigned[number])
    end

    def odd_names
      super + (@assigned.any? ? @assigned[number].keys : [])
    end

    def assign(name, value)
      here { runtime.evaluator.set_caller_variable(name, value) }
      @assigned[number][name] = value
      @changes += 1
    end
  end
end
