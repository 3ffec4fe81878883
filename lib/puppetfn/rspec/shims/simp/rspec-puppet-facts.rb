# frozen_string_literal: true

require "rspec-puppet-facts"

# What specs of the SIMP modules have in place of rspec-puppet-facts.
module Simp
  # The facts are the same.
  module RspecPuppetFacts
    include ::RspecPuppetFacts
  end
end
