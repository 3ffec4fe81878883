# frozen_string_literal: true

require_relative "operating_system"

# What stands for facterdb where it is not installed.
module FacterDB
  # The systems that there are facts of.
  SYSTEMS = {
    "RedHat" => %w[7 8 9], "CentOS" => %w[7 8 9], "OracleLinux" => %w[7 8 9], "Rocky" => %w[8 9], "AlmaLinux" => %w[8 9],
    "Fedora" => %w[39 40 41], "Amazon" => %w[2 2023], "Debian" => %w[10 11 12], "Ubuntu" => %w[18.04 20.04 22.04 24.04],
    "SLES" => %w[12 15], "Archlinux" => %w[1], "Gentoo" => %w[2], "FreeBSD" => %w[13 14], "OpenBSD" => %w[7.5],
    "Solaris" => %w[11], "windows" => %w[2016 2019 2022]
  }.map { |name, releases| {"operatingsystem" => name, "operatingsystemrelease" => releases} }.freeze

  class << self
    # @param filter [Hash, Array<Hash>, nil] facts, with a dot in the names of parts; `/x/` is a pattern
    # @param symbolize_keys [Boolean]
    # @return [Array<Hash>] the sets of facts that match
    def get_facts(filter = nil, symbolize_keys: true)
      filters = [filter].flatten.compact
      sets = Puppetfn::RSpec::OperatingSystem.all(SYSTEMS, ["x86_64"]).map(&:facts)
      sets.select! { |facts| filters.empty? || filters.any? { |wanted| matches?(facts, wanted) } }
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
