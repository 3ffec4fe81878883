# frozen_string_literal: true

require "etc"

module Puppetfn
  module Puppet
    module Util
      # Users and groups of the system. See Puppet's `util/posix.rb`.
      module POSIX
        LOCALE_ENV_VARS = %w[LANG LC_ALL LC_MESSAGES LANGUAGE LC_COLLATE LC_CTYPE LC_MONETARY LC_NUMERIC LC_TIME].freeze
        USER_ENV_VARS = %w[HOME USER LOGNAME].freeze
        # The attribute that identifies an entry, and the methods of `Etc` that find one.
        USERS = %i[uid getpwuid getpwnam].freeze
        GROUPS = %i[gid getgrgid getgrnam].freeze
        SPACES = {gr: GROUPS, group: GROUPS, pw: USERS, user: USERS, passwd: USERS}.freeze
        private_constant :USERS, :GROUPS, :SPACES

        # @param user [String]
        # @return [Array<String>] the groups that list the user as a member
        def self.groups_of(user)
          groups = []
          ::Etc.group { |group| groups << group.name if group.mem.include?(user) }
          groups.uniq
        end

        # @param space [Symbol] `:passwd` or `:group`
        # @param field [Symbol]
        # @param id [Integer, String]
        # @return [Object, nil]
        # @raise [DevError] without an identifier
        def get_posix_field(space, field, id)
          raise DevError, "Did not get id from caller" unless id

          ::Etc.public_send(id.is_a?(Integer) ? methodbyid(space) : methodbyname(space), id).public_send(field)
        rescue NoMethodError, ArgumentError, RangeError
          nil
        end

        # @param space (see get_posix_field)
        # @param field (see get_posix_field)
        # @param id (see get_posix_field)
        # @return [Object, nil] a field of the entry in the list of all
        def search_posix_field(space, field, id)
          key = id.is_a?(Integer) ? idfield(space) : :name
          ::Etc.public_send(space) { |entry| return entry.public_send(field) if entry.public_send(key) == id }
          nil
        end

        # @return [:uid, :gid]
        # @raise [ArgumentError] for anything but users and groups
        def idfield(space) = space_methods(space)[0]

        # @return [Symbol]
        # @raise (see #idfield)
        def methodbyid(space) = space_methods(space)[1]

        # @return [Symbol]
        # @raise (see #idfield)
        def methodbyname(space) = space_methods(space)[2]

        # @param group [Integer, String]
        # @return [Integer, nil]
        def gid(group)
          posix_id(:group, :gid, group)
        end

        # @param user [Integer, String]
        # @return [Integer, nil]
        def uid(user)
          posix_id(:passwd, :uid, user)
        end

        private

        def space_methods(space)
          SPACES.fetch(space.intern) { raise ArgumentError, "Can only handle users and groups" }
        end

        # Several entries can share an identifier, so the entry is compared with the given name.
        def posix_id(space, id_field, key)
          key = Integer(key, exception: false) || key
          found = get_posix_field(space, key.is_a?(Integer) ? :name : id_field, key) or return
          id = key.is_a?(Integer) ? get_posix_field(space, id_field, found) : found
          other = key.is_a?(Integer) ? id : get_posix_field(space, :name, id)
          return id if other == key

          id == (get_posix_field(space, id_field, other) if other) ? id : search_posix_field(space, id_field, key)
        end
      end

      include POSIX
      extend POSIX
    end
  end
end
