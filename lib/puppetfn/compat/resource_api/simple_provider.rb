# frozen_string_literal: true

module Puppetfn
  module Puppet
    module ResourceApi
      # The base of providers that create, update and delete. Nothing here calls them.
      class SimpleProvider
        # @raise [UnavailableError] always: no provider changes the system
        def set(_context, _changes)
          raise UnavailableError, "Puppet::ResourceApi::SimpleProvider#set"
        end
      end
    end
  end
end
