# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Property
      # A list whose members have an order.
      class OrderedList < List
        def add_should_with_current(should, current)
          current.is_a?(Array) ? should + (current - should) : should
        end

        def dearrayify(array)
          array.join(delimiter)
        end
      end
    end
  end
end
