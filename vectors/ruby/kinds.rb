# frozen_string_literal: true

require_relative "core"
require_relative "ruby_types"
require_relative "api"
require_relative "cty"
require_relative "load"
require_relative "modules"
require_relative "catalog"
require_relative "resources"
require_relative "ruby_templates"

module Vectors
  # Runs each case with the runners of its kind. A runner answers +failures(directory, cases)+: nil for
  # each case with the recorded answer, else a text that tells what was expected and what came.
  class Kinds
    # The runners of cases that say of what kind they are.
    NAMED = {"catalog" => [Catalog], **Resources::KINDS.to_h { |kind| [kind, [Resources]] }}.freeze
    # The runners of a kind of case, by the key that only its cases have.
    RUNNERS = {
      "op" => [Core, RubyTypes],
      "code" => [Core],
      "function" => [Core, Cty],
      "spec" => [Core, Cty],
      "ruby" => [Api],
      "calls" => [Load]
    }.freeze
    private_constant :NAMED, :RUNNERS

    # @param used [Array] the runners to use
    def initialize(used)
      @used = used
    end

    # Whether a case is to be run: it is of no kind, or has one of the runners.
    def run?(recorded)
      runners(recorded).any?
    end

    # @param directory [String] where the cases are
    # @param cases [Array<Case>]
    # @return [Array<String, nil>] for each case, what is wrong with the answer
    def failures(directory, cases)
      failures = {}.compare_by_identity
      cases.group_by { |recorded| runners(recorded) }.each do |runners, group|
        answers = runners.map { |runner| runner.failures(directory, group) }
        group.each_with_index { |recorded, index| failures[recorded] = answers.filter_map { |answer| answer[index] }.first }
      end
      cases.map { |recorded| failures[recorded] }
    end

    # @param directory [String] where the case is
    # @return [String, nil] why the case cannot be run on this machine, nil if it can
    def unavailable(directory, recorded)
      Modules.of(directory).unavailable(recorded.data["module"]) if NAMED.key?(recorded.data["kind"])
    end

    private

    def runners(recorded)
      named = NAMED[recorded.data["kind"]]
      return named & @used if named

      return [RubyTemplates] & @used if RubyTemplates.needed?(recorded)

      key = RUNNERS.keys.find { |name| recorded.data.key?(name) }
      key ? RUNNERS.fetch(key) & @used : [Nothing]
    end

    # The runner of cases that have none.
    module Nothing
      def self.failures(_directory, cases)
        cases.map { |recorded| "nothing runs cases of this kind, with the keys #{recorded.data.keys.join(", ")}" }
      end
    end
    private_constant :Nothing
  end
end
