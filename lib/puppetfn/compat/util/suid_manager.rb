# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # The user and the group of this process. See Puppet's `util/suidmanager.rb`.
      module SUIDManager
        %i[uid gid euid egid uid= gid= euid= egid= groups groups=].each do |name|
          define_method(name) { |*arguments| Process.public_send(name, *arguments) }
          module_function name
        end

        module_function

        # @return [Boolean]
        def root?
          Process.uid.zero?
        end

        # Runs a block as another user, if this process may change its user.
        #
        # @param new_uid [Integer, String, nil]
        # @param new_gid [Integer, String, nil]
        # @return [Object] the result of the block
        def asuser(new_uid = nil, new_gid = nil)
          return yield if Platform.windows? || !root? || !(new_uid || new_gid)

          old_uid, old_gid = euid, egid
          begin
            change_privileges(new_uid, new_gid, false)
            yield
          ensure
            change_privileges(new_uid ? old_uid : nil, old_gid, false)
          end
        end

        # @param uid [Integer, String, nil]
        # @param gid [Integer, String, nil] the user's group by default
        # @param permanently [Boolean]
        # @return [void]
        # @raise [Puppet::Error] if there is no such user or group
        def change_privileges(uid = nil, gid = nil, permanently = false)
          return unless uid || gid

          unless gid
            uid = convert_xid(:uid, uid)
            gid = ::Etc.getpwuid(uid).gid
          end
          change_group(gid, permanently)
          change_user(uid, permanently) if uid
        end

        # @param group [Integer, String]
        # @param permanently [Boolean] whether the real group changes, too
        def change_group(group, permanently = false)
          gid = convert_xid(:gid, group)
          return if Process.egid == gid

          permanently ? Process::GID.change_privilege(gid) : Process.egid = gid
        end

        # @param user [Integer, String]
        # @param permanently [Boolean] whether the real user changes, too
        def change_user(user, permanently = false)
          uid = convert_xid(:uid, user)
          return if Process.euid == uid
          return Process::UID.change_privilege(uid) if initgroups(uid) && permanently

          Process.euid = uid
        end

        # @param type [:uid, :gid]
        # @param id [Integer, String]
        # @return [Integer]
        # @raise [ArgumentError] for other types
        # @raise [Puppet::Error] if there is no such user or group
        def convert_xid(type, id)
          return id if id.is_a?(Integer)

          kind = {gid: :group, uid: :user}.fetch(type) { raise ArgumentError, "Invalid id type #{type}" }
          Util.public_send(type, id) || raise(Puppet::Error, "Invalid #{kind}: #{id}")
        end

        # @param uid [Integer]
        # @return [Array<Integer>] the groups that the process has now
        def initgroups(uid)
          user = ::Etc.getpwuid(uid)
          Process.initgroups(user.name, user.gid)
        end
      end
    end
  end
end
