# frozen_string_literal: true

module Puppetfn
  # Reads files. A FIFO or a device in the place of a file that nobody has named, as in a module, could be waited for without
  # end.
  #
  # @api private
  module RegularFile
    # Opening a FIFO waits for a writer otherwise.
    FLAGS = File::RDONLY | File::NONBLOCK | File::BINARY
    NAMES = {
      "blockSpecial" => "a block device", "characterSpecial" => "a character device", "directory" => "a directory",
      "fifo" => "a FIFO", "socket" => "a socket"
    }.freeze
    # Bytes of a single read beyond the size of a file.
    CHUNK = 1 << 16
    # Specs stub `File.open`.
    OPEN = File.method(:open)
    private_constant :FLAGS, :NAMES, :CHUNK, :OPEN

    class << self
      # Returns the text of a file in UTF-8.
      #
      # @param path [String]
      # @return [String]
      # @raise (see .open)
      # @raise [LimitError] when it is larger than the limit `file`
      def read(path)
        open(path) { |file| content(path, file) } # rubocop:disable Security/Open
      end

      # Returns the text in UTF-8 of a file that somebody has named, which may be a pipe.
      #
      # @param path [String]
      # @return [String]
      # @raise [SystemCallError] when it cannot be opened
      # @raise [LimitError] when it is larger than the limit `file`
      def read_named(path)
        File.open(path, "rb") { |file| content(path, file) }
      end

      # Opens a file for reading its bytes, and closes it after the block.
      #
      # @param path [String]
      # @yieldparam file [File]
      # @return [Object] the result of the block
      # @raise [SystemCallError] when it cannot be opened
      # @raise [Error] when it is something else than a regular file
      def open(path)
        # A device may do something when it is opened. A regular file may have been replaced a moment later.
        check(path)
        OPEN.call(path, FLAGS) do |file|
          check(path, file.stat)
          yield file
        end
      end

      # @param path [String]
      # @param stat [File::Stat]
      # @return [void]
      # @raise [Error] when it is something else than a regular file
      def check(path, stat = File.stat(path))
        return if stat.file? || path == File::NULL

        raise OperationError, "#{path} cannot be read: it is #{NAMES.fetch(stat.ftype, "something else")}, not a regular file"
      end

      private

      def content(path, file)
        limit = Puppetfn.limits[:file]
        text = bytes(file, limit + 1)
        return text.force_encoding(Encoding::UTF_8) unless text.bytesize > limit

        raise LimitError, "#{path} cannot be read: it has more than #{limit} bytes " \
                          "(limit 'file'; raise it with Limits, Puppetfn.limits= or --limit)"
      end

      # Ruby allocates a buffer as large as the requested number of bytes, and collects garbage if that is large. Pipes and
      # some regular files (`/proc`) have more bytes than their size says.
      def bytes(file, most)
        text = file.read([file.size, most - 1].min + 1) || +""
        while text.bytesize < most && (more = file.read([CHUNK, most - text.bytesize].min))
          text << more
        end
        text
      end
    end
  end
end
