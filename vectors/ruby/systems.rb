# frozen_string_literal: true

module Vectors
  # Facts of machines, in the form in which Facter 4 reports them, for records and benchmarks. Nothing here was read from a machine.
  module Systems
    # The family, name, release, codename, kernel and architecture of operating systems.
    TABLE = {
      "debian-12" => ["Debian", "Debian", "12.5", "bookworm", "6.1.0-18-amd64", "amd64"],
      "debian-11" => ["Debian", "Debian", "11.9", "bullseye", "5.10.0-28-amd64", "amd64"],
      "ubuntu-22.04" => ["Debian", "Ubuntu", "22.04", "jammy", "5.15.0-101-generic", "amd64"],
      "redhat-8" => ["RedHat", "RedHat", "8.9", "Ootpa", "4.18.0-513.el8.x86_64", "x86_64"],
      "rocky-9" => ["RedHat", "Rocky", "9.3", "Blue Onyx", "5.14.0-362.el9.x86_64", "x86_64"],
      "sles-15" => ["Suse", "SLES", "15.5", "n/a", "5.14.21-150500.55", "x86_64"],
      "freebsd-13" => ["FreeBSD", "FreeBSD", "13.2-RELEASE", nil, "13.2-RELEASE", "amd64"]
    }.freeze
    SERVICES = {"FreeBSD" => "freebsd"}.freeze
    PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    GIB = 2**30
    private_constant :TABLE, :SERVICES, :PATH, :GIB

    class << self
      # @return [Array<String>]
      def names
        TABLE.keys
      end

      # @param system [String] one of {names}
      # @param host [String] without a domain
      # @return [Hash{String=>Object}] structured facts, and the older ones beside them
      def facts(system, host: "node", domain: "example.com", address: "10.0.2.15", processors: 2, gibibytes: 4)
        family, name, full, codename, kernel, architecture = TABLE.fetch(system)
        facts = {
          "os" => os(family, name, full, codename, architecture), **kernel(family, kernel), **platform(family),
          "networking" => networking(host, domain, address), "processors" => processors(processors, architecture),
          "memory" => memory(gibibytes), **storage(gibibytes), **host(host, domain)
        }
        facts.merge(older(facts))
      end

      private

      def os(family, name, full, codename, architecture)
        release = {"full" => full, "major" => name == "Ubuntu" ? full : full[/\A\d+/]}
        release["minor"] = full[/\A\d+\.(\d+)/, 1] unless name == "Ubuntu"
        distribution = {"codename" => codename, "description" => "#{name} #{full} (#{codename})", "id" => name, "release" => release}
        {
          "architecture" => architecture, "family" => family, "hardware" => hardware(family), "name" => name, "release" => release,
          "selinux" => {"enabled" => family == "RedHat"}.merge(family == "RedHat" ? selinux : {}), **(codename ? {"distro" => distribution} : {})
        }
      end

      def hardware(family)
        family == "FreeBSD" ? "amd64" : "x86_64"
      end

      def selinux
        {"config_mode" => "enforcing", "config_policy" => "targeted", "current_mode" => "enforcing", "enforced" => true, "policy_version" => "33"}
      end

      def kernel(family, release)
        {"kernel" => family == "FreeBSD" ? "FreeBSD" : "Linux", "kernelrelease" => release, "kernelversion" => release[/\A[\d.]*\d/],
         "kernelmajversion" => release[/\A\d+\.\d+/]}
      end

      def platform(family)
        {"service_provider" => SERVICES.fetch(family, "systemd"), "systemd" => !SERVICES.key?(family), "systemd_version" => "252",
         "virtual" => "kvm", "is_virtual" => true, "hardwaremodel" => hardware(family),
         "dmi" => {"bios" => {"vendor" => "Example", "version" => "1.0"}, "manufacturer" => "Example",
                   "product" => {"name" => "Virtual Machine", "uuid" => "00000000-0000-4000-8000-000000000001"}},
         "ruby" => {"platform" => "x86_64-linux", "sitedir" => "/usr/local/lib/site_ruby", "version" => "3.1.2"},
         "augeas" => {"version" => "1.13.0"}, "puppetversion" => "8.11.0", "facterversion" => "4.3.0", "rubyversion" => "3.1.2"}
      end

      def networking(host, domain, address)
        network = address.sub(/\d+\z/, "0")
        interfaces = {
          "eth0" => {"ip" => address, "netmask" => "255.255.255.0", "network" => network, "mac" => "02:00:0a:00:02:0f", "mtu" => 1500,
                     "bindings" => [{"address" => address, "netmask" => "255.255.255.0", "network" => network}]},
          "lo" => {"ip" => "127.0.0.1", "netmask" => "255.0.0.0", "network" => "127.0.0.0", "mtu" => 65_536,
                   "bindings" => [{"address" => "127.0.0.1", "netmask" => "255.0.0.0", "network" => "127.0.0.0"}]}
        }
        {"hostname" => host, "domain" => domain, "fqdn" => "#{host}.#{domain}", "primary" => "eth0", "interfaces" => interfaces,
         **interfaces["eth0"].except("bindings")}
      end

      def processors(count, architecture)
        {"count" => count, "physicalcount" => 1, "cores" => count, "threads" => 1, "isa" => architecture, "models" => ["Example Processor"] * count}
      end

      def memory(gibibytes)
        {"system" => size(gibibytes * GIB).merge("available_bytes" => gibibytes * GIB / 2, "available" => "#{format("%.2f", gibibytes / 2.0)} GiB",
                                                 "capacity" => "50.00%"),
         "swap" => size(GIB)}
      end

      def size(bytes, key = "total")
        {key => "#{format("%.2f", bytes.fdiv(GIB))} GiB", "#{key}_bytes" => bytes}
      end

      def storage(gibibytes)
        disk = size(gibibytes * 10 * GIB, "size")
        {"disks" => {"vda" => disk.merge("vendor" => "0x1af4")},
         "partitions" => {"/dev/vda1" => disk.merge("filesystem" => "ext4", "mount" => "/")},
         "mountpoints" => {"/" => disk.merge("device" => "/dev/vda1", "filesystem" => "ext4", "options" => %w[rw relatime])},
         "filesystems" => "ext2,ext3,ext4"}
      end

      def host(host, domain)
        {"identity" => {"gid" => 0, "group" => "root", "privileged" => true, "uid" => 0, "user" => "root"}, "path" => PATH,
         "timezone" => "UTC", "fips_enabled" => false, "uptime_days" => 3, "clientcert" => "#{host}.#{domain}",
         "system_uptime" => {"days" => 3, "hours" => 72, "seconds" => 259_200, "uptime" => "3 days"}}
      end

      # The names that facts had before they were structured, which modules still use.
      def older(facts)
        os, network = facts.values_at("os", "networking")
        distribution = os["distro"] || {}
        {
          "architecture" => os["architecture"], "osfamily" => os["family"], "operatingsystem" => os["name"],
          "operatingsystemrelease" => os["release"]["full"], "operatingsystemmajrelease" => os["release"]["major"],
          "lsbdistid" => distribution["id"], "lsbdistcodename" => distribution["codename"], "lsbdistrelease" => os["release"]["full"],
          "lsbmajdistrelease" => os["release"]["major"], "lsbdistdescription" => distribution["description"],
          "hostname" => network["hostname"], "domain" => network["domain"], "fqdn" => network["fqdn"],
          "ipaddress" => network["ip"], "ipaddress_eth0" => network["ip"], "ipaddress_lo" => "127.0.0.1", "netmask" => network["netmask"],
          "macaddress" => network["mac"], "interfaces" => "eth0,lo", "network_eth0" => network["network"],
          "processorcount" => facts["processors"]["count"], "physicalprocessorcount" => 1, "selinux" => os["selinux"]["enabled"],
          "memorysize" => facts["memory"]["system"]["total"], "memorysize_mb" => facts["memory"]["system"]["total_bytes"].fdiv(2**20).round(2),
          "id" => "root", "gid" => "root", "clientversion" => facts["puppetversion"], "augeasversion" => facts["augeas"]["version"],
          "uuid" => facts["dmi"]["product"]["uuid"]
        }.compact
      end
    end
  end
end
