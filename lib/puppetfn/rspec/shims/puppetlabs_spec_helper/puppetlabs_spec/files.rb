# frozen_string_literal: true

module PuppetlabsSpec
  # Temporary files, which are removed after the example.
  module Files
    @paths = []

    class << self
      # @return [Array<String>] paths to remove
      attr_reader :paths

      # @return [void]
      def cleanup
        return if paths.empty?

        require "fileutils"
        FileUtils.rm_rf(paths.shift, secure: true) until paths.empty?
      end
    end

    # @param path [String]
    # @return [String] the absolute path
    def make_absolute(path)
      File.expand_path(path)
    end

    # @param name [String] the beginning of the name
    # @return [String] an unused path
    def tmpfilename(name)
      require "tmpdir"
      path = Dir::Tmpname.create(name) { |free| free }
      Files.paths << path
      path
    end

    # @param name [String] the beginning of the name
    # @return [String] an empty directory
    def tmpdir(name)
      tmpfilename(name).tap { |path| FileUtils.mkdir_p(path) }
    end
  end
end
