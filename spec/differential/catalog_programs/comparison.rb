# frozen_string_literal: true

require "yaml"
require_relative "../catalog_programs"
require_relative "differences"
require_relative "session"
require_relative "shrinker"

module Differential
  # Compiles programs on both sides, and finds what differs for no reason that is known.
  class ProgramComparison
    # Differences that are meant: a pattern of their kind, and the reason.
    DEVIATIONS = YAML.load_file(File.expand_path("../catalog_deviations.yaml", __dir__)).filter_map { |entry| Regexp.new(entry["kind"]) if entry["kind"] }.freeze

    # A program and how the answers differ. `made_catalog` is true if Puppet made a catalog.
    Result = Struct.new(:program, :differences, :made_catalog) do
      def same? = differences.empty?

      def to_s = [program, *differences].join("\n")
    end

    # @yieldparam comparison [ProgramComparison]
    def self.open
      session = ProgramSession.new
      yield new(session)
    ensure
      session&.close
    end

    def initialize(session)
      @session = session
    end

    # @param programs [Array<CatalogProgram>]
    # @return [Array<Result>]
    def results(programs)
      programs.zip(@session.answers(programs)).map do |program, (puppet, puppetfn)|
        differences = ProgramDifferences.between(puppet, puppetfn)
        Result.new(program, differences.reject { |difference| meant?(difference) }, puppet.key?("catalog"))
      end
    end

    # The smallest program found that differs in the same way.
    #
    # @param program [CatalogProgram]
    # @param kind [String] of a difference
    # @return [Result]
    def smallest(program, kind)
      smaller = ProgramShrinker.new { |candidate| results([candidate]).first.differences.any? { |found| found.kind == kind } }.shrink(program)
      results([smaller]).first
    end

    private

    def meant?(difference)
      DEVIATIONS.any? { |pattern| pattern.match?(difference.kind) }
    end
  end
end
