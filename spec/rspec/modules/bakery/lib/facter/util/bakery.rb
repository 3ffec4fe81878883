# frozen_string_literal: true

module Facter
  module Util
    # What the facts of the bakery have in common.
    module Bakery
      def self.flour(text)
        text && text[%r{(\w+) flour}, 1]
      end
    end
  end
end
