# frozen_string_literal: true

require "json"
require "puppetfn"
require_relative "support/gc_stress" if ENV["GC_STRESS"]

RSpec.configure do |config|
  config.disable_monkey_patching!
  config.raise_errors_for_deprecations!

  config.order = :random
  Kernel.srand config.seed
end
