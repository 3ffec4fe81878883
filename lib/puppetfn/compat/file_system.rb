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
    end
  end
end
