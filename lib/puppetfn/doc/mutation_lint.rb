# frozen_string_literal: true

require_relative "mutation"
require_relative "parameters"
require_relative "syntax"

class Puppetfn::Doc
  # Changes of arguments, which belong to the caller.
  #
  # A method's code is followed from top to bottom. A parameter that is assigned to is not an argument any more
  # from there on, on whatever path; a parameter of a block with the same name is another variable.
  #
  # @api private
  class MutationLint
    include Syntax

    # Methods whose results are parts of the receiver.
    PARTS = %w[[] at dig fetch first last].freeze
    private_constant :PARTS

    # @param declaration [Declaration]
    # @param report [#call] takes the line, the name of the rule and the message
    def initialize(declaration, report)
      @declaration = declaration
      @report = report
    end

    def run
      entries = @declaration.handlers.group_by(&:method_name)
      if entries.empty?
        method = @declaration.default_method
        follow_method(method, []) if method
      end
      entries.each do |name, dispatches|
        method = @declaration.method_named(name)
        follow_method(method, dispatches) if method
      end
    end

    private

    def follow_method(method, dispatches)
      @arguments = bound(Parameters.new(@declaration.source, method), dispatches)
      follow(method.last)
    end

    # By the names of variables: the types that arguments may have, and whether it is a list of arguments.
    def bound(parameters, dispatches)
      found = {}
      parameters.names.each_with_index do |name, index|
        places = dispatches.empty? ? [{type: nil}] : dispatches.map { |dispatch| place(dispatch, index) }
        found[name] = Argument.new(places.map { |one| one[:type] }, false) if name && !places.include?(nil)
      end
      is_injected = dispatches.any? { |dispatch| dispatch.places.include?(nil) }
      found[parameters.rest] = Argument.new([nil], true) if parameters.rest && !is_injected
      found
    end

    # What is declared for the place of a parameter; nil for what is injected.
    def place(dispatch, index)
      places = dispatch.places
      return places[index] if index < places.size

      places.last&.fetch(:kind) == "repeated" ? places.last : {type: nil}
    end

    def follow(node)
      return unless node.is_a?(Array)
      return node.each { |part| follow(part) } unless node?(node)

      case node
      in [:def | :defs | :class | :module | :sclass, *] then return
      in [:do_block | :brace_block | :lambda, parameters, *] then return follow_block(node, parameters)
      else node.drop(1).each { |part| follow(part) }
      end
      inspect_change(node)
      assigned(node).each { |name| @arguments.delete(name) }
    end

    # The variables of a block are its own; what it assigns to others remains.
    def follow_block(node, parameters)
      own = []
      walk(parameters) { |part| own << part[1] if part.first == :@ident }
      hidden = @arguments.slice(*own)
      own.each { |name| @arguments.delete(name) }
      node.drop(2).each { |part| follow(part) }
      @arguments.merge!(hidden)
    end

    # Returns the names of the variables that are assigned to.
    def assigned(node)
      return [] unless %i[assign opassign massign for rescue].include?(node.first)

      names = []
      walk(node[1]) { |part| names << variable(part) if part.first == :var_field }
      names.compact
    end

    def inspect_change(node)
      change = Mutation.of(node) or return
      name, is_part = root(change.receiver)
      argument = @arguments[name] or return
      # The list itself is made for the call.
      return if argument.is_list && !is_part
      return unless change.certain?(is_part ? [nil] : argument.types)

      @report.call(start(node).first, "mutated_argument",
                   "#{is_part ? "a part of " : ""}the argument #{name} is changed by `#{change.name}`, and with it the " \
                   "value of the caller; #{change.advice}")
    end

    # Returns the variable at the start of a chain of accesses, and whether there is such a chain.
    def root(node)
      node = node[1].last while node in [:paren, [[*], *]]
      name = variable(node)
      return [name, false] if name

      receiver =
        case node
        in [:aref, inner, _] then inner
        else
          called = call(node)
          called.receiver if called && PARTS.include?(called.name)
        end
      receiver ? [root(receiver).first, true] : [nil, false]
    end

    # What is known of the arguments that a variable stands for.
    Argument = Struct.new(:types, :is_list)
    private_constant :Argument
  end
end
