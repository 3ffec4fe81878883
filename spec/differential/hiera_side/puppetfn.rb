# frozen_string_literal: true

require_relative "../../../lib/puppetfn"
require_relative "facts"

module Differential
  # Data as puppetfn looks it up.
  class HieraSide
    include HieraNode

    def self.open(root)
      environment = File.join(root, "environments/production")
      yield new(Puppetfn::Runtime.new(
        modulepath: [File.join(environment, "modules")], environment: environment, node: "web1.example.com",
        hiera_config: File.join(root, "global/hiera.yaml"), facts: FACTS, variables: VARIABLES
      ))
    end

    def initialize(runtime)
      @runtime = runtime
    end

    def evaluate(code)
      @runtime.evaluate_string(code, "/test.pp")
    end

    def explain(keys, merge, only_options)
      @runtime.explain_lookup(keys, merge: merge, only_options: only_options)
    end
  end
end
