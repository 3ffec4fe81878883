# frozen_string_literal: true

# Collects garbage at every allocation of an example, so that an object that the extension holds without marking it is gone, or
# has moved, when it is used. GC_STRESS=1 collects young objects only, which takes about a hundredth of the time of GC_STRESS=full.
#
# In processes that an example starts, garbage is collected as ever.
RSpec.configure do |config|
  mode = ENV["GC_STRESS"] == "full" || 1
  GC.auto_compact = true if GC.respond_to?(:auto_compact=)

  config.around do |example|
    GC.stress = mode
    example.run
  ensure
    GC.stress = false
    GC.compact if GC.respond_to?(:compact)
  end
end
