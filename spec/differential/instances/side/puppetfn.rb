# frozen_string_literal: true

require_relative "../../../../lib/puppetfn"

module Differential
  module InstanceSide
    # Makes instances with puppetfn.
    class Puppetfn
      LEVELS = %i[warning err alert emerg crit].freeze

      def self.open
        yield new
      end

      def initialize
        @environment = ::Puppetfn::Environment.new(nil, MODULEPATH, name: "production")
      end

      def answer(program)
        @logs = []
        InstanceAnswer.new(self, program).data
      end

      # What was logged for the last program.
      def logs
        @logs.flat_map(&:to_a).select { |level, _| LEVELS.include?(level) }.map { |level, text| [level.to_s, text] }
      end

      def compile(code)
        @runtime = ::Puppetfn::Runtime.new(modulepath: MODULEPATH, environment: @environment, facts: InstanceAnswer::FACTS,
          node: InstanceAnswer::NODE, strict: :error, strict_variables: true, settings: {clientbucketdir: "/var/bucket"})
        @logs << @runtime.logs
        @runtime.compile(code)
      end

      # Yields as code of types is run.
      def active(&block) = @runtime.activate(&block)

      # Yields the line of each resource, and what makes an instance of it.
      def each_resource(code)
        ral = compile("").to_ral
        catalog = compile(code)
        active do
          catalog.each do |declared|
            resource = declared.detached
            resource.catalog = ral
            yield resource.line, -> { resource.to_ral }
          end
        end
      end
    end
  end
end
