# frozen_string_literal: true

require "etc"
require "rbconfig"
require "socket"

module Puppetfn
  module RSpec
    module Facter
      # The facts of this machine, as far as Ruby knows them. Other facts exist without a value, for specs to mock.
      #
      # @api private
      module Machine
        # Facts without a value.
        UNKNOWN = %w[
          az_metadata bios_release_date bios_vendor bios_version blockdevices boardmanufacturer boardproductname
          boardserialnumber chassistype cloud dhcp_servers disks dmi ec2_metadata ec2_userdata filesystems fips_enabled gce
          hypervisors is_virtual load_averages lsbdistdescription lsbminordistrelease manufacturer memory memoryfree
          memoryfree_mb memorysize_mb mountpoints network partitions productname scope6 serialnumber ssh swapfree swapfree_mb
          swapsize swapsize_mb system_uptime uptime uptime_days uptime_hours uuid virtual zones
        ].freeze
        private_constant :UNKNOWN

        # Facts that Ruby knows: each has a method.
        KNOWN = %w[
          augeas facterversion identity interfaces kernel kernelmajversion kernelrelease kernelversion networking os path processors
          ruby timezone
        ].freeze
        LEGACY = Puppetfn::Facter::LEGACY.merge("augeasversion" => "augeas.version").freeze
        private_constant :KNOWN, :LEGACY

        class << self
          # @return [Array<String>]
          def names
            KNOWN | LEGACY.keys | UNKNOWN
          end

          # @param name [String]
          # @return [Boolean]
          def fact?(name)
            KNOWN.include?(name) || LEGACY.key?(name) || UNKNOWN.include?(name)
          end

          # Returns a fact, which is determined once.
          #
          # @param name [String]
          # @return [Object, nil]
          def value(name)
            return unless KNOWN.include?(name) || LEGACY.key?(name)

            @values ||= {}
            @values.fetch(name) { @values[name] = LEGACY.key?(name) ? legacy(*LEGACY[name].split(".")) : send(name) }
          end

          private

          def augeas
            require "augeas"
            {"version" => ::Augeas.open(nil, nil, ::Augeas::NO_MODL_AUTOLOAD).get("/augeas/version")}
          rescue LoadError
            nil
          end

          def legacy(first, *others)
            others.reduce(value(first)) { |structure, part| structure && structure[part] }
          end

          def facterversion = Facter.version

          def kernel = Puppetfn::Facter.machine.fetch("kernel")

          def kernelrelease = Etc.uname[:release]

          def kernelversion = kernelrelease[/\A[\d.]+/]

          def kernelmajversion = kernelrelease[/\A\d+\.\d+/]

          def path = ENV.fetch("PATH", nil)

          def processors = {"count" => Etc.nprocessors}

          def ruby = {"platform" => RUBY_PLATFORM, "sitedir" => RbConfig::CONFIG["sitelibdir"], "version" => RUBY_VERSION}

          def timezone = Time.now.zone

          def interfaces = addresses.keys.sort.join(",")

          def os
            known = Puppetfn::Facter.machine.fetch("os")
            machine = Etc.uname[:machine]
            architecture = known["family"] == "Debian" ? machine.sub("x86_64", "amd64") : machine
            known.merge("architecture" => architecture, "hardware" => machine)
          end

          def identity
            {"gid" => Process.gid, "group" => Etc.getgrgid&.name, "privileged" => Process.uid.zero?, "uid" => Process.uid,
             "user" => Etc.getpwuid&.name}
          end

          def networking
            hostname, domain = Socket.gethostname.split(".", 2)
            primary, facts = addresses.find { |_, known| known.key?("ip") && !known["ip"].start_with?("127.") }
            {"domain" => domain, "fqdn" => [hostname, domain].compact.join("."), "hostname" => hostname, "interfaces" => addresses,
             "primary" => primary}.merge(facts || {})
          end

          # Of each network interface.
          def addresses
            @addresses ||= Socket.getifaddrs.group_by(&:name).transform_values do |interfaces|
              interfaces.filter_map(&:addr).reduce({}) { |known, address| address_of(address).merge(known) }
            end
          end

          def address_of(address)
            if address.ipv4? then {"ip" => address.ip_address}
            elsif address.ipv6? then {"ip6" => address.ip_address}
            else {"mac" => address.inspect_sockaddr[/(?<=hwaddr=)\h+(?::\h+)+/]}.compact
            end
          end
        end
      end
    end
  end
end
