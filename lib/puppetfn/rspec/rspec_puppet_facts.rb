# frozen_string_literal: true

require "json"
require "deep_merge"
require_relative "fact_sets"

# The stand-in for rspec-puppet-facts.
module RspecPuppetFacts
  # Returns the facts of the systems that the module supports.
  #
  # @option opts [String, Array<String>] :hardwaremodels
  # @option opts [Array<Hash>] :supported_os in place of the systems in metadata.json
  # @option opts [String] :facterversion of Facter
  # @return [Hash{String=>Hash}] by name, release and hardware
  def on_supported_os(opts = {})
    supported = opts[:supported_os] || RspecPuppetFacts.meta_supported_os
    systems = Puppetfn::RSpec::OperatingSystem.all(supported, Array(opts[:hardwaremodels] || "x86_64"))
    facter = RspecPuppetFacts.checked_version(opts[:facterversion] || RSpec.configuration.default_facter_version)
    found = systems.flat_map { |system| RspecPuppetFacts.facts_of(system, facter) }.to_h
    RspecPuppetFacts.warning("There are no facts of #{systems.map(&:id).join(", ")}") if found.empty? && systems.any?
    wanted = ENV.fetch("SPEC_FACTS_OS", nil)
    wanted ? found.select { |id, _| id.start_with?(wanted) } : found
  end

  # Adds a fact to the facts of the systems.
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
      @metadata ||= JSON.parse(Puppetfn::RegularFile.read("metadata.json"))
    rescue Errno::ENOENT
      raise ArgumentError, "on_supported_os needs a metadata.json, and there is none in #{Dir.pwd}: run specs in the directory of " \
                           "the module, or name systems with supported_os"
    end

    # @return [Array<Hash>]
    def meta_supported_os
      metadata["operatingsystem_support"] or
        raise ArgumentError, "metadata.json has no operatingsystem_support: list the systems of the module there, or name systems with supported_os"
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
    # @param version [String]
    # @return [String] the version of Facter, if it is one
    # @raise [ArgumentError]
    def checked_version(version)
      return version if version.to_s.match?(/\A\d+\.\d+(?:\.\d+)*\z/)

      raise ArgumentError, ":facterversion must be in the format 'n.n' or 'n.n.n' (n is numeric), not '#{version}'"
    end

    # @api private
    # @param system [Puppetfn::RSpec::OperatingSystem]
    # @param facter [String] the version of Facter
    # @return [Array<Array(String, Hash)>] the names of the releases that are meant, and their facts
    # @raise [ArgumentError] when these have to be of that version, and are not
    def facts_of(system, facter)
      Puppetfn::RSpec::FactSets.find(system, facter).map do |facts|
        if ENV["SPEC_FACTS_STRICT"] == "yes" && !of_version?(facts, facter)
          raise ArgumentError, "there are no facts of Facter #{facter} for #{system.id}: those of #{facts["facterversion"]} do not " \
                               "count, as SPEC_FACTS_STRICT says"
        end
        id = Puppetfn::RSpec::OperatingSystem.id_of(facts)
        # Specs change the hashes that they get, at any depth.
        facts = Marshal.load(Marshal.dump(facts))
        [id, with_custom_facts(id, facts.merge(common_facts).transform_keys { |name| key(name) })]
      end
    end

    # Returns the facts that are added to the facts of all systems.
    #
    # @return [Hash{String=>Object}]
    def common_facts
      @common_facts ||= {
        "puppetversion" => Puppet.version, "rubyversion" => RUBY_VERSION, "rubysitedir" => RbConfig::CONFIG["sitelibdir"],
        "augeasversion" => augeas_version
      }.compact
    end

    # Forgets the facts that were added.
    #
    # @return [void]
    def reset
      @custom_facts = @metadata = @common_facts = nil
    end

    private

    def with_custom_facts(id, facts)
      custom_facts.each do |name, (value, options)|
        next if options[:confine] && !Array(options[:confine]).include?(id)
        next if Array(options[:exclude]).include?(id)

        value = value.call(id, facts) if value.respond_to?(:call)
        options[:merge_facts] ? facts.deep_merge!({name => value}) : facts[name] = value
      end
      facts
    end

    def of_version?(facts, facter)
      Gem::Requirement.new("~> #{facter}.0").satisfied_by?(Gem::Version.new(facts["facterversion"] || "0"))
    end

    def augeas_version
      require "augeas"
      Augeas.open(nil, nil, Augeas::NO_MODL_AUTOLOAD).get("/augeas/version")
    rescue LoadError
      nil
    end
  end
end

RSpec.configure do |config|
  config.add_setting :default_facter_version, default: Facter.version
  config.add_setting :facterdb_string_keys, default: false
end
