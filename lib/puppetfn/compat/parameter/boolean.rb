# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Parameter
      # A parameter that is true or false.
      class Boolean < Parameter
        pure

        def self.initvars
          super
          newvalues(*Coercion.boolean_values)
        end

        def unsafe_munge(value)
          Coercion.boolean(value)
        end
      end
    end
  end
end
