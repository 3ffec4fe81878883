# frozen_string_literal: true

require "json"
require_relative "api_world"
require_relative "extension"

module Vectors
  # Runs the cases of the function API; spec/vectors/api/README.md describes their world.
  module Api
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
      outcome = runtime.activate { ApiWorld.new(runtime.scope, runtime.loader).outcome(ruby) }
      logs = runtime.logs.map { |level, text| [level.to_s, text] }
      logs.empty? ? outcome : outcome.merge("logs" => logs)
    end
    private_class_method :run
  end
end
