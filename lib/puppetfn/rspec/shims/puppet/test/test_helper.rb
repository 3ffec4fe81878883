# frozen_string_literal: true

require "puppetfn/rspec"

module Puppet
  # Puppet's helpers for its own specs and specs of modules.
  module Test
    # Each example has a runtime of its own, so nothing has to be set up or cleaned.
    module TestHelper
      class << self
        %i[initialize before_all_tests after_all_tests before_each_test after_each_test].each do |name|
          define_method(name) { |*| nil }
        end
      end
    end
  end
end
