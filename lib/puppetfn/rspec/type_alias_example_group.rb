# frozen_string_literal: true

require_relative "literal"

module Puppetfn
  module RSpec
    # Groups that describe a type alias.
    module TypeAliasExampleGroup
      include TypeAliasMatchers
      include Support

      # Checks values in an example. RSpec wants to be given a Proc where errors are expected.
      class Check < Proc
        # @param example [TypeAliasExampleGroup]
        # @return [Check]
        def self.in(example)
          new(example) { |value| example.catalogue(value) }
        end

        # @param example [TypeAliasExampleGroup]
        def initialize(example) # rubocop:disable Lint/MissingSuper
          @example = example
        end

        # @param value [Object]
        # @return [void]
        # @raise (see TypeAliasExampleGroup#catalogue)
        def call(value)
          @example.catalogue(value)
        end
        alias [] call
        alias === call
        alias yield call

        # @param value [Object]
        # @return (see TypeAliasExampleGroup#allows?)
        def allows?(value)
          @example.allows?(value)
        end
      end

      @types = {}

      # Returns a type as examples see it that declare nothing: they need no runtime of their own for it.
      #
      # @api private
      # @param name [String]
      # @return [Type]
      # @raise [Puppet::Error] when there is none
      def self.type_of_files(name)
        runtime = ExampleRuntime.current
        key = [runtime.environment.modulepath, name]
        @types.fetch(key) do
          type = runtime.parse_type(name)
          # The objects of one with features are of a runtime.
          type.features? ? type : @types[key] = type
        end
      end

      # @return [Check]
      def subject
        Check.in(self)
      end

      # Checks a value, which becomes one of the Puppet language by being written in it.
      #
      # @param value [Object]
      # @return [void]
      # @raise [Puppet::Error] when it is not of the type
      def catalogue(value)
        literal = Literal.new(value)
        unless literal.plain? && type_alias&.instance?(literal.value)
          evaluated = evaluate("assert_type(#{self.class.top_level_description}, #{literal})")
        end
        FunctionCoverage.allowed(type_alias, literal.plain? ? literal.value : evaluated) if FunctionCoverage.active? && type_alias
        post_condition = code_of(:post_condition)
        runtime.finish(post_condition) if post_condition
      end

      # As {#catalogue}, without a message for a value that is not of the type.
      #
      # @param value [Object]
      # @return [Boolean] whether it is
      def allows?(value)
        literal = Literal.new(value)
        return false if literal.plain? && type_alias && !type_alias.instance?(literal.value)

        catalogue(value)
        true
      rescue Puppet::Error
        false
      end

      private

      def default_nodename
        class_name
      end

      # Evaluates code as the end of the manifest, at a line that messages name.
      def evaluate(code)
        runtime.for_node(log: false) { runtime.evaluate_string("#{"\n" * lines_before}#{code}") }
      end

      # Counts the lines of the declarations, and of the value, which is a line of its own in rspec-puppet's manifest.
      def lines_before
        @lines_before ||= begin
          manifests, code = declarations
          [manifests.map { |file| RegularFile.read(file) }.join("\n"), code].compact.join("\n").count("\n") + 2
        end
      end

      # Returns the type, if there is one without a mistake.
      def type_alias
        @type_alias ||= begin
          name = self.class.top_level_description
          node_of_example.check
          declarations.flatten.compact.empty? ? TypeAliasExampleGroup.type_of_files(name) : runtime.parse_type(name)
        end
      rescue Puppet::Error
        nil
      end
    end
  end
end
