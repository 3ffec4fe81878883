# frozen_string_literal: true

require "json"
require_relative "extension"

module Vectors
  # Runs the cases of the function API; spec/vectors/api/README.md describes their world.
  module Api
    # What a case can use.
    class Context
      attr_reader :scope, :loader

      def initialize(runtime)
        @scope = runtime.scope
        @loader = runtime.loader
      end

      def make(klass)
        klass.new(@scope, @loader)
      end

      def call(function, *args, &block)
        function = make(function) if function.is_a?(Class)
        function.call(@scope, *args, &block)
      end

      def fresh_binding
        binding
      end
    end

    def self.failures(_directory, cases)
      Extension.load
      cases.map do |recorded|
        expected = recorded.data.slice("result", "error", "logs")
        actual = run(recorded.data["ruby"])
        "expected #{JSON.generate(expected)}\ngot      #{JSON.generate(actual)}" if actual != expected
      end
    end

    # Runs a case and describes the outcome the way the cases do.
    def self.run(ruby)
      runtime = Puppetfn::Runtime.new
      outcome = runtime.activate { evaluate(ruby, Context.new(runtime)) }
      logs = runtime.logs.map { |level, text| [level.to_s, text] }
      logs.empty? ? outcome : outcome.merge("logs" => logs)
    end

    def self.evaluate(ruby, context)
      {"result" => context.fresh_binding.eval(ruby, "case.rb", 1).inspect}
    rescue SystemExit, Interrupt, NoMemoryError
      raise
    rescue Exception => e # rubocop:disable Lint/RescueException
      {"error" => "#{e.class.name}: #{e.message}"}
    end
    private_class_method :run, :evaluate
  end
end
