# frozen_string_literal: true

module Bench
  # @param seconds [Float]
  # @return [String] in the unit that suits it
  def self.duration(seconds)
    return format("%.2f s", seconds) if seconds >= 1
    return format("%.1f ms", seconds * 1e3) if seconds >= 1e-3

    seconds >= 1e-6 ? format("%.1f us", seconds * 1e6) : format("%.0f ns", seconds * 1e9)
  end
end
