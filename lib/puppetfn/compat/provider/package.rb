# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Provider
      # A provider of packages. It can only be asked what it can do.
      class Package < Provider
        # @return [Boolean]
        def validate_source(_value)
          true
        end
      end
    end
  end
end
