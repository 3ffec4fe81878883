# frozen_string_literal: true

require_relative "providers/package"

module Puppetfn
  module Puppet
    Type.newtype(:package) do
      desc "A package of software."

      feature :reinstallable, "The provider can install packages again.", methods: [:reinstall]
      feature :installable, "The provider can install packages.", methods: [:install]
      feature :uninstallable, "The provider can remove packages.", methods: [:uninstall]
      feature :upgradeable, "The provider knows the latest version, for `ensure => latest`.", methods: %i[update latest]
      feature :purgeable, "The provider can remove all that is of a package.", methods: [:purge]
      feature :versionable, "The provider can install a version."
      feature :version_ranges, "The provider can install a version of a range."
      feature :holdable, "The provider can keep a package from being upgraded.", methods: %i[hold unhold]
      feature :install_only, "The provider can install a package beside its other versions."
      feature :install_options, "The provider takes options for installing."
      feature :uninstall_options, "The provider takes options for removing."
      feature :disableable, "The provider can disable packages, for `ensure => disabled`.", methods: [:disable]
      feature :supports_flavors, "The provider has flavors of packages."
      feature :package_settings, "The provider has settings of packages.",
        methods: %i[package_settings_insync? package_settings package_settings=]
      feature :virtual_packages, "The provider knows what packages provide."
      feature :targetable, "The provider can use one of several commands."

      ensurable do
        desc "Whether the package is there, and in which version."
        newvalue(:present, event: :package_installed)
        newvalue(:absent, event: :package_removed)
        newvalue(:purged, event: :package_purged, required_features: :purgeable)
        newvalue(:disabled, required_features: :disableable)
        aliasvalue(:installed, :present)
        newvalue(:latest, required_features: :upgradeable)
        newvalue(/./, required_features: :versionable)
        defaultto :installed
      end

      newparam(:name, namevar: true) do
        desc "The package."
        validate { |value| raise ArgumentError, "Name must be a String not #{value.class}" unless value.is_a?(String) }
      end

      providify
      paramclass(:provider).isnamevar

      newparam(:command, required_features: :targetable) do
        desc "The command that the provider uses."
        isnamevar
        defaultto :default
      end

      newproperty(:package_settings, required_features: :package_settings) { desc "Settings of the package." }

      newproperty(:flavor, required_features: :supports_flavors) do
        desc "The flavor."

        validate do |value|
          if [:disabled, "disabled"].include?(@resource[:ensure]) && value
            raise ArgumentError, "Cannot have both `ensure => disabled` and `flavor`"
          end
        end
      end

      newparam(:source) do
        desc "Where the package is, if it is a file."

        validate do |value|
          if provider.class.name == :windows && value.empty?
            fail("The source parameter cannot be empty when using the Windows provider.")
          end
        end
      end

      newparam(:instance) { desc "An instance of the package." }
      newparam(:status) { desc "A status that only the system knows." }
      newparam(:adminfile) { desc "A file that answers for the administrator." }
      newparam(:responsefile) { desc "A file that answers questions." }

      newparam(:configfiles) do
        desc "Whether files of configuration are kept."
        defaultto :keep
        newvalues(:keep, :replace)
      end

      %i[category platform root vendor description].each do |name|
        newparam(name) { desc "What the system says of the package; nothing is done about it." }
      end

      newparam(:allowcdrom) do
        desc "Whether packages may come from a disc."
        newvalues(:true, :false)
      end

      newparam(:enable_only, boolean: false, parent: Parameter::Boolean) do
        desc "Whether a module is enabled and nothing installed."
        defaultto false

        validate do |value|
          if [true, :true, "true"].include?(value) && @resource[:flavor]
            raise ArgumentError, "Cannot have both `enable_only => true` and `flavor`"
          end
          if [:disabled, "disabled"].include?(@resource[:ensure])
            raise ArgumentError, "Cannot have both `ensure => disabled` and `enable_only => true`"
          end
        end
      end

      newparam(:install_only, boolean: false, parent: Parameter::Boolean, required_features: :install_only) do
        desc "Whether the package is installed beside its other versions."
        defaultto false
      end

      %i[install_options uninstall_options].each do |name|
        newparam(name, parent: Parameter::PackageOptions, required_features: name) { desc "Options of the provider's command." }
      end

      newparam(:allow_virtual, boolean: true, parent: Parameter::Boolean, required_features: :virtual_packages) do
        desc "Whether the package can be what others provide."
        defaultto { provider.class.allow_virtual }
      end

      newparam(:reinstall_on_refresh) do
        desc "Whether the package is installed again when the resource is refreshed."
        newvalues(:true, :false)
        defaultto :false
      end

      newproperty(:mark, required_features: :holdable) do
        desc "Whether the package is kept from being upgraded."
        newvalues(:hold, :none)

        munge do |value|
          mark = {"hold" => :hold, "none" => :none}[value.to_s]
          mark or raise ArgumentError, "Invalid hold value #{value.inspect}. Valid values are: hold/none"
        end

        def should
          @should[0] if @should.is_a?(Array) && @should.size == 1
        end
      end

      OwnTypes::PackageProviders.provide_for(self)

      autorequire(:file) do
        source = self[:source]
        [*self[:responsefile], *self[:adminfile], *(source if source && absolute_path?(source))]
      end

      validate do
        if @parameters[:mark] && %i[absent purged].include?(@parameters[:ensure].should)
          raise ArgumentError, "You cannot use \"mark\" property while \"ensure\" is one of [\"absent\", \"purged\"]"
        end
      end

      def self.parameters_to_include
        [:provider]
      end

      def self.title_patterns
        [[/(.*)/m, [[:name]]]]
      end

      def refresh; end
    end
  end
end
