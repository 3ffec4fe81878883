# frozen_string_literal: true

require_relative "core"
require_relative "api"

module Vectors
  # Which runners a case has. A runner answers +failures(directory, cases)+: nil for each case with the
  # recorded answer, else a text that tells what was expected and what came.
  module Kinds
    # A kind of case, by the key that only its cases have.
    RUNNERS = {
      "op" => [Core],
      "ruby" => [Api]
    }.freeze

    # @param directory [String] where the cases are
    # @param cases [Array<Case>]
    # @return [Array<String, nil>] for each case, what is wrong with the answer
    def self.failures(directory, cases)
      failures = {}.compare_by_identity
      cases.group_by { |recorded| runners(recorded) }.each do |runners, group|
        answers = runners.map { |runner| runner.failures(directory, group) }
        group.each_with_index { |recorded, index| failures[recorded] = answers.filter_map { |answer| answer[index] }.first }
      end
      cases.map { |recorded| failures[recorded] }
    end

    def self.runners(recorded)
      key = RUNNERS.keys.find { |name| recorded.data.key?(name) }
      key ? RUNNERS.fetch(key) : [Unknown]
    end
    private_class_method :runners

    # The runner of cases that have none.
    module Unknown
      def self.failures(_directory, cases)
        cases.map { "nothing runs cases of this kind: none of the keys #{RUNNERS.keys.join(", ")} is there" }
      end
    end
  end
end
