# frozen_string_literal: true

require_relative "table"

module Puppetfn
  module OwnTypes
    # The providers of `package`.
    module PackageProviders
      BASIC = %i[installable uninstallable].freeze
      UPGRADING = [*BASIC, :upgradeable].freeze
      VERSIONED = [*UPGRADING, :versionable].freeze
      PURGING = [*UPGRADING, :purgeable].freeze
      FULL = [*VERSIONED, :purgeable].freeze
      RPM = [*VERSIONED, :install_options, :virtual_packages].freeze
      GEM = [*VERSIONED, :install_options, :uninstall_options].freeze
      PIP = [*VERSIONED, :install_options, :targetable].freeze

      FEATURES = {
        apt: [*FULL, :holdable, :install_options, :version_ranges, :virtual_packages],
        aix: VERSIONED, appdmg: [:installable], apple: [:installable], aptitude: [*FULL, :holdable], aptrpm: FULL,
        blastwave: UPGRADING, dnf: [*RPM, :purgeable, :install_only, :version_ranges],
        dnfmodule: [*FULL, :disableable, :supports_flavors], dpkg: [*PURGING, :holdable, :virtual_packages],
        fink: [*FULL, :holdable], freebsd: PURGING, gem: [*GEM, :targetable, :version_ranges], hpux: BASIC,
        macports: VERSIONED, nim: VERSIONED, openbsd: [*FULL, :install_options, :supports_flavors, :uninstall_options],
        opkg: UPGRADING, pacman: [*PURGING, :install_options, :uninstall_options, :virtual_packages],
        pip: [*PIP, :version_ranges], pip2: PIP, pip3: PIP, pkg: [*VERSIONED, :holdable, :install_options],
        pkgdmg: [:installable], pkgin: VERSIONED, pkgng: [*VERSIONED, :install_options], pkgutil: UPGRADING,
        portage: [*FULL, :install_options, :reinstallable, :uninstall_options, :virtual_packages], ports: PURGING,
        portupgrade: UPGRADING, puppet_gem: GEM, puppetserver_gem: GEM, rpm: [*RPM, :install_only, :uninstall_options],
        rug: VERSIONED, sun: [*UPGRADING, :install_options], sunfreeware: UPGRADING, tdnf: [*RPM, :purgeable],
        up2date: UPGRADING, urpmi: FULL, windows: [*BASIC, :install_options, :uninstall_options, :versionable],
        xbps: [*UPGRADING, :holdable, :install_options, :uninstall_options, :virtual_packages],
        yum: [*RPM, :purgeable, :install_only, :version_ranges], zypper: RPM
      }.freeze

      OLD_RED_HAT = {"os.family" => :redhat, "os.release.major" => %w[4 5 6 7]}.freeze

      DEFAULTS = {
        aix: [{"os.name" => :aix}], apt: [{"os.family" => :debian}],
        dnf: [{"os.name" => :fedora}, {"os.family" => :redhat}, {"os.name" => :amazon, "os.release.major" => ["2023"]}],
        hpux: [{"os.name" => "hp-ux"}], openbsd: [{"os.name" => :openbsd}], opkg: [{"os.name" => :openwrt}],
        pacman: [{"os.name" => %i[archlinux manjarolinux artix]}],
        pkg: [{"os.family" => :solaris, :kernelrelease => %w[5.11 5.12]}], pkgdmg: [{"os.name" => :darwin}],
        pkgin: [{"os.name" => %i[smartos netbsd]}], pkgng: [{"os.name" => %i[freebsd dragonfly]}],
        portage: [{"os.family" => :gentoo}], sun: [{"os.family" => :solaris}], tdnf: [{"os.name" => "PhotonOS"}],
        up2date: [{"os.family" => :redhat, "os.distro.release.full" => ["2.1", "3", "4"]}],
        urpmi: [{"os.name" => %i[mandriva mandrake]}], windows: [{"os.name" => :windows}], xbps: [{"os.name" => :void}],
        yum: [{"os.name" => :amazon}, OLD_RED_HAT], zypper: [{"os.name" => %i[suse sles sled opensuse]}]
      }.freeze

      EXCEPTIONS = {dnf: [{"os.name" => :fedora, "os.release.major" => %w[19 20 21]}, OLD_RED_HAT]}.freeze

      # Providers that take virtual packages only if they are told to.
      STRICT = %i[dpkg apt aptitude fink xbps].freeze
      private_constant :BASIC, :UPGRADING, :VERSIONED, :PURGING, :FULL, :RPM, :GEM, :PIP, :FEATURES, :OLD_RED_HAT, :DEFAULTS,
        :EXCEPTIONS

      # @param type [Class<Puppet::Type>]
      def self.provide_for(type)
        needs = {appdmg: :cfpropertylist, pkgdmg: :cfpropertylist, puppetserver_gem: :hocon}
        ProviderTable.provide_for(type, FEATURES, defaults: DEFAULTS, exceptions: EXCEPTIONS, needs: needs) do
          def self.allow_virtual
            !STRICT.include?(name)
          end
        end
      end
    end
  end
end
