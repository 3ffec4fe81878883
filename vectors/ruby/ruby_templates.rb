# frozen_string_literal: true

require_relative "extension"

module Vectors
  # Runs code whose templates are Ruby, which the core does not run by itself.
  module RubyTemplates
    # What all catalogs have, and cases leave out.
    ALWAYS = ["Class[Settings]", "Class[main]", "Stage[main]"].freeze
    private_constant :ALWAYS

    # Whether a case declares what such a template says.
    def self.needed?(recorded)
      recorded.data.key?("catalog") && recorded.data["code"].match?(/\b(inline_)?template\(/)
    end

    def self.failures(_directory, cases)
      Extension.load
      cases.map do |recorded|
        expected = recorded.data.slice("catalog", "logs")
        actual = outcome(recorded.data["code"])
        "expected #{expected}\ngot      #{actual}" unless expected == actual
      end
    end

    def self.outcome(code)
      runtime = Puppetfn::Runtime.new
      catalog = runtime.compile(code, "/test.pp")
      resources = catalog.resources.reject { |resource| ALWAYS.include?(resource.ref) }
      {
        "catalog" => resources.map { |resource| [resource.type, resource.title, resource.to_hash.transform_keys(&:to_s)] },
        "logs" => runtime.logs.map { |level, message| [level.to_s, message] }
      }
    end
    private_class_method :outcome
  end
end
