# frozen_string_literal: true

module Puppetfn
  # The directory of the command's caches.
  #
  # @api private
  module CacheDirectory
    # @return [String, nil] nil for users without a home
    def self.path
      given = ENV.fetch("XDG_CACHE_HOME", "")
      File.join(given.empty? ? File.join(Dir.home, ".cache") : given, "puppetfn")
    rescue ArgumentError
      nil
    end
  end
end
