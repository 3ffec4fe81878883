# frozen_string_literal: true

require_relative "table"

module Puppetfn
  module OwnTypes
    # The providers of `service`.
    module ServiceProviders
      ENABLING = %i[enableable refreshable].freeze
      OLD_UBUNTU = {"os.name" => :ubuntu, "os.release.major" => %w[10.04 12.04 14.04 14.10]}.freeze
      OLD_MINT = {"os.name" => :LinuxMint, "os.release.major" => ("10".."17").to_a}.freeze

      FEATURES = {
        systemd: %i[enableable maskable refreshable], debian: ENABLING, base: [:refreshable], bsd: ENABLING,
        daemontools: ENABLING, freebsd: ENABLING, gentoo: ENABLING, init: [:refreshable], launchd: ENABLING,
        openbsd: %i[enableable flaggable refreshable], openrc: ENABLING, openwrt: ENABLING, rcng: ENABLING, redhat: ENABLING,
        runit: ENABLING, service: [:refreshable], smf: ENABLING, src: ENABLING, upstart: ENABLING,
        windows: %i[configurable_timeout delayed_startable enableable manages_logon_credentials manual_startable refreshable]
      }.freeze

      DEFAULTS = {
        debian: [
          {"os.name" => :cumuluslinux, "os.release.major" => %w[1 2]}, {"os.name" => :debian, "os.release.major" => %w[5 6 7]},
          {"os.name" => :devuan}
        ],
        freebsd: [{"os.name" => %i[freebsd dragonfly]}],
        launchd: [{"os.name" => :darwin}],
        openbsd: [{"os.name" => :openbsd}],
        openrc: [{"os.name" => :gentoo}, {"os.name" => :funtoo}],
        openwrt: [{"os.name" => :openwrt}],
        rcng: [{"os.name" => %i[netbsd cargos]}],
        redhat: [
          {"os.name" => :amazon, "os.release.major" => %w[2017 2018]}, {"os.name" => :redhat, "os.release.major" => %w[4 5 6]},
          {"os.family" => :suse, "os.release.major" => %w[10 11]}
        ],
        smf: [{"os.family" => :solaris}],
        src: [{"os.name" => :aix}],
        systemd: [
          {"os.family" => %i[archlinux redhat suse coreos gentoo]}, {"os.family" => :redhat, "os.name" => :fedora},
          {"os.name" => :amazon, "os.release.major" => %w[2 2023]}, {"os.name" => %i[debian LinuxMint ubuntu]},
          {"os.name" => :cumuluslinux, "os.release.major" => %w[3 4]}, {"os.name" => :raspbian, "os.release.major" => ["12"]}
        ],
        upstart: [OLD_UBUNTU, OLD_MINT],
        windows: [{"os.name" => :windows}]
      }.freeze

      EXCEPTIONS = {
        systemd: [
          {"os.name" => :redhat, "os.release.major" => %w[4 5 6]}, {"os.name" => :amazon, "os.release.major" => %w[2017 2018]},
          {"os.name" => :debian, "os.release.major" => %w[5 6 7]}, OLD_MINT, OLD_UBUNTU
        ]
      }.freeze

      # Directories of service scripts: the system's by default, none for providers without scripts.
      PATHS = {openwrt: ["/etc/init.d"], rcng: "/etc/rc.d", upstart: ["/etc/init", "/etc/init.d"]}.freeze
      SCRIPTLESS = %i[base launchd openrc service smf src systemd windows].freeze
      # Directories of services: the first that exists.
      DIRECTORIES = {daemontools: ["/var/lib/service", "/etc"], runit: ["/var/lib/service", "/etc/sv"]}.freeze
      SYSTEM_PATHS = {
        "freebsd" => ["/etc/rc.d", "/usr/local/etc/rc.d"], "dragonfly" => ["/etc/rc.d", "/usr/local/etc/rc.d"],
        "hp-ux" => "/sbin/init.d", "archlinux" => "/etc/rc.d", "aix" => "/etc/rc.d/init.d"
      }.freeze
      # Number of seconds that a change may take there.
      WINDOWS_TIMEOUT = 30
      private_constant :WINDOWS_TIMEOUT, :ENABLING, :PATHS, :SCRIPTLESS, :DIRECTORIES, :SYSTEM_PATHS, :OLD_UBUNTU, :OLD_MINT, :FEATURES,
                       :DEFAULTS, :EXCEPTIONS

      class << self
        # @param type [Class<Puppet::Type>]
        def provide_for(type)
          needs = {launchd: :cfpropertylist}
          ProviderTable.provide_for(type, FEATURES, defaults: DEFAULTS, exceptions: EXCEPTIONS, needs: needs) do
            confine true: ServiceProviders.systemd? if name == :systemd
            provider = name
            # Providers of modules inherit the paths of their parents.
            define_singleton_method(:defpath) { ServiceProviders.path(provider) } unless SCRIPTLESS.include?(provider)
            define_method(:default_timeout) { WINDOWS_TIMEOUT } if name == :windows
          end
        end

        # @param provider [Symbol]
        # @return [Array<String>, String, nil] the directories of its scripts
        def path(provider)
          return DIRECTORIES[provider].find { |directory| File.directory?(directory) } if DIRECTORIES.key?(provider)

          PATHS.fetch(provider) { SYSTEM_PATHS.fetch(Facter.value("os.name").to_s.downcase, "/etc/init.d") }
        end

        # @return [Boolean] whether systemd started this system; specs mock how Puppet finds out
        def systemd?
          Puppet::FileSystem.exist?("/proc/1/comm") && Puppet::FileSystem.read("/proc/1/comm").include?("systemd")
        end
      end
    end
  end
end
