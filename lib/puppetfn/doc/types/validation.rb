# frozen_string_literal: true

require_relative "../syntax"
require_relative "condition"

class Puppetfn::Doc
  module Types
    # What the block of `validate` requires of a value: what it raises, and when.
    #
    # @api private
    class Validation
      include Syntax

      LEAVING = %i[return return0 next break redo retry yield yield0].freeze
      # The errors that a resource fails with.
      ERRORS = %w[ArgumentError Puppet::Error Puppet::ResourceError ::ArgumentError ::Puppet::Error].freeze
      private_constant :LEAVING, :ERRORS

      # @param block [Closure]
      # @param evaluation [Evaluation]
      def initialize(block, evaluation)
        @block = block
        @evaluation = evaluation
        @name = block.parameters.first&.name
      end

      # @return [Array<Hash>] what is required one after the other, as far as it is understood
      def requirements
        @name && !rescued? ? of_statements(@block.body) : []
      end

      private

      # Returns true if what is raised may be taken back.
      def rescued?
        @block.node.any? { |part| part in [:bodystmt, _, Array, *] }
      end

      def of_statements(nodes)
        found = []
        nodes.each do |node|
          understood = of_statement(node)
          return found if understood.nil? && (leaves?(node) || changes?(node))

          found.concat(understood || [])
        end
        found
      end

      # @return [Array<Hash>, nil] nil where it is not understood
      def of_statement(node)
        case node
        in [:if_mod, condition, raised] then of_raise(raised, condition, true)
        in [:unless_mod, condition, raised] then of_raise(raised, condition, false)
        in [:if, condition, [raised], nil] then of_raise(raised, condition, true)
        in [:unless, condition, [raised], nil] then of_raise(raised, condition, false)
        else (message = raised_message(node)) && [{type: "Any", refused: true, as_text: false, message: message}]
        end
      end

      # @param refused [Boolean] whether it is raised where the condition holds
      def of_raise(raised, condition, refused)
        message = raised_message(raised) or return

        found = Condition.new(@name, @block.scope, @evaluation).public_send(refused ? :refused : :accepted, condition)
        found&.map { |one| one.merge(message: message) }
      end

      # @return [String, nil] the message of what is raised
      def raised_message(node)
        called = call(node)
        return unless called && %w[raise fail].include?(called.name) && (called.receiver.nil? || own?(called.receiver))

        error, *others = called.args
        return message(error) unless (path = error && constant(error)) || (made = error && call(error))&.name == "new"
        return unless ERRORS.include?(path || (made.receiver && constant(made.receiver)))

        text = path ? others.first : made.args.first
        text && message(text)
      end

      def own?(node)
        case node
        in [:var_ref, [:@kw, "self", _]] then true
        else false
        end
      end

      # Returns a message, with marks for what depends on the value.
      def message(node)
        translated = call(node)
        return message(translated.args.first) if translated&.name == "_" && translated.args.any?
        return filled(node) if node in [:binary, _, :%, _]

        contents(node)&.map { |part| message_part(part) }&.join
      end

      def message_part(part)
        case part
        in [:@tstring_content, text, _, quote] then unescape(text, quote)
        in [:string_embexpr, [only], source] then mark(only) || known(only) || source
        else part.last.to_s
        end
      end

      def known(node)
        value = @evaluation.evaluate(node, @block.scope)
        value.to_s if value.is_a?(String) || value.is_a?(Symbol)
      end

      def filled(node)
        text = message(node[1]) or return
        pairs = case node[3]
                in [:hash, [:assoclist_from_args, pairs]] then pairs
                else return
                end
        pairs.reduce(text) do |filled, (_, key, value)|
          filled.gsub("%{#{literal(key)}}") { mark(value) || "\#{#{literal(key)}}" }
        end
      end

      def mark(node)
        return Requirements::SHOWN if value?(node)

        called = call(node)
        return unless called&.receiver

        case called.name
        when "inspect" then Requirements::INSPECTED if value?(called.receiver)
        when "class" then Requirements::CLASS if value?(called.receiver)
        when "to_s" then Requirements::SHOWN if value?(called.receiver)
        when "name" then mark(called.receiver).then { |of| of if of == Requirements::CLASS }
        end
      end

      def value?(node)
        variable(node) == @name
      end

      def leaves?(node)
        found = false
        walk(node) { |part| found ||= LEAVING.include?(part.first) }
        found
      end

      # Returns true if code may change the value, or what stands for it.
      def changes?(node)
        found = false
        walk(node) do |part|
          found ||= %i[assign opassign massign].include?(part.first) && mentions?(part[1])
          called = call(part)
          found ||= called && called.name.end_with?("!") && called.receiver && mentions?(called.receiver)
        end
        found
      end

      def mentions?(node)
        found = false
        walk(node) { |part| found ||= part.first == :@ident && part[1] == @name }
        found
      end
    end
  end
end
