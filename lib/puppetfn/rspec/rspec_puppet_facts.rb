# frozen_string_literal: true

require "json"
require "deep_merge"
require_relative "fact_sets"

# What stands for rspec-puppet-facts.
module RspecPuppetFacts
  # The facts of the systems that the module supports.
  #
  # @option opts [String, Array<String>] :hardwaremodels
  # @option opts [Array<Hash>] :supported_os in place of what metadata.json says
  # @option opts [String] :facterversion of Facter
  # @return [Hash{String=>Hash}] by name, release and hardware
  def on_supported_os(opts = {})
    supported = opts[:supported_os] || RspecPuppetFacts.meta_supported_os
    systems = Puppetfn::RSpec::OperatingSystem.all(supported, Array(opts[:hardwaremodels] || "x86_64"))
    wanted = ENV.fetch("SPEC_FACTS_OS", nil)
    systems.select! { |system| wanted.nil? || system.id.start_with?(wanted) }
    facter = opts[:facterversion] || RSpec.configuration.default_facter_version
    found = systems.to_h { |system| [system.id, RspecPuppetFacts.facts_of(system, facter)] }.compact
    RspecPuppetFacts.warning("There are no facts of #{systems.map(&:id).join(", ")}") if found.empty? && systems.any?
    found
  end

  # Adds a fact to those of the systems.
  #
  # @param name [String, Symbol]
  # @param value [Object, Proc] a Proc gets the name of the system and its facts
  # @option options [String, Array<String>] :confine the only systems that have it
  # @option options [String, Array<String>] :exclude the systems that do not have it
  # @option options [Boolean] :merge_facts whether it adds to the hash that is there
  # @return [void]
  def add_custom_fact(name, value, options = {})
    RspecPuppetFacts.custom_facts[RspecPuppetFacts.key(name)] = [value, options]
  end

  class << self
    # @return [Hash] the facts that were added
    def custom_facts
      @custom_facts ||= {}
    end

    # @return [Hash] the content of metadata.json
    def metadata
      @metadata ||= JSON.parse(File.read("metadata.json", encoding: "UTF-8"))
    rescue Errno::ENOENT
      raise ArgumentError, "on_supported_os needs a metadata.json, and there is none in #{Dir.pwd}: run specs in the directory of " \
                           "the module, or name systems with supported_os"
    end

    # @return [Array<Hash>]
    def meta_supported_os
      metadata["operatingsystem_support"] or raise ArgumentError, "metadata.json has no operatingsystem_support"
    end

    # @api private
    def key(name)
      RSpec.configuration.facterdb_string_keys ? name.to_s : name.to_sym
    end

    # @param message [String]
    # @return [void]
    def warning(message)
      warn(message)
    end

    # @api private
    def facts_of(system, facter)
      facts = Puppetfn::RSpec::FactSets.find(system, facter) or return
      facts = facts.merge("puppetversion" => Puppet.version, "rubyversion" => RUBY_VERSION).transform_keys { |name| key(name) }
      custom_facts.each do |name, (value, options)|
        next if options[:confine] && !Array(options[:confine]).include?(system.id)
        next if Array(options[:exclude]).include?(system.id)

        value = value.call(system.id, facts) if value.respond_to?(:call)
        options[:merge_facts] ? facts.deep_merge!({name => value}) : facts[name] = value
      end
      facts
    end

    # Forgets the facts that were added.
    #
    # @return [void]
    def reset
      @custom_facts = @metadata = nil
    end
  end
end

RSpec.configure do |config|
  config.add_setting :default_facter_version, default: Facter.version
  config.add_setting :facterdb_string_keys, default: false
end
