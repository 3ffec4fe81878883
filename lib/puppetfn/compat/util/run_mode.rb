# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Puppet's run mode, which selects sections of settings, and has directories as defaults. See Puppet's `util/run_mode.rb`.
      class RunMode
        # @return [Symbol]
        attr_reader :name

        # @param name [Symbol]
        # @return [RunMode] the run mode of the platform
        def self.[](name)
          (@modes ||= {})[[name, Platform.windows?]] ||= (Platform.windows? ? WindowsRunMode : UnixRunMode).new(name)
        end

        # @param name [Symbol]
        def initialize(name)
          @name = name.to_sym
        end

        # @return [Boolean]
        def server?
          %i[master server].include?(name)
        end
        alias master? server?

        # @return [Boolean]
        def agent?
          name == :agent
        end

        # @return [Boolean]
        def user?
          name == :user
        end

        private

        def directory(system, user)
          File.expand_path(Puppet.features.root? ? system : user)
        end
      end

      # The directories of Unix.
      class UnixRunMode < RunMode
        {conf_dir: %w[/etc/puppetlabs/puppet etc/puppet], code_dir: %w[/etc/puppetlabs/code etc/code],
         var_dir: %w[/opt/puppetlabs/puppet/cache opt/puppet/cache], public_dir: %w[/opt/puppetlabs/puppet/public opt/puppet/public],
         run_dir: %w[/var/run/puppetlabs var/run], log_dir: %w[/var/log/puppetlabs/puppet var/log]}.each do |name, (system, user)|
          define_method(name) { directory(system, "~/.puppetlabs/#{user}") }
        end

        # @return [String]
        def pkg_config_path = "/opt/puppetlabs/puppet/lib/pkgconfig"

        # @return [String]
        def gem_cmd = "/opt/puppetlabs/puppet/bin/gem"

        # @return [String]
        def common_module_dir = "/opt/puppetlabs/puppet/modules"

        # @return [String]
        def vendor_module_dir = "/opt/puppetlabs/puppet/vendor_modules"
      end

      # The directories of Windows.
      class WindowsRunMode < RunMode
        {conf_dir: %w[puppet/etc etc/puppet], code_dir: %w[code etc/code], var_dir: %w[puppet/cache opt/puppet/cache],
         public_dir: %w[puppet/public opt/puppet/public], run_dir: %w[puppet/var/run var/run],
         log_dir: %w[puppet/var/log var/log]}.each do |name, (system, user)|
          define_method(name) { directory(File.join(ENV.fetch("ALLUSERSPROFILE", "C:/ProgramData"), "PuppetLabs", system), "~/.puppetlabs/#{user}") }
        end

        # @return [nil]
        def pkg_config_path = nil

        # @return [String]
        def gem_cmd
          home = ENV.fetch("PUPPET_DIR", nil)
          File.join(home ? File.join(home, "bin") : Gem.default_bindir, "gem.bat")
        end

        # @return [String, nil]
        def common_module_dir = below_installation("/puppet/modules")

        # @return [String, nil]
        def vendor_module_dir = below_installation("\\puppet\\vendor_modules")

        private

        def below_installation(path)
          directory = ENV.fetch("FACTER_env_windows_installdir", nil)
          "#{directory}#{path}" if directory
        end
      end
    end
  end
end
