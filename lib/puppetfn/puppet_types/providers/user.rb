# frozen_string_literal: true

require_relative "table"

module Puppetfn
  module OwnTypes
    # The providers of `user`.
    module UserProviders
      FEATURES = {
        useradd: %i[
          allows_duplicates manages_expiry manages_homedir manages_password_age manages_passwords manages_shell system_users
        ],
        aix: %i[
          manages_aix_lam manages_expiry manages_homedir manages_local_users_and_groups manages_password_age manages_passwords
          manages_shell
        ],
        directoryservice: %i[manages_password_salt manages_passwords manages_shell],
        hpuxuseradd: %i[allows_duplicates manages_homedir manages_passwords],
        ldap: %i[manages_passwords manages_shell],
        openbsd: %i[manages_expiry manages_homedir manages_loginclass manages_passwords manages_shell system_users],
        pw: %i[allows_duplicates manages_expiry manages_homedir manages_passwords manages_shell],
        user_role_add: %i[
          allows_duplicates manages_homedir manages_password_age manages_passwords manages_roles manages_shell manages_solaris_rbac
        ],
        windows_adsi: %i[manages_homedir manages_passwords manages_roles]
      }.freeze

      DEFAULTS = {
        aix: [{"os.name" => :aix}], directoryservice: [{"os.name" => :darwin}], hpuxuseradd: [{"os.name" => "hp-ux"}],
        openbsd: [{"os.name" => :openbsd}], pw: [{"os.name" => %i[freebsd dragonfly]}],
        user_role_add: [{"os.family" => :solaris}], windows_adsi: [{"os.name" => :windows}]
      }.freeze
      private_constant :FEATURES, :DEFAULTS

      # @param type [Class<Puppet::Type>]
      def self.provide_for(type)
        ProviderTable.provide_for(type, FEATURES, defaults: DEFAULTS, needs: {directoryservice: :cfpropertylist, ldap: :ldap})
      end
    end
  end
end
