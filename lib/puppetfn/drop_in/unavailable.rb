# frozen_string_literal: true

module Puppetfn
  # Where no native extension loads, as on JRuby in a puppetserver, Puppet works as it does without puppetfn.
  module DropIn
    # @return [Hash] nothing
    def self.report
      {}
    end

    Kernel.warn("puppetfn: not used, as native extensions do not load in #{RUBY_ENGINE}.")
  end
end
