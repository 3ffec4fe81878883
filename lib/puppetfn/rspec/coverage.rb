# frozen_string_literal: true

module Puppetfn
  module RSpec
    # What spec helpers say about the coverage of resources. Functions and types declare none to speak of, so it is
    # accepted and means nothing.
    class Coverage
      class << self
        # @return [Array<String>] what is left out
        def filters
          @filters ||= []
        end

        # @return [Array<Regexp>] what is left out
        def filters_regex
          @filters_regex ||= []
        end

        %i[add cover! report! add_filter add_filter_regex add_from_catalog].each do |name|
          define_method(name) { |*| nil }
        end
      end
    end
  end
end
