# frozen_string_literal: true

module Puppetfn
  module Puppet
    Type.newtype(:filebucket) do
      desc "Where files are kept before they are replaced."

      newparam(:name, namevar: true) { desc "What `backup` of a file names." }
      newparam(:server) { desc "The server that keeps the files." }
      newparam(:port) { desc "Its port." }

      newparam(:path) do
        desc "A directory of the node that keeps the files."
        defaultto { Puppet[:clientbucketdir] if Puppet.settings.include?(:clientbucketdir) }

        validate do |value|
          raise ArgumentError, "You can only have one filebucket path" if value.is_a?(Array)
          if value.is_a?(String) && !Util.absolute_path?(value)
            raise ArgumentError, "Filebucket paths must be absolute"
          end
        end
      end

      # Nothing is kept here: it is enough that the bucket is one.
      def bucket
        self
      end
    end
  end
end
