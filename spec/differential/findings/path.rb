# frozen_string_literal: true

module Differential
  module Findings
    # A place in a text: the expressions that it is in, from the definition to the innermost.
    class Path
      Model = ::Puppet::Pops::Model

      # Where a definition begins, what is looked at is one of its own.
      DEFINITIONS = [Model::HostClassDefinition, Model::ResourceTypeDefinition, Model::FunctionDefinition, Model::NodeDefinition,
                     Model::TypeAlias].freeze

      # What stands in an expression and is not evaluated as one of its own.
      PARTS = [Model::QualifiedName, Model::QualifiedReference, Model::LiteralValue, Model::AbstractAttributeOperation,
               Model::ResourceBody, Model::KeyedEntry, Model::Parameter, Model::CaseOption, Model::SelectorEntry, Model::LambdaExpression,
               Model::NamedAccessExpression, Model::Program, Model::ParenthesizedExpression, Model::TextExpression,
               Model::BlockExpression, Model::Nop].freeze

      class << self
        # @param finding [Hash{String=>Object}] as `puppetfn check --format json` prints it
        # @return [Path] where it is
        # @raise [Puppet::ParseError] if Puppet refuses the text
        def at(finding)
          new(Compilation.tree(finding["file"]), offset(finding))
        end

        private

        def offset(finding)
          lines = File.read(finding["file"]).lines
          lines.first(finding["line"] - 1).sum(&:bytesize) + lines[finding["line"] - 1].to_s[0, finding["column"] - 1].bytesize
        end
      end

      # @return [Array] the expressions, the outermost first
      attr_reader :expressions

      # @param program [Puppet::Pops::Model::Program]
      # @param offset [Integer] in bytes
      def initialize(program, offset)
        @expressions = [program, *within(program, offset)]
        @choices = choices
      end

      # @return [Puppet::Pops::Model::Positioned, nil] the definition that the place is in
      def definition
        @expressions.reverse.find { |expression| DEFINITIONS.any? { |kind| expression.is_a?(kind) } }
      end

      # @return [Puppet::Pops::Model::Positioned, nil] what Puppet evaluates there; nil for what is no expression, as parameters
      def target
        within = definition ? @expressions.drop(@expressions.index(definition) + 1) : @expressions.drop(1)
        return if definition && within.first.is_a?(Model::Parameter)

        assigned = within.each_cons(2).find { |outer, inner| outer.is_a?(Model::AssignmentExpression) && outer.left_expr.equal?(inner) }
        return assigned.first if assigned

        within.reverse.find { |expression| PARTS.none? { |kind| expression.is_a?(kind) } }
      end

      # @return [Range] the lines of what is evaluated
      def lines
        @lines ||= begin
          around = @expressions.reverse.find { |expression| statement?(expression) } || target || @expressions.grep(Model::Positioned).last
          around ? Range.new(*lines_of(around).minmax) : (0..)
        end
      end

      # @return [Object, nil] what of an expression leads here
      def choice(expression)
        @choices[key(expression)]
      end

      # @return [Boolean] whether an expression is on the way here
      def include?(expression)
        @around ||= @expressions.grep(Model::Positioned).to_set { |one| key(one) }
        @around.include?(key(expression))
      end

      private

      def lines_of(expression)
        lines = [expression.line]
        expression._pcore_all_contents([]) { |inner| lines << inner.line if inner.is_a?(Model::Positioned) && inner.length.to_i.positive? }
        lines
      end

      def key(expression)
        [expression.class, expression.offset, expression.length, expression.locator.file]
      end

      def statement?(expression)
        [Model::CallExpression, Model::AssignmentExpression, Model::AbstractResource, Model::ResourceExpression, Model::RelationshipExpression,
         Model::CollectExpression].any? { |kind| expression.is_a?(kind) } && !expression.equal?(@expressions.first)
      end

      # The expressions around a place, the innermost of which is the shortest that there is. The length of an expression does not
      # always include all that is in it.
      def within(expression, offset)
        found = []
        expression._pcore_all_contents([]) do |inner, path|
          next unless inner.is_a?(Model::Positioned) && inner.length.to_i.positive? && offset.between?(inner.offset, inner.offset + inner.length - 1)

          found = [*path.drop(1), inner] if found.empty? || inner.length <= found.last.length
        end
        found
      end

      def choices
        [*@expressions, nil].each_cons(3).with_object({}) do |(outer, inner, innermost), found|
          choice = choice_of(outer, inner, innermost)
          found[key(outer)] = choice unless choice.nil?
        end
      end

      def choice_of(outer, inner, innermost)
        case outer
        when Model::IfExpression, Model::UnlessExpression then %i[then_expr else_expr].find { |branch| outer.public_send(branch).equal?(inner) }
        when Model::CaseExpression then outer.options.index { |option| option.equal?(inner) && option.then_expr.equal?(innermost) }
        when Model::SelectorExpression then outer.selectors.index { |option| option.equal?(inner) && option.value_expr.equal?(innermost) }
        when Model::AndExpression, Model::OrExpression then outer.right_expr.equal?(inner) ? :right_expr : nil
        when Model::LambdaExpression then outer.body.equal?(inner) || nil
        end
      end
    end
  end
end
