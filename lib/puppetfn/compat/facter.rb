# frozen_string_literal: true

require "etc"

module Puppetfn
  # Facter's stand-in for files of modules, where Facter is not loaded: the facts of the runtime at work. A runtime without
  # facts has the facts that files of types look at when they are loaded: the system that this machine runs.
  module Facter
    # The version of Facter whose methods are here.
    VERSION = "4.10.0"

    # A fact by name.
    Fact = Struct.new(:name, :value)

    %i[AddedFact Core Util].each { |name| autoload name, File.join(__dir__, "util", "added_fact") }

    # Names of before facts were structured, and where their values are.
    LEGACY = {
      "architecture" => "os.architecture", "domain" => "networking.domain", "fqdn" => "networking.fqdn", "gid" => "identity.group",
      "hardwaremodel" => "os.hardware", "hostname" => "networking.hostname", "id" => "identity.user", "ipaddress" => "networking.ip",
      "ipaddress6" => "networking.ip6", "lsbdistcodename" => "os.distro.codename", "lsbdistid" => "os.distro.id",
      "lsbdistrelease" => "os.distro.release.full", "lsbmajdistrelease" => "os.distro.release.major", "macaddress" => "networking.mac",
      "memorysize" => "memory.system.total", "netmask" => "networking.netmask", "operatingsystem" => "os.name",
      "operatingsystemmajrelease" => "os.release.major", "operatingsystemrelease" => "os.release.full", "osfamily" => "os.family",
      "physicalprocessorcount" => "processors.physicalcount", "processorcount" => "processors.count", "rubyversion" => "ruby.version",
      "selinux" => "os.selinux.enabled", "uptime_seconds" => "system_uptime.seconds"
    }.freeze
    # Names of systems where they are not the capitalized `ID` of `/etc/os-release`, and of their families.
    NAMES = {"almalinux" => "AlmaLinux", "centos" => "CentOS", "ol" => "OracleLinux", "rhel" => "RedHat"}.freeze
    FAMILIES = {"debian" => "Debian", "fedora" => "RedHat", "rhel" => "RedHat", "suse" => "Suse"}.freeze
    RELEASE = "/etc/os-release"
    private_constant :NAMES, :FAMILIES, :RELEASE

    class << self
      # @return [Hash{String=>Object}] the facts
      def to_hash
        added.empty? ? known : known.merge(added.transform_values(&:value).compact)
      end

      # @yieldparam name [String]
      # @yieldparam value [Object]
      def each(&block)
        to_hash.each(&block)
      end

      # @return [Array<String>] the names of the facts
      def list
        to_hash.keys.sort
      end

      # Returns the value of a fact: one of the node; one that code has added; otherwise one of this machine.
      #
      # @param name [String, Symbol] a fact, or a path such as `os.family`
      # @return [Object, nil]
      def value(name)
        name = name.to_s
        first, = name.split(".")
        return dig({first => added[first].value}, name) if added.key?(first)

        known.fetch(name) do
          path = LEGACY.fetch(name, name)
          found = dig(known, path)
          found.nil? ? dig(machine, path) : found
        end
      end

      # @param name (see value)
      # @return [Fact, nil]
      def fact(name)
        value = value(name)
        Fact.new(name.to_s, value) unless value.nil?
      end

      # Adds a way to find the value of a fact.
      #
      # @param name [String, Symbol]
      # @param options [Hash] `:weight` and `:value`
      # @yield is evaluated in the resolution: `setcode`, `confine`, `has_weight`
      # @return [void]
      def add(name, options = {}, &block)
        (added[name.to_s] ||= AddedFact.new(name.to_sym)).add(options, &block)
        false
      end

      # @param name [String, Symbol]
      # @return [Object, nil] see {value}
      def core_value(name)
        value(name)
      end

      # @return [Array<String>] no directories: facts of modules are not looked for
      def search_path
        []
      end

      # Forgets facts that were added.
      #
      # @return [void]
      def clear
        added.clear
        nil
      end
      alias reset clear
      alias flush clear

      # @return [String] the version of Facter or OpenFact that belongs to the emulated release
      def version
        Target.current.facter_version
      end

      # @return [Boolean]
      def debugging?
        Puppet.debug?
      end

      # Logs a message.
      #
      # @return [nil]
      def debug(message)
        Puppet.debug(message.to_s)
        nil
      end

      # Warns.
      #
      # @return [nil]
      def warn(message)
        Puppet.warning(message.to_s)
        nil
      end

      alias [] fact

      # @api private
      # @return [Hash{String=>Object}] facts of the system that this machine runs: `kernel` and `os`
      def machine
        @machine ||= begin
          kernel = Etc.uname[:sysname]
          said = FileTest.exist?(RELEASE) ? File.foreach(RELEASE, encoding: "UTF-8").to_a.join.scan(/^(\w+)="?([^"\n]*)/).to_h : {}
          {"kernel" => kernel, "os" => system(said.fetch("ID", kernel), said)}.freeze
        end
      end

      private

      def system(id, said)
        name = NAMES.fetch(id) { id.capitalize }
        full = said.fetch("VERSION_ID") { Etc.uname[:release] }
        family = [id, *said["ID_LIKE"]&.split].filter_map { |like| FAMILIES[like] }.first
        {"name" => name, "family" => family || name, "release" => {"full" => full, "major" => full[/\A\d+/]}}
      end

      # Facts of the node, or without a node of this machine.
      def known
        facts = Runtime.current&.scope&.facts
        facts.nil? || facts.empty? ? machine : facts
      end

      # Facts that code has added, of the runtime at work.
      def added
        (Runtime.current || self).instance_eval { @added_facts ||= {} }
      end

      def dig(facts, path)
        path.split(".").reduce(facts) do |within, part|
          break unless within.is_a?(Hash)

          within[part]
        end
      end
    end
  end
end
