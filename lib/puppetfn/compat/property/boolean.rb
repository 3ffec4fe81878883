# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Property
      # A property that is true or false.
      class Boolean < Property
        pure

        def unsafe_munge(value)
          Coercion.boolean(value)
        end
      end
    end
  end
end
