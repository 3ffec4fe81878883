# frozen_string_literal: true

require "etc"

module Puppetfn
  # What stands for Facter in files of modules, where it is not loaded: the facts of the runtime at work. For a runtime
  # without facts there is what files of types look at when they are loaded: the system that this machine runs.
  module Facter
    # A fact by name.
    Fact = Struct.new(:name, :value)

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
    # Names of systems that are not what `/etc/os-release` has in capitals, and whose families go by other names.
    NAMES = {"almalinux" => "AlmaLinux", "centos" => "CentOS", "ol" => "OracleLinux", "rhel" => "RedHat"}.freeze
    FAMILIES = {"debian" => "Debian", "fedora" => "RedHat", "rhel" => "RedHat", "suse" => "Suse"}.freeze
    RELEASE = "/etc/os-release"
    private_constant :NAMES, :FAMILIES, :RELEASE

    class << self
      # @return [Hash{String=>Object}] the facts
      def to_hash
        known = Runtime.current&.scope&.facts
        known.nil? || known.empty? ? machine : known
      end

      # @param name [String, Symbol] a fact, or a path such as `os.family`
      # @return [Object, nil]
      def value(name)
        name = name.to_s
        to_hash.fetch(name) { LEGACY.key?(name) ? dig(LEGACY[name]) : dig(name) }
      end

      # @param name (see value)
      # @return [Fact, nil]
      def fact(name)
        value = value(name)
        Fact.new(name.to_s, value) unless value.nil?
      end
      alias [] fact

      # @api private
      # @return [Hash{String=>Object}] what is known of the system that this machine runs
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

      def dig(path)
        path.split(".").reduce(to_hash) do |facts, part|
          break unless facts.is_a?(Hash)

          facts[part]
        end
      end
    end
  end
end
