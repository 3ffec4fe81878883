# frozen_string_literal: true

require_relative "syntax"

class Puppetfn::Doc
  # What a function defines that it should not: constants, classes, methods with the names of others.
  #
  # A function that builds on a class of its own choice, like `InternalFunction`, may do some of it.
  #
  # @api private
  class DefinitionLint
    include Syntax

    RESERVED = %w[closure_scope loader call_function].freeze
    # Methods that define methods whose names are arguments.
    DEFINING = %w[define_method alias_method attr attr_reader attr_writer attr_accessor attr_injected
                  attr_injected_producer].freeze
    # Methods of a scope that change what others see.
    SETTERS = %w[setvar []= add_resource].freeze
    private_constant :RESERVED, :DEFINING, :SETTERS

    # @param declaration [Declaration]
    # @param report [#call] takes the line, the name of the rule and the message
    def initialize(declaration, report)
      @declaration = declaration
      @report = report
    end

    def run
      return legacy_methods if @declaration.api == :ruby3x

      holder
      walk(@declaration.block) do |node|
        reserved(node)
        next unless @declaration.base.nil?

        constants(node)
        nested(node)
        state(node)
      end
      overridden("initialize", "initialize_without_super", "it must call super with its arguments, which tell the " \
                                                           "function its scope and its loader") { false }
      overridden("call", "call_without_dispatch", "it must call super or `self.class.dispatcher.dispatch`, or no " \
                                                  "dispatch is ever used") { |called| called.name == "dispatcher" }
    end

    private

    def report(node, rule, message)
      @report.call(start(node).first, rule, message)
    end

    # Returns the function itself, kept in a constant or global variable.
    def holder
      kept = @declaration.holder or return
      report(kept, "kept_function", "the function is kept in #{written(kept)}, so that a changed file cannot take its " \
                                    "place; only call create_function")
    end

    def constants(node)
      targets(node).each do |target|
        name = constant(target) or next
        report(target, "constant", "the constant #{name} is defined outside of the function, for all of Ruby, and stays " \
                                   "when the file is loaded again; use a method that returns the value")
      end
    end

    def nested(node)
      return unless %i[class module].include?(node.first)

      report(node, "nested_class", "the #{node.first} #{constant(node[1]) || node[1][1][1]} is defined outside of the " \
                                   "function, for all of Ruby, and stays when the file is loaded again; use methods of " \
                                   "the function, or a file in the module's lib/puppet_x")
    end

    def reserved(node)
      name = defined_name(node)
      return unless RESERVED.include?(name)

      report(node, "reserved_method", "the method #{name} takes the place of the one that Puppet gives to every " \
                                      "function; give it another name")
    end

    # Returns the name of the method that a node defines.
    def defined_name(node)
      case node
      in [:def, [_, name, _], *] then name
      in [:alias, name, _] then literal(name)
      else
        called = call(node)
        return unless called && called.receiver.nil? && DEFINING.include?(called.name)

        called.args.filter_map { |arg| literal(arg) }.find { |name| RESERVED.include?(name) }
      end
    end

    def state(node)
      targets(node).each do |target|
        what = changed_state(target) or next
        report(target, "global_state", "#{what} is changed for everybody; a function only returns a value")
      end
      called = call(node)
      return unless called&.receiver && SETTERS.include?(called.name) && of_scope?(called.receiver)

      report(node, "global_state", "`#{called.name}` changes what others see in the scope; return a value, or use " \
                                   "call_function with a function of Puppet's that does it")
    end

    def changed_state(target)
      case target
      in [:var_field, [:@gvar, name, _]] then name
      in [:aref_field, [:var_ref, [:@const, "ENV", _]], _] then "ENV"
      in [:aref_field, receiver, _] if of_scope?(receiver) then "the scope"
      else nil
      end
    end

    # Returns true if a node is the scope of the function, or something that it leads to.
    def of_scope?(node)
      called = call(node)
      called ? (called.receiver.nil? ? called.name == "closure_scope" : of_scope?(called.receiver)) : false
    end

    def overridden(name, rule, duty)
      method = @declaration.method_named(name) or return
      calls_on = false
      walk(method) do |node|
        calls_on ||= %i[super zsuper].include?(node.first) || ((called = call(node)) && yield(called))
      end
      report(method, rule, "the method #{name} takes the place of Puppet's; #{duty}") unless calls_on
    end

    def legacy_methods
      walk(@declaration.block) do |node|
        next unless %i[def defs].include?(node.first)

        name = node.first == :def ? node[1][1] : node[3][1]
        report(node, "legacy_method", "the method #{name} becomes one of the scope and of all functions, so Puppet does " \
                                      "not load the file; use a lambda, or write the function with create_function")
      end
    end

    # What is assigned to.
    def targets(node)
      case node
      in [:assign | :opassign, [:assign_error, _, target], *] then [target]
      in [:assign | :opassign, target, *] then [target]
      in [:massign, [Array, *] => targets, _] then targets
      else []
      end
    end

    def written(target)
      constant(target) || target[1][1]
    end
  end
end
