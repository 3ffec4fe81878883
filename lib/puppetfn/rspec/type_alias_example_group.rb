# frozen_string_literal: true

require_relative "literal"

module Puppetfn
  module RSpec
    # Groups that describe a type alias.
    module TypeAliasExampleGroup
      include TypeAliasMatchers
      include Support

      # @return [Proc] checks a value
      def subject
        lambda { |value| catalogue(value) }
      end

      # Checks a value, which becomes one of the Puppet language by being written in it.
      #
      # @param value [Object]
      # @return [void]
      # @raise [Puppet::Error] when it is not of the type
      def catalogue(value)
        literal = Literal.new(value)
        unless literal.plain? && type_alias&.instance?(literal.value)
          evaluated = runtime.evaluate_string("assert_type(#{self.class.top_level_description}, #{literal})")
        end
        FunctionCoverage.allowed(type_alias, literal.plain? ? literal.value : evaluated) if FunctionCoverage.active? && type_alias
        runtime.finish(code_of(:post_condition))
      end

      private

      def default_nodename
        class_name
      end

      # The type, if there is one without a mistake.
      def type_alias
        @type_alias ||= runtime.type(self.class.top_level_description)
      rescue Puppet::Error
        nil
      end
    end
  end
end
