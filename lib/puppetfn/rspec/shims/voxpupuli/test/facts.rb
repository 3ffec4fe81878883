# frozen_string_literal: true

require "rspec-puppet-facts"

include RspecPuppetFacts # rubocop:disable Style/MixinUsage

# Returns facts with some of them overridden, at any depth. The argument is not changed.
#
# @param base_facts [Hash]
# @param overrides [Hash]
# @return [Hash]
def override_facts(base_facts, **overrides)
  replace = lambda do |facts, others, key|
    others.each_with_object(facts.dup) do |(name, value), merged|
      name = key.call(name)
      merged[name] = value.is_a?(Hash) ? replace.call(merged[name] || {}, value, :to_s.to_proc) : value
    end
  end
  replace.call(Marshal.load(Marshal.dump(base_facts)), overrides, :itself.to_proc)
end

# Adds the facts that modules have which this one depends on.
#
# @return [void]
def add_mocked_facts!
  add_facts_for_metadata(RspecPuppetFacts.metadata)
end

# @param metadata [Hash, nil] the content of a metadata.json
# @return [void]
def add_facts_for_metadata(metadata)
  names = ((metadata && metadata["dependencies"]) || []).map { |dependency| dependency["name"].to_s.sub("-", "/") }
  add_stdlib_facts if names.include?("puppetlabs/stdlib")
  return unless names.intersect?(%w[camptocamp/systemd puppet/systemd])

  add_custom_fact :systemd, ->(_os, facts) { (facts[:service_provider] || facts["service_provider"]) == "systemd" }
end

# @return [void]
def add_stdlib_facts
  add_custom_fact :puppet_environmentpath, "/etc/puppetlabs/code/environments"
  add_custom_fact :puppet_vardir, "/opt/puppetlabs/puppet/cache"
  add_custom_fact :root_home, "/root"
  add_custom_fact :service_provider, ->(_os, facts) { service_provider_of(facts[:os] || facts["os"]) }
end

# @param os [Hash{String=>Object}] the fact
# @return [String] the default provider of services
def service_provider_of(os)
  family = os["family"].downcase
  return os["release"]["major"].to_i >= 12 ? "systemd" : "redhat" if family == "suse"

  {"archlinux" => "systemd", "debian" => "systemd", "redhat" => "systemd", "darwin" => "launchd", "freebsd" => "freebsd",
   "gentoo" => "openrc", "openbsd" => "openbsd", "windows" => "windows"}.fetch(family, "init")
end
