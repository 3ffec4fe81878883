# frozen_string_literal: true

module Puppetfn
  # The directory of the command's caches.
  #
  # @api private
  module CacheDirectory
    class << self
      # @return [String, nil] nil for users without a home
      def path
        given = ENV.fetch("XDG_CACHE_HOME", "")
        File.join(given.empty? ? File.join(Dir.home, ".cache") : given, "puppetfn")
      rescue ArgumentError
        nil
      end

      # Replaces a file at once, as other runs may be reading it. Missing directories are made for the user alone.
      #
      # @param path [String]
      # @yieldparam file [File] a new file, which only the user can read
      # @return [void]
      # @raise [SystemCallError] if the file cannot be written
      def replace(path)
        require "fileutils"
        FileUtils.mkdir_p(File.dirname(path), mode: 0o700)
        temporary = "#{path}.#{Process.pid}-#{Random.new_seed.to_s(36)}"
        begin
          File.open(temporary, File::WRONLY | File::CREAT | File::EXCL | File::BINARY, 0o600) { |file| yield file }
          File.rename(temporary, path)
        rescue StandardError
          FileUtils.rm_f(temporary)
          raise
        end
      end
    end
  end
end
