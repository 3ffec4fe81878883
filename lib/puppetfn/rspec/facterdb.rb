# frozen_string_literal: true

require_relative "fact_sets"

# The stand-in for facterdb where it is not installed.
module FacterDB
  class << self
    # @param filter [Hash, Array<Hash>, nil] facts, with a dot in the names of parts; `/x/` is a pattern
    # @param symbolize_keys [Boolean]
    # @return [Array<Hash>] the sets of facts that match
    def get_facts(filter = nil, symbolize_keys: true)
      filters = [filter].flatten.compact
      sets = Puppetfn::RSpec::FactSets.all.select { |facts| filters.empty? || filters.any? { |wanted| matches?(facts, wanted) } }
      symbolize_keys ? sets.map { |facts| facts.transform_keys(&:to_sym) } : sets
    end

    private

    def matches?(facts, wanted)
      raise ArgumentError, "a filter has to be a Hash, not #{wanted.class}" unless wanted.is_a?(Hash)

      wanted.all? do |name, value|
        found = facts.dig(*name.to_s.split("."))
        value.to_s =~ %r{\A/(.*)/\z} ? found.to_s.match?(Regexp.new(Regexp.last_match(1))) : found.to_s == value.to_s.delete('"')
      end
    end
  end
end
