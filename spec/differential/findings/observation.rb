# frozen_string_literal: true

module Differential
  module Findings
    # What real Puppet does while it compiles: the expressions that it evaluates, and its errors with their places.
    class Observation
      # An error, and where Puppet says that it is.
      Error = Struct.new(:message, :file, :line)

      class << self
        # @return [Observation, nil] the one of the compilation that runs
        attr_accessor :current
      end

      # @return [Array<Error>]
      attr_reader :errors

      # @param files [Enumerable<String>] those whose expressions are noted
      # @param lenient [Boolean] whether a statement that fails leaves the others as they are
      # @param path [Path, nil] a place that is to be reached whatever the conditions before it say
      # @param samples [#call, nil] gives a value of a type
      def initialize(files, lenient: false, path: nil, samples: nil)
        @visited = files.to_h { |file| [file, Set.new] }
        @lenient, @path, @samples = lenient, path, samples
        @errors = []
        @needed = {}.compare_by_identity
      end

      # Runs a block, and observes what is compiled in it.
      def observe
        Observation.current = self
        yield
      ensure
        Observation.current = nil
      end

      def lenient?
        @lenient
      end

      def visit(expression)
        @visited[expression.locator.file]&.add([expression.class, expression.offset]) if expression.is_a?(::Puppet::Pops::Model::Positioned)
      end

      # @return [Boolean] whether the expressions of a file are noted
      def file?(file)
        @visited.key?(file)
      end

      # @return [Boolean] whether an expression of a file was evaluated
      def visited?(expression, file)
        @visited.fetch(file).include?([expression.class, expression.offset])
      end

      # What a block gives, or nil where it fails; that is noted.
      # @param place [#file, #line, nil] where it is, if the error does not say
      def go_on(place = nil)
        yield
      rescue StopIteration
        raise
      # A library that is not there is no StandardError.
      rescue StandardError, ScriptError => e
        file, line = [e.file, e.line] if e.respond_to?(:line)
        file, line = place.file, place.line if line.nil? && place
        @errors << Error.new(e.message, file, line)
        nil
      end

      # @return [Object, nil] what of an expression leads to the place that is to be reached
      def choice(expression)
        @path&.choice(expression)
      end

      # @return [Boolean] whether a statement is evaluated: if a place is to be reached, what leads there or sets variables
      def needed?(statement)
        @path.nil? || (@needed[statement] ||= @path.include?(statement) || assigns?(statement) ? :yes : :no) == :yes
      end

      # @return [Boolean] whether a variable that has no value gets one
      def stands_in?(variable, scope)
        return false if @path.nil? || @path.target.equal?(variable) || @path.include?(variable)

        name = variable.expr.value
        name.is_a?(String) && !scope.include?(name) && (!name.include?("::") || !scope.exist?(name))
      rescue ::Puppet::Error
        true
      end

      def stand_in
        @samples.call(nil)
      end

      # @return [Array] values for the parameters of a lambda
      def arguments(lambda, evaluator, scope)
        lambda.parameters.map { |parameter| @samples.call(parameter.type_expr && evaluator.evaluate(parameter.type_expr, scope)) }
      end

      private

      def assigns?(statement)
        statement._pcore_all_contents([]) { |expression| return true if expression.is_a?(::Puppet::Pops::Model::AssignmentExpression) }
        statement.is_a?(::Puppet::Pops::Model::AssignmentExpression)
      end
    end

    # Puppet's evaluator, observed.
    module ObservedEvaluator
      def evaluate(expression, scope)
        Observation.current&.visit(expression)
        super
      end

      protected

      def eval_BlockExpression(o, scope)
        observation = Observation.current
        return super unless observation&.lenient?

        statements = o.statements.select { |statement| observation.needed?(statement) }
        statements.reduce(nil) { |_, statement| observation.go_on(statement) { evaluate(statement, scope) } }
      end

      # A resource goes without a parameter whose value fails.
      def eval_AttributeOperation(o, scope)
        lenient(o) { super } || create_resource_parameter(o, scope, o.attribute_name, nil, o.operator)
      end

      def eval_AttributesOperation(o, scope)
        lenient(o) { super } || []
      end

      # What else would have set a variable is left out where a place is to be reached.
      def eval_VariableExpression(o, scope)
        observation = Observation.current
        return super unless observation&.stands_in?(o, scope)

        observation.stand_in
      end

      # What is evaluated before a branch, and how the branch is found.
      {IfExpression: [:test, ->(o, branch) { o.public_send(branch) }], UnlessExpression: [:test, ->(o, branch) { o.public_send(branch) }],
       CaseExpression: [:test, ->(o, index) { o.options[index].then_expr }],
       SelectorExpression: [:left_expr, ->(o, index) { o.selectors[index].value_expr }],
       AndExpression: [:left_expr, ->(o, side) { o.public_send(side) }],
       OrExpression: [:left_expr, ->(o, side) { o.public_send(side) }]}.each do |kind, (condition, chosen)|
        define_method(:"eval_#{kind}") do |o, scope|
          observation = Observation.current
          choice = observation&.choice(o)
          next super(o, scope) if choice.nil?

          scope.with_guarded_scope do
            observation.go_on(o) { evaluate(o.public_send(condition), scope) }
            evaluate(chosen.call(o, choice), scope)
          end
        end
      end

      def call_function_with_block(name, arguments, o, scope)
        observation = Observation.current
        return super unless o.lambda && observation&.choice(o.lambda)

        result = observation.go_on(o) { super }
        body = o.lambda.body
        return result if body.nil? || observation.visited?(body, body.locator.file)

        proc_from_lambda(o.lambda, scope).call(*observation.arguments(o.lambda, self, scope))
      end

      private

      def lenient(place, &block)
        observation = Observation.current
        observation&.lenient? ? observation.go_on(place, &block) : yield
      end
    end

    # Puppet's resources, whose errors do not end the compilation.
    module ObservedResource
      def evaluate
        observed { super }
      end

      def finish(*)
        observed { super }
      end

      private

      def observed(&block)
        Observation.current&.lenient? ? Observation.current.go_on(self, &block) : yield
      end
    end

    # Relationships and references between Puppet's resources, whose errors do not end the compilation either.
    module ObservedRelationship
      def evaluate(*)
        Observation.current&.lenient? ? Observation.current.go_on { super } : super
      end
    end

    # See ObservedRelationship.
    module ObservedReferences
      def validate_relationship(parameter)
        Observation.current&.lenient? ? Observation.current.go_on(parameter) { super } : super
      end
    end
  end
end
