# frozen_string_literal: true

module Puppetfn
  # What stands for Facter in files of modules, where it is not loaded: the facts of the runtime at work. It asks nothing
  # of the machine.
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
    private_constant :LEGACY

    class << self
      # @return [Hash{String=>Object}] the facts
      def to_hash
        Runtime.current&.scope&.facts || {}
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

      private

      def dig(path)
        path.split(".").reduce(to_hash) do |facts, part|
          break unless facts.is_a?(Hash)

          facts[part]
        end
      end
    end
  end
end
