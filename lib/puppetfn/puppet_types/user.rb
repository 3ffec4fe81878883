# frozen_string_literal: true

require_relative "providers/user"

module Puppetfn
  module Puppet
    Type.newtype(:user) do
      desc "A user of the system."

      feature :allows_duplicates, "The provider can give several users the same number."
      feature :manages_homedir, "The provider can make and remove home directories."
      feature :manages_passwords, "The provider can set passwords, as hashes."
      feature :manages_password_age, "The provider can say how old passwords may be."
      feature :manages_password_salt, "The provider can set the salt of passwords."
      feature :manages_solaris_rbac, "The provider has the rights of Solaris."
      feature :manages_roles, "The provider has roles."
      feature :manages_expiry, "The provider can say when an account expires."
      feature :system_users, "The provider can create users of the system."
      feature :manages_aix_lam, "The provider has the authentication modules of AIX."
      feature :manages_local_users_and_groups, "The provider can leave users of the network alone."
      feature :manages_shell, "The provider can set shells."
      feature :manages_loginclass, "The provider has login classes."

      # Declares a property as a number, or a value that is left unchanged.
      number = lambda do |property|
        property.munge { |value| value.is_a?(String) && value.match?(/^[-0-9]+$/) ? Integer(value) : value }
      end

      # Declares a property as a number of days.
      days = lambda do |property, what|
        property.munge { |value| value.is_a?(String) ? Integer(value) : value }
        property.validate do |value|
          raise ArgumentError, "Password #{what} must be provided as a number." unless value.to_s.match?(/^-?\d+$/)
        end
      end

      # Declares a property as a list of names.
      names = lambda do |property, what|
        property.validate do |value|
          raise ArgumentError, "#{what} names must be provided, not numbers" if value =~ /^\d+$/
          if value.include?(",")
            raise ArgumentError, "#{what} names must be provided as an array, not a comma-separated list"
          end
        end
      end

      # Declares a parameter that decides whether other members are removed.
      membership = lambda do |parameter|
        parameter.newvalues(:inclusive, :minimum)
        parameter.defaultto :minimum
      end

      newproperty(:ensure, parent: Property::Ensure) do
        desc "Whether the user is there."
        newvalue(:present, event: :user_created)
        newvalue(:absent, event: :user_removed)
        newvalue(:role, event: :role_created, required_features: :manages_solaris_rbac)
        defaultto { :present if @resource.managed? }
      end

      newproperty(:home) { desc "The home directory." }
      newproperty(:uid, &number)
      newproperty(:gid, &number)
      newproperty(:comment) { desc "What is said of the user." }
      newproperty(:shell, required_features: :manages_shell) { desc "The shell." }

      newproperty(:password, required_features: :manages_passwords) do
        desc "The password, in the form that the system has it."
        validate { |value| raise ArgumentError, "Passwords cannot include ':'" if value.is_a?(String) && value.include?(":") }
        sensitive true
      end

      newproperty(:password_min_age, required_features: :manages_password_age) { days.(self, "minimum age") }
      newproperty(:password_max_age, required_features: :manages_password_age) { days.(self, "maximum age") }
      newproperty(:password_warn_days, required_features: :manages_password_age) { days.(self, "warning days") }

      newproperty(:groups, parent: Property::List) do
        desc "The groups besides the first one."

        validate do |value|
          raise ArgumentError, "Group names must be provided, not GID numbers." if value =~ /^\d+$/
          if value.include?(",")
            raise ArgumentError, "Group names must be provided as an array, not a comma-separated list."
          end
          if value.empty?
            raise ArgumentError, "Group names must not be empty. If you want to specify \"no groups\" pass an empty array"
          end
        end
      end

      newparam(:name, namevar: true) { desc "The user." }

      newparam(:membership, &membership)

      newparam(:system, boolean: true, parent: Parameter::Boolean) do
        desc "Whether it is a user of the system."
        defaultto false
      end

      newparam(:allowdupe, boolean: true, parent: Parameter::Boolean) do
        desc "Whether other users can have the number."
        defaultto false
      end

      newparam(:managehome, boolean: true, parent: Parameter::Boolean) do
        desc "Whether the home directory is made and removed with the user."
        defaultto false

        validate do |value|
          if munge(value) && provider && !provider.class.manages_homedir?
            raise ArgumentError, "User provider #{provider.class.name} can not manage home directories"
          end
        end
      end

      newproperty(:expiry, required_features: :manages_expiry) do
        desc "The day on which the account expires."
        newvalues(:absent, /^\d{4}-\d{2}-\d{2}$/)

        validate do |value|
          unless value.intern == :absent || value.match?(/^\d{4}-\d{2}-\d{2}$/)
            raise ArgumentError, "Expiry dates must be YYYY-MM-DD or the string \"absent\""
          end
        end
      end

      autorequire(:group) do
        first = @parameters[:gid]&.shouldorig&.map { |group| group.is_a?(String) && group.match?(/^\d+$/) ? Integer(group) : group }
        found = (first || []).filter_map { |group| group.is_a?(Integer) ? group_of_number(group) : group }
        found.concat((@parameters[:groups]&.should || "").split(","))
      end

      newproperty(:roles, parent: Property::List, required_features: :manages_roles) do
        desc "The roles."
        names.(self, "Role")

        def membership = :role_membership
      end

      autorequire(:user) { (@parameters[:roles]&.should || "").split(",") }

      newproperty(:auths, parent: Property::List, required_features: :manages_solaris_rbac) do
        desc "The rights."
        names.(self, "Auth")

        def membership = :auth_membership
      end

      newproperty(:profiles, parent: Property::OrderedList, required_features: :manages_solaris_rbac) do
        desc "The profiles."
        names.(self, "Profile")

        def membership = :profile_membership
      end

      newproperty(:keys, parent: Property::KeyValue, required_features: :manages_solaris_rbac) do
        desc "Attributes of Solaris."

        def membership = :key_membership
      end

      newproperty(:project, required_features: :manages_solaris_rbac) { desc "The project." }
      %i[role_membership auth_membership profile_membership key_membership].each { |name| newparam(name, &membership) }
      newparam(:ia_load_module, required_features: :manages_aix_lam) { desc "The authentication module." }

      newproperty(:attributes, parent: Property::KeyValue, required_features: :manages_aix_lam) do
        desc "Attributes of AIX."
        self.log_only_changed_or_new_keys = true

        def membership = :attribute_membership

        def delimiter = " "
      end

      newparam(:attribute_membership, &membership)
      newproperty(:salt, required_features: :manages_password_salt) { desc "The salt of the password." }
      newproperty(:iterations, required_features: :manages_password_salt, &number)

      newparam(:forcelocal, boolean: true, required_features: :manages_local_users_and_groups, parent: Parameter::Boolean) do
        desc "Whether users of the network are left alone."
        defaultto false
      end

      newparam(:purge_ssh_keys) do
        desc "Whether keys are removed that the catalog does not have, or the files where that is done."
        defaultto :false
        newvalues(:true, :false)

        validate do |value|
          next if %w[true false].include?(value.to_s)

          value = [value] if value.is_a?(String)
          unless value.is_a?(Array)
            raise ArgumentError, "purge_ssh_keys must be true, false, or an array of file names, not #{value.inspect}"
          end
          value.each { |file| validate_file(file) }
        end

        munge do |value|
          case value.to_s
          when "false" then []
          when "true" then [home && "#{home}/.ssh/authorized_keys"].compact
          else [value].flatten.filter_map { |file| file.match?(%r{^(?:~|%h)/}) ? home && file.sub(/\A(?:~|%h)/) { home } : file }
          end
        end

        private

        def validate_file(file)
          unless file.is_a?(String)
            raise ArgumentError, "Each entry for purge_ssh_keys must be a string, not a #{file.class}"
          end
          return if Util.absolute_path?(file) || file.match?(%r{^~/|^%h/})

          raise ArgumentError, "Paths to keyfiles must be absolute, not #{file}"
        end

        def home
          resource[:home] || Dir.home(resource[:name])
        rescue ArgumentError
          Puppet.debug("User '#{resource[:name]}' does not exist")
          nil
        end
      end

      newproperty(:loginclass, required_features: :manages_loginclass) do
        desc "The login class."
        validate { |value| raise ArgumentError, "Class name must be provided." if value =~ /^\d+$/ }
      end

      OwnTypes::UserProviders.provide_for(self)

      def exists?
        provider.exists?
      end

      # @return [Array<Ssh_authorized_key>] the keys in the user's files that are to be removed
      def generate
        return [] if self[:purge_ssh_keys].empty?
        return find_unmanaged_keys if Type.type(:ssh_authorized_key)

        warning("Ssh_authorized_key type is not available. Cannot purge SSH keys.")
        []
      end

      # @return [Array<Ssh_authorized_key>]
      def find_unmanaged_keys
        found = self[:purge_ssh_keys].select { |file| ::File.readable?(file) }.flat_map { |file| unknown_keys_in_file(file) }
        found.each do |key|
          key[:ensure] = :absent
          key[:user] = self[:name]
          key.copy_metaparams(parameters)
        end
      end

      # @param file [String]
      # @return [Array<Ssh_authorized_key>] the keys that the catalog does not have
      def unknown_keys_in_file(file)
        type = Type.type(:ssh_authorized_key) or return []
        unnamed = 0
        names = ::File.foreach(file, encoding: "UTF-8").filter_map do |line|
          name = line[type.keyline_regex, 4] or next
          name.empty? ? "#{file}:unnamed-#{unnamed += 1}" : name
        end
        names.each { |name| debug("#{ref} parsed for purging Ssh_authorized_key[#{name}]") }
        names.map { |name| type.new(name: name, target: file) }.reject { |key| catalog.resource_refs.include?(key.ref) }
      end

      def group_of_number(number)
        catalog.resources.find { |resource| resource.is_a?(Type.type(:group)) && resource.should(:gid) == number }
      end
    end
  end
end
