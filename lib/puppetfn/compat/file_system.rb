# frozen_string_literal: true

module Puppetfn
  module Puppet
    # Questions about files.
    module FileSystem
      extend StandIn

      module_function

      # @return [Boolean]
      def exist?(path)
        File.exist?(path)
      end

      # @return [Boolean]
      def file?(path)
        File.file?(path)
      end

      # @return [Boolean]
      def directory?(path)
        File.directory?(path)
      end

      # @return [Boolean]
      def executable?(path)
        File.executable?(path)
      end

      # @return [String]
      def read(path, opts = {})
        File.read(path, **opts)
      end

      # @return [String]
      def binread(path)
        File.binread(path)
      end

      # @return [Integer]
      def size(path)
        File.size(path)
      end

      # @return [Array<Pathname>]
      def children(path)
        pathname(path).children
      end

      # @return [Pathname]
      def pathname(path)
        require "pathname"
        Pathname(path)
      end

      # @return [String]
      def path_string(path)
        path.to_s
      end

      # @return [String]
      def basename_string(path)
        File.basename(path)
      end

      # @return [String]
      def dir_string(path)
        File.dirname(path)
      end

      # @return [void]
      def each_line(path, &block)
        File.foreach(path, &block)
      end

      # @return [String] the text of a file, with its line breaks as they are
      def read_preserve_line_endings(path)
        File.read(path, encoding: "BOM|UTF-8", mode: "rb")
      end

      # @return [File::Stat]
      def stat(path)
        File.stat(path)
      end

      # @return [File::Stat]
      def lstat(path)
        File.lstat(path)
      end

      # @return [Boolean]
      def symlink?(path)
        File.symlink?(path)
      end

      # @return [String]
      def readlink(path)
        File.readlink(path)
      end

      # @return [Boolean]
      def writable?(path)
        File.writable?(path)
      end

      # @return [String]
      def expand_path(path, directory = nil)
        File.expand_path(path, directory)
      end

      # @return [Pathname]
      def dir(path)
        pathname(path).dirname
      end

      # @return [String]
      def basename(path)
        File.basename(path)
      end

      # @return [Boolean] whether the directory of a file exists
      def dir_exist?(path)
        File.exist?(File.dirname(path))
      end

      # @return [Pathname]
      def assert_path(path)
        pathname(path)
      end

      # Opens a file.
      #
      # @yieldparam io [File]
      # @return [Object] the block's result
      def open(path, mode, options, &block)
        File.open(path, options, *mode, &block)
      end

      # @return [Boolean] whether the file has the text of a stream
      def compare_stream(path, stream)
        File.binread(path) == stream.read.b
      end

      # @return [Array<String>] paths that match a pattern
      def glob(path, &block)
        Dir.glob(path, &block)
      end

      # Writes a file in place of another one.
      #
      # @yieldparam io [File]
      # @return [void]
      def replace_file(path, mode = nil, &block)
        Util.replace_file(path, mode, &block)
      end

      # Changes the permissions of a file.
      #
      # @return [Array<String>]
      def chmod(mode, path)
        File.chmod(mode, path)
        [path]
      end

      # Makes a file.
      #
      # @return [Array<String>]
      def touch(path, **)
        require "fileutils"
        FileUtils.touch(path)
      end

      # Removes files.
      #
      # @return [Integer]
      def unlink(*paths)
        File.unlink(*paths)
      end

      # Makes a link.
      #
      # @param path [String] target of the link
      # @param dest [String] the link
      # @option options [Boolean] :noop
      # @return [Integer]
      def symlink(path, dest, options = {})
        options[:noop] ? 0 : File.symlink(path, dest)
      end

      # Makes a directory and its missing parents.
      #
      # @return [void]
      def mkpath(path)
        require "fileutils"
        FileUtils.mkdir_p(path)
      end

      # Makes the directory of a file.
      #
      # @return [void]
      def dir_mkpath(path)
        mkpath(File.dirname(path))
        nil
      end
    end
  end
end
