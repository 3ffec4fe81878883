# frozen_string_literal: true

module Puppetfn
  module Puppet
    Type.newtype(:resources) do
      desc "All resources of a type: those that the catalog does not have can be purged."
      apply_to_all

      newparam(:name) do
        desc "The type."
        validate { |name| raise ArgumentError, "Could not find resource type '#{name}'" unless Type.type(name) }
        munge(&:to_s)
      end

      newparam(:purge, boolean: true, parent: Parameter::Boolean) do
        desc "Whether what the catalog does not have is removed."
        defaultto :false

        validate do |value|
          next unless munge(value)

          type = @resource.resource_type
          unless type.respond_to?(:instances)
            raise ArgumentError, "Purging resources of type #{@resource[:name]} is not supported, since they cannot be queried " \
                                 "from the system"
          end
          raise ArgumentError, "Purging is only supported on types that accept 'ensure'" unless type.validproperty?(:ensure)
        end
      end

      newparam(:unless_system_user) do
        desc "The number up to which users are never removed, or whether that is decided by the system."
        newvalues(:true, :false, /^\d+$/)
        defaultto { @resource.class.system_users_max_uid if @resource[:name] == "user" }

        munge do |value|
          case value
          when /^\d+/ then Integer(value)
          when true, :true then @resource.class.system_users_max_uid
          when false, :false then false
          when Integer then value
          else raise ArgumentError, "Invalid value #{value.inspect}"
          end
        end
      end

      newparam(:unless_uid) do
        desc "Numbers of users that are never removed."

        munge do |values|
          [values].flatten.map do |value|
            raise ArgumentError, "Invalid value #{value.inspect}." unless value.is_a?(Integer) || value.is_a?(String)

            Integer(value)
          end
        end
      end

      # @return [Class<Puppet::Type>]
      def resource_type
        @resource_type ||= Type.type(self[:name]) || raise(DevError, "Could not find resource type")
      end

      # The limit on Linux distributions whose users begin with 1000.
      def self.system_users_max_uid
        999
      end
    end
  end
end
