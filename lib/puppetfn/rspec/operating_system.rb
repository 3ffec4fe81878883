# frozen_string_literal: true

require_relative "../rspec"

module Puppetfn
  module RSpec
    # An operating system, as a set of facts: enough for functions and types, where no collected facts are installed.
    #
    # @api private
    class OperatingSystem
      # The families, by the names of their members in lower case.
      FAMILIES = {
        "RedHat" => %w[redhat centos oraclelinux scientific rocky almalinux fedora amazon amazonlinux cloudlinux
          virtuozzolinux psbm ol ascendos],
        "Debian" => %w[debian ubuntu linuxmint raspbian devuan], "Suse" => %w[sles sled opensuse opensuse-leap suse],
        "Archlinux" => %w[archlinux manjaro], "Gentoo" => %w[gentoo], "FreeBSD" => %w[freebsd dragonfly],
        "OpenBSD" => %w[openbsd], "NetBSD" => %w[netbsd], "Solaris" => %w[solaris], "AIX" => %w[aix],
        "Darwin" => %w[darwin], "windows" => %w[windows], "Linux" => %w[alpine]
      }.freeze
      # The kernel, by family.
      KERNELS = {"FreeBSD" => "FreeBSD", "OpenBSD" => "OpenBSD", "NetBSD" => "NetBSD", "Solaris" => "SunOS", "AIX" => "AIX",
                 "Darwin" => "Darwin", "windows" => "windows"}.freeze
      # Systems whose releases have two numbers that count.
      TWO_NUMBERS = %w[ubuntu openbsd aix].freeze
      # The systems with facts, if the caller names none.
      KNOWN = {
        "RedHat" => %w[7 8 9], "CentOS" => %w[7 8 9], "OracleLinux" => %w[7 8 9], "Rocky" => %w[8 9], "AlmaLinux" => %w[8 9],
        "Fedora" => %w[39 40 41], "Amazon" => %w[2 2023], "Debian" => %w[10 11 12], "Ubuntu" => %w[18.04 20.04 22.04 24.04],
        "SLES" => %w[12 15], "Archlinux" => %w[1], "Gentoo" => %w[2], "FreeBSD" => %w[13 14], "OpenBSD" => %w[7.5],
        "Solaris" => %w[11], "windows" => %w[2016 2019 2022]
      }.freeze
      # The names of releases.
      CODENAMES = {
        "Debian" => {"9" => "stretch", "10" => "buster", "11" => "bullseye", "12" => "bookworm", "13" => "trixie"},
        "Ubuntu" => {"16.04" => "xenial", "18.04" => "bionic", "20.04" => "focal", "22.04" => "jammy", "24.04" => "noble"}
      }.freeze
      # Operating systems in names of files, in lower case.
      OTHERS = FAMILIES.values.flatten.to_h { |name| [name, true] }.freeze
      private_constant :FAMILIES, :KERNELS, :TWO_NUMBERS, :KNOWN, :CODENAMES, :OTHERS

      # @return [Array<OperatingSystem>] the usual ones
      def self.known
        all(KNOWN.map { |name, releases| {"operatingsystem" => name, "operatingsystemrelease" => releases} }, ["x86_64"])
      end

      # Returns the systems that a module supports.
      #
      # @param supported [Array<Hash>] as in metadata.json
      # @param hardware [Array<String>]
      # @return [Array<OperatingSystem>]
      # @raise [ArgumentError] when one has no name
      def self.all(supported, hardware)
        supported.flat_map do |entry|
          name = entry["operatingsystem"] or
            raise ArgumentError, "a supported system has to name its operatingsystem, and #{entry.inspect} does not"
          # For systems without a release, any release is meant.
          releases = entry["operatingsystemrelease"] ? Array(entry["operatingsystemrelease"]) : [nil]
          releases.product(hardware).map { |release, model| new(name, release&.to_s&.sub(/\AServer /i, ""), model) }
        end
      end

      # @param facts [Hash{String=>Object}] of a system
      # @return [String] its name, release and hardware
      def self.id_of(facts)
        os = facts["os"] || {}
        name = os["name"] || facts["operatingsystem"]
        release = os.dig("release", "major") || facts["operatingsystemmajrelease"]
        "#{name.to_s.downcase}-#{release}-#{os["hardware"] || facts["hardwaremodel"]}"
      end

      # @param name [String]
      # @param release [String, nil] nil for any
      # @param hardware [String]
      def initialize(name, release, hardware = "x86_64")
        @any_release = release.nil?
        @release = release || "1"
        @family = FAMILIES.find { |_, members| members.include?(name.downcase) }&.first || name
        @name = @family == "windows" ? "windows" : name
        @hardware = {"FreeBSD" => "amd64", "OpenBSD" => "amd64", "NetBSD" => "amd64", "Solaris" => "i86pc"}.fetch(@family, hardware)
      end

      # @return [String] as people name it
      def to_s
        @any_release ? @name : "#{@name} #{@release}"
      end

      # @return [String] name, release and hardware
      def id
        "#{@name.downcase}-#{major}-#{@hardware}"
      end

      # @param facts [Hash{String=>Object}]
      # @return [Boolean] whether they are of this system
      def described_by?(facts)
        os = facts["os"] || {}
        name = os["name"] || facts["operatingsystem"]
        full = (os.dig("release", "full") || facts["operatingsystemrelease"]).to_s
        hardware = os["hardware"] || facts["hardwaremodel"]
        name == @name && hardware?(hardware.to_s) && (@any_release || release?(full))
      end

      # @param name [String] of a file with facts, such as `debian-12-x86_64.facts`
      # @return [Boolean] whether the file is named for another operating system
      def other_file?(name)
        name = name.downcase
        !name.start_with?("#{@name.downcase}-") && OTHERS.include?(name[/\A[^-]+(?=-)/])
      end

      # @return [Hash{String=>Object}]
      def facts
        structured.merge(legacy)
      end

      private

      # AIX names machines.
      def hardware?(hardware)
        @family == "AIX" ? hardware.start_with?("IBM,") : hardware == @hardware
      end

      # See rspec-puppet-facts, which compares the beginning, up to the first blank, but for Windows, AIX and Amazon Linux 2.
      def release?(full)
        case @family
        when "windows" then full == @release
        when "AIX" then full.start_with?("#{@release.sub(/\A(\d+)\.(\d+)\z/, '\1\200')}-")
        else full == @release || (!(@name.match?(/amazon/i) && @release == "2") && full.start_with?(@release.split.first.to_s))
        end
      end

      def major
        numbers = @release.split(".")
        return @release if @family == "windows"

        TWO_NUMBERS.include?(@name.downcase) ? numbers.first(2).join(".") : numbers.first
      end

      def kernel
        KERNELS.fetch(@family, "Linux")
      end

      def structured
        {
          "os" => os, "kernel" => kernel, "kernelversion" => "6.1.0", "kernelmajversion" => "6.1", "kernelrelease" => "6.1.0",
          "networking" => networking, "facterversion" => Facter::VERSION, "is_virtual" => true, "virtual" => "kvm",
          "timezone" => "UTC", "path" => "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          "identity" => {"uid" => 0, "gid" => 0, "user" => "root", "group" => "root", "privileged" => true},
          "processors" => {"count" => 2, "physicalcount" => 1, "isa" => @hardware, "models" => ["cpu"] * 2},
          "memory" => {"system" => {"total" => "4.00 GiB", "total_bytes" => 4_294_967_296}},
          "ruby" => {"platform" => "#{@hardware}-#{kernel.downcase}", "version" => RUBY_VERSION}
        }
      end

      def os
        full = @family == "Debian" || @release.include?(".") || @family == "windows" ? @release : "#{@release}.0"
        {
          "name" => @name, "family" => @family, "hardware" => @hardware, "architecture" => architecture,
          "release" => {"full" => full, "major" => major, "minor" => full.split(".")[1]}.compact,
          "selinux" => {"enabled" => false}, "distro" => (distro(full) if kernel == "Linux")
        }.compact
      end

      def distro(full)
        {
          "id" => @name, "description" => "#{@name} #{full}", "codename" => CODENAMES.dig(@name, @release) || "n/a",
          "release" => {"full" => full, "major" => major}
        }
      end

      def architecture
        @family == "Debian" && @hardware == "x86_64" ? "amd64" : @hardware
      end

      def networking
        interface = {"ip" => "10.0.2.15", "netmask" => "255.255.255.0", "network" => "10.0.2.0", "mac" => "52:54:00:12:34:56"}
        interface.merge("hostname" => "foo", "domain" => "example.com", "fqdn" => "foo.example.com", "primary" => "eth0",
          "interfaces" => {"eth0" => interface, "lo" => {"ip" => "127.0.0.1", "netmask" => "255.0.0.0", "network" => "127.0.0.0"}})
      end

      # Returns the names from before facts had structure.
      def legacy
        {
          "operatingsystem" => @name, "operatingsystemrelease" => os["release"]["full"], "operatingsystemmajrelease" => major,
          "osfamily" => @family, "architecture" => architecture, "hardwaremodel" => @hardware, "hostname" => "foo",
          "domain" => "example.com", "fqdn" => "foo.example.com", "ipaddress" => "10.0.2.15", "macaddress" => "52:54:00:12:34:56",
          "interfaces" => "eth0,lo"
        }
      end
    end
  end
end
