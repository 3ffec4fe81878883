# frozen_string_literal: true

require "rspec-puppet-facts"

# The SIMP modules' replacement of rspec-puppet-facts: see https://github.com/simp/rubygem-simp-rspec-puppet-facts.
module Simp
  # Facts whose names are symbols at all depths, including facts of SELinux and LSB.
  module RspecPuppetFacts
    include ::RspecPuppetFacts

    # The facts of each mode of SELinux.
    SELINUX = {
      enforcing: {selinux: true, selinux_enforced: true, selinux_current_mode: "enforcing", selinux_state: "enforcing"},
      # The state is misspelt in the gem as well.
      permissive: {selinux: true, selinux_enforced: false, selinux_current_mode: "permissive", selinux_state: "permssive"},
      disabled: {selinux: false, selinux_enforced: false, selinux_current_mode: "disabled", selinux_state: "disabled"}
    }.freeze
    # The modes.
    SELINUX_MODES = SELINUX.keys.freeze
    # The directories whose mount options are facts.
    MOUNTED = %i[tmp_mount_tmp tmp_mount_var_tmp tmp_mount_dev_shm].freeze
    private_constant :SELINUX, :MOUNTED

    # (see ::RspecPuppetFacts#on_supported_os)
    # @option opts [:enforcing, :permissive, :disabled] :selinux_mode
    # @option opts [Hash{Symbol=>Object}] :extra_facts further facts
    # @option opts [Hash{Symbol=>Object}] :extra_facts_immutable facts that nothing changes
    # @raise [RuntimeError] if the mode of SELinux is unknown
    def on_supported_os(opts = {})
      own = %i[selinux_mode extra_facts extra_facts_immutable simp_fact_dir_path]
      found = super(opts.except(*own))
      found = found.transform_values do |facts|
        facts = symbolize_keys(facts).merge(opts.fetch(:extra_facts, {}))
        facts = facts.merge(lsb_facts(facts))
        selinux_facts(opts.fetch(:selinux_mode, :enforcing), facts).merge(opts.fetch(:extra_facts_immutable, {}))
      end
      found.select { |id, _| wanted?(id) }
    end

    # @param facts [Hash{Symbol=>Object}]
    # @return [Hash{Symbol=>Object}] the facts of LSB that newer versions of Facter lack
    def lsb_facts(facts)
      return {} if ENV["SIMP_FACTS_lsb"] == "no" || !facts[:kernel].to_s.casecmp?("linux")

      {lsbmajdistrelease: facts.dig(:os, :release, :major)}.compact
    end

    # @param mode [Symbol] one of {SELINUX_MODES}
    # @param facts [Hash{Symbol=>Object}]
    # @return [Hash{Symbol=>Object}] the facts, including facts of SELinux
    # @raise [RuntimeError] if the mode of SELinux is unknown
    def selinux_facts(mode, facts)
      return facts if facts[:kernel].to_s.casecmp?("windows")

      known = SELINUX.fetch(mode || :enforcing) do
        raise "FATAL: `mode` must be one of: #{SELINUX_MODES.map(&:inspect).join(", ")}"
      end
      mounted = facts.slice(*MOUNTED).compact.transform_values { |options| mount_options(options, mode) }
      facts.merge(known, mounted)
    end

    # @param hash [Hash]
    # @return [Hash] the same, with symbols as keys at all depths but within arrays
    def symbolize_keys(hash)
      hash.to_h { |key, value| [key.is_a?(String) ? key.to_sym : key, value.is_a?(Hash) ? symbolize_keys(value) : value] }
    end

    private

    def mount_options(options, mode)
      return options.sub(/,seclabel\z|seclabel,/, "") if mode == :disabled

      options.match?(/\bseclabel\b/) ? options : "#{options},seclabel"
    end

    # `SIMP_FACTS_OS` names systems, or has regular expressions for them.
    def wanted?(id)
      named = ENV.fetch("SIMP_FACTS_OS", "").strip
      return true if named.empty? || named.match?(/all/i)

      named.split(/[ ,]+/).any? { |one| id == one || id.match?(/#{one}/) }
    end
  end
end
