# frozen_string_literal: true

require "fileutils"
require "tmpdir"

module Vectors
  # Modules that are recorded with cases, in an archive.
  module Modules
    # @param archive [String]
    # @return [String] the directory that they are in while the process lives
    def self.unpack(archive)
      directory = File.realpath(Dir.mktmpdir("puppetfn-vectors-"))
      owner = Process.pid
      at_exit { FileUtils.remove_entry(directory) if Process.pid == owner }
      system("tar", "--extract", "--file", archive, "--directory", directory, exception: true)
      directory
    end
  end
end
