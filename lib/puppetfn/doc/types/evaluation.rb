# frozen_string_literal: true

require_relative "../syntax"
require_relative "values"
require_relative "literals"

class Puppetfn::Doc
  module Types
    # Goes through Ruby code that declares types, without running it: literals, variables, lambdas and loops over
    # literals are followed, and what is called on what is declared. All else is {UNKNOWN}.
    #
    # @api private
    class Evaluation
      include Syntax
      include Literals

      LOOPS = %w[each map flat_map].freeze
      LAMBDAS = %w[lambda proc].freeze
      # What leaves what it is called on as it is, as far as is of interest here.
      CONVERSIONS = %w[freeze to_sym to_s keys values strip to_a intern chomp dup].freeze
      CONDITIONALS = %i[
        if unless if_mod unless_mod ifop case while until while_mod until_mod begin rescue_mod binary opassign
      ].freeze
      private_constant :LOOPS, :LAMBDAS, :CONVERSIONS, :CONDITIONALS

      # @return [Hash{String => Closure}] the methods of modules, as `Module.method`
      attr_reader :functions

      # @param declarations [Declarations] what constants of Puppet's declare
      # @param path [String] of the file
      def initialize(declarations, path)
        @declarations = declarations
        @path = path
        @constants = {}
        @functions = {}
      end

      # Goes through statements.
      #
      # @param statements [Array<Array>]
      # @param scope [Scope]
      # @return [Object] the value of the last one
      def run(statements, scope)
        statements.reduce(nil) { |_, statement| evaluate(statement, scope) }
      end

      # @param closure [Closure]
      # @param arguments [Array]
      # @param target [Target, nil] what `self` is in it
      # @return [Object]
      def apply(closure, arguments, target = closure.scope.target)
        scope = Scope.new(target, closure.scope.variables.dup)
        keywords, positional = closure.parameters.partition(&:keyword)
        options = keywords.any? && arguments.last.is_a?(Hash) ? arguments.last : {}
        positional.each_with_index do |parameter, index|
          given = index < arguments.length
          scope.variables[parameter.name] = given ? arguments[index] : default_of(parameter, scope)
        end
        keywords.each { |one| scope.variables[one.name] = options.fetch(one.name.to_sym) { default_of(one, scope) } }
        run(closure.body, scope)
      end

      # @return [Object] the value of an expression
      def evaluate(node, scope)
        return UNKNOWN unless node?(node)
        return conditional(node, scope) if CONDITIONALS.include?(node.first)

        called = call(node)
        return evaluate_call(called, scope) if called

        case node.first
        when :assign then assign(node[1], evaluate(node[2], scope), scope)
        when :paren then run(statements(node[1]), scope)
        when :sclass then run(statements(node[2]), scope)
        when :def then define(node[1][1], false, closure(node[2], node[3], scope, node))
        when :defs then define(node[3][1], true, closure(node[4], node[5], scope, node))
        when :module, :class then open_module(node[1], node.last)
        when :lambda then closure(node[1], node[2], scope, node)
        when :var_ref, :const_path_ref, :top_const_ref then reference(node, scope)
        else literal_value(node) { |inner| evaluate(inner, scope) }
        end
      end

      # Calls a method of a module that was read.
      #
      # @return [Object]
      def call_function(module_name, called, arguments, block)
        function = @functions["#{module_name}.#{called.name}"]
        return apply(function, arguments) if function && arguments.length <= function.parameters.length

        touch(arguments)
        may_run(block)
        UNKNOWN
      end

      # Goes through a block that other code may run, with anything.
      #
      # @param block [Closure, nil]
      def may_run(block)
        block&.scope&.target&.maybe { apply(block, block.parameters.map { UNKNOWN }) }
      end

      private

      def default_of(parameter, scope)
        parameter.default && evaluate(parameter.default, scope)
      end

      def evaluate_call(called, scope)
        return read(called) if %w[require require_relative].include?(called.name) && called.receiver.nil?

        receiver = called.receiver ? evaluate(called.receiver, scope) : scope.target
        block = block_of(called, scope)
        return block if called.receiver.nil? && called.block && LAMBDAS.include?(called.name)

        send_to(receiver, called, arguments_of(called.args, scope), block)
      end

      def send_to(receiver, called, arguments, block)
        case receiver
        when Closure then receiver_call(receiver, called, arguments)
        when Target then receiver.receive(called, arguments, block)
        when Constant
          declared = @declarations.declare(receiver.path, called, arguments, block, self)
          declared || call_function(receiver.name, called, arguments, block)
        when Array, Hash then block && LOOPS.include?(called.name) ? repeat(receiver, block) : convert(receiver, called, block)
        else
          touch(arguments)
          convert(receiver, called, block)
        end
      end

      def receiver_call(closure, called, arguments)
        %w[call ()].include?(called.name) ? apply(closure, arguments) : UNKNOWN
      end

      def repeat(collection, block)
        collection.each do |item|
          spread = item.is_a?(Array) && block.parameters.length > 1
          apply(block, spread ? item : [item])
        end
        UNKNOWN
      end

      def convert(receiver, called, block)
        may_run(block)
        known = !receiver.equal?(UNKNOWN) && CONVERSIONS.include?(called.name) && called.args.empty?
        known && receiver.respond_to?(called.name) ? receiver.public_send(called.name) : UNKNOWN
      end

      # Code that is not known may do anything with what it is given.
      def touch(arguments)
        arguments.grep(Target).each(&:touched)
      end

      def block_of(called, scope)
        return closure(called.block[1], called.block, scope, called.block) if called.block

        passed = called.passed_block && evaluate(called.passed_block, scope)
        passed if passed.is_a?(Closure)
      end

      def arguments_of(nodes, scope)
        nodes.flat_map do |node|
          next [evaluate(node, scope)] unless node.first == :args_add_star

          _, before, splat, *after = node
          spread = evaluate(splat, scope)
          arguments_of(before, scope) + (spread.is_a?(Array) ? spread : [UNKNOWN]) + arguments_of(after, scope)
        end
      end

      def assign(target, value, scope)
        case target
        in [:var_field, [:@ident, name, _]] then scope.variables[name] = value
        in [:var_field, [:@const, name, _]] then @constants[name] = value
        in [:var_field, [:@ivar, name, _]] then scope.target&.instance_variable(name, value)
        in [:field, [:var_ref, [:@kw, "self", _]], _, [_, name, place]]
          scope.target&.receive(Call.new(nil, "#{name}=", [], nil, place.first, nil), [value], nil)
        else nil
        end
        value
      end

      def define(name, singleton, method)
        method.scope.target&.method_defined(name, singleton, method)
        UNKNOWN
      end

      def open_module(name, body)
        run(statements(body), Scope.new(ModuleBody.new(constant(name) || name.dig(1, 1), self), {}))
        UNKNOWN
      end

      def reference(node, scope)
        case node
        in [:var_ref, [:@kw, "self", _]] then scope.target
        in [:var_ref, [:@ident, name, _]] then scope.variables.fetch(name, UNKNOWN)
        in [:var_ref, [:@kw, word, _]] then {"true" => true, "false" => false, "nil" => nil}.fetch(word, UNKNOWN)
        else
          path = constant(node)
          path ? @constants.fetch(path.split("::").last) { Constant.new(path) } : UNKNOWN
        end
      end

      # Goes through what is done in some cases only.
      def conditional(node, scope)
        inner = Scope.new(scope.target, scope.variables.dup)
        scope.target&.maybe { parts(node, inner) }
        UNKNOWN
      end

      def parts(part, scope)
        return unless part.is_a?(Array)
        return part.each { |inner| parts(inner, scope) } unless node?(part)

        is_part = CONDITIONALS.include?(part.first) || %i[else elsif when in rescue ensure bodystmt args_add_block].include?(part.first)
        is_part ? part.drop(1).each { |inner| parts(inner, scope) } : evaluate(part, scope)
      end

      # Reads a file beside the one at hand. Those of other directories say nothing of types.
      def read(called)
        name = called.args.first && literal(called.args.first)
        file = ::File.expand_path("#{name.delete_suffix(".rb")}.rb", ::File.dirname(@path)) if name && called.name == "require_relative"
        return UNKNOWN unless file && ::File.file?(file)

        before, @path = @path, file
        run(Source.new(::File.read(file), file).tree[1], Scope.new(nil, {}))
        UNKNOWN
      ensure
        @path = before if before
      end

      def closure(parameters, body, scope, node)
        Closure.new(names(parameters), statements(body), scope, node)
      end

      # Returns the names of parameters, and what they are by default.
      def names(node)
        node = node[1] while node.is_a?(Array) && %i[paren block_var].include?(node.first)
        return [] unless node.is_a?(Array) && node.first == :params

        required = Array(node[1]).map { |token| Parameter.new(token[0] == :@ident ? token[1] : nil, nil, false) }
        optional = Array(node[2]).map { |token, default| Parameter.new(token[1], default, false) }
        required + optional + Array(node[5]).map { |token, default| Parameter.new(token[1].delete_suffix(":"), default || nil, true) }
      end
    end
  end
end
