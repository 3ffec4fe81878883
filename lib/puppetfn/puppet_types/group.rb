# frozen_string_literal: true

require_relative "providers/table"

module Puppetfn
  module Puppet
    Type.newtype(:group) do
      desc "A group of users."

      feature :manages_members, "The provider has members of groups."
      feature :manages_aix_lam, "The provider has the authentication modules of AIX."
      feature :system_groups, "The provider can create groups of the system."
      feature :manages_local_users_and_groups, "The provider can leave groups of the network alone."

      ensurable do
        desc "Whether the group is there."
        newvalue(:present)
        newvalue(:absent)
        defaultto :present
      end

      newproperty(:gid) do
        desc "The number of the group."

        munge do |gid|
          self.fail("Invalid GID #{gid}") if gid.is_a?(String) && !gid.match?(/^[-0-9]+$/)

          case gid
          when String then Integer(gid)
          when :absent then gid
          when Symbol then devfail("Invalid GID #{gid}")
          else gid
          end
        end
      end

      newproperty(:members, array_matching: :all, required_features: :manages_members) do
        desc "The members of the group."
        validate { |_value| nil }
      end

      newparam(:auth_membership, boolean: true, parent: Parameter::Boolean) do
        desc "Whether the members are all that there are."
        defaultto false
      end

      newparam(:name, namevar: true) { desc "The group." }

      newparam(:allowdupe, boolean: true, parent: Parameter::Boolean) do
        desc "Whether other groups can have the number."
        defaultto false
      end

      newparam(:ia_load_module, required_features: :manages_aix_lam) { desc "The authentication module." }

      newproperty(:attributes, parent: Property::KeyValue, required_features: :manages_aix_lam) do
        desc "Attributes of AIX."
        self.log_only_changed_or_new_keys = true

        def membership = :attribute_membership

        def delimiter = " "
      end

      newparam(:attribute_membership) do
        desc "Whether the attributes are all that there are."
        newvalues(:inclusive, :minimum)
        defaultto :minimum
      end

      newparam(:system, boolean: true, parent: Parameter::Boolean) do
        desc "Whether it is a group of the system."
        defaultto false
      end

      newparam(:forcelocal, boolean: true, required_features: :manages_local_users_and_groups, parent: Parameter::Boolean) do
        desc "Whether groups of the network are left alone."
        defaultto false
      end

      OwnTypes::ProviderTable.provide_for(
        self,
        {
          groupadd: [:system_groups], aix: %i[manages_aix_lam manages_local_users_and_groups manages_members],
          directoryservice: [:manages_members], ldap: [], pw: [:manages_members], windows_adsi: [:manages_members]
        },
        defaults: {
          aix: [{"os.name" => :aix}], directoryservice: [{"os.name" => :darwin}], pw: [{"os.name" => %i[freebsd dragonfly]}],
          windows_adsi: [{"os.name" => :windows}]
        },
        needs: {ldap: :ldap}
      )

      def exists?
        provider.exists?
      end
    end
  end
end
