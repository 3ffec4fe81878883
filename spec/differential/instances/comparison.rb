# frozen_string_literal: true

require "yaml"
require_relative "../instance_programs"
require_relative "../catalog_programs/differences"
require_relative "../catalog_programs/session"

module Differential
  # Makes instances on both sides, and finds what differs for no reason that is known.
  class InstanceComparison
    Difference = ProgramDifferences::Difference
    RUNNER = File.expand_path("runner.rb", __dir__)
    # Differences that are meant: what it says about them, and the reason.
    DEVIATIONS = YAML.load_file(File.expand_path("../instance_deviations.yaml", __dir__)).map { |entry| entry.transform_keys(&:to_sym) }.freeze

    # What was compared: how many answers there are, errors among them, and the differences.
    Result = Struct.new(:program, :differences, :compared, :errors)

    # @yieldparam comparison [InstanceComparison]
    def self.open
      session = ProgramSession.new(RUNNER)
      yield new(session)
    ensure
      session&.close
    end

    def initialize(session)
      @session = session
    end

    # @param programs [Array<InstanceProgram>]
    # @return [Array<Result>]
    def results(programs)
      programs.zip(@session.answers(programs)).map { |program, (puppet, puppetfn)| result(program, puppet, puppetfn) }
    end

    private

    def result(program, puppet, puppetfn)
      found = alone(program, puppet["alone"], puppetfn["alone"])
      # What fails on one side only is not in the graph of both.
      found += whole(puppet, puppetfn) if found.empty?
      errors = puppet["alone"].to_h.each_value.count { |answer| answer.key?("error") } + (puppet.key?("error") ? 1 : 0)
      Result.new(program, found.reject { |difference| meant?(difference) }, puppet["alone"].to_h.size + 1, errors)
    end

    def alone(program, theirs, ours)
      return [] unless theirs && ours

      program.statements.each_with_index.flat_map do |statement, index|
        given, made = theirs[index.to_s], ours[index.to_s]
        given == made ? [] : instance(statement, given || {}, made || {})
      end
    end

    def instance(statement, theirs, ours)
      type = statement[/\A\w+/]
      return [failure(type, statement, theirs, ours)] if theirs.key?("error") || ours.key?("error") || theirs.empty? || ours.empty?

      (theirs.keys | ours.keys).reject { |name| theirs.key?(name) == ours.key?(name) && theirs[name] == ours[name] }.map do |name|
        how = theirs.key?(name) ? (ours.key?(name) ? "differs" : "is missing") : "is more"
        Difference.new("#{type}: #{name} #{how}", statement, "#{name} #{theirs[name].inspect}", ours[name].inspect)
      end
    end

    def failure(type, statement, theirs, ours)
      texts = [theirs, ours].map { |answer| answer.empty? ? "nothing" : answer.fetch("error", "an instance") }
      Difference.new("#{type}: #{texts.map { |text| ProgramDifferences.general(text) }.join(" / ")}", statement, *texts)
    end

    def whole(theirs, ours)
      return [failure("graph", "graph", theirs, ours)] if theirs["error"] != ours["error"]

      %w[paths edges logs].filter_map do |part|
        given, made = theirs[part], ours[part]
        given, made = [given, made].map { |paths| paths&.map { |name, path| "#{name}: #{path}" } } if part == "paths"
        ProgramDifferences.list("#{part}: #{ProgramDifferences.general((given.to_a - made.to_a).first)} / #{ProgramDifferences.general((made.to_a - given.to_a).first)}", part, given.to_a, made.to_a) if given != made
      end
    end

    def meant?(difference)
      DEVIATIONS.any? do |deviation|
        [[:kind, difference.kind], [:statement, difference.place], [:puppet, difference.puppet.to_s], [:puppetfn, difference.puppetfn.to_s]].all? do |part, text|
          !deviation.key?(part) || Regexp.new(deviation[part]).match?(text)
        end
      end
    end
  end
end
