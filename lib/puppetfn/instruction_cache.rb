# frozen_string_literal: true

require "rbconfig"
require "zlib"
require_relative "cache_directory"

module Puppetfn
  # The instructions that Ruby compiles files to, cached between runs: compiling takes most of the time of loading a file.
  #
  # Only files of this library, of Ruby and of gems are cached, never a project's own. An entry is stale as soon as the size,
  # the inode or a time of its file differs. Ruby loads a file itself wherever an answer could differ: with warnings on (`-w`),
  # while coverage is measured, and if compiling the file warns.
  #
  # Ruby runs instructions without any check of its own. So a cache is only read if nobody but the user could have written it, and an
  # entry whose checksum differs, as after a crash of the machine, is compiled again.
  #
  # @api private
  class InstructionCache
    # The maximum size of all cached instructions in bytes.
    LIMIT = 32 << 20
    # Specs may stub these.
    STAT = File::Stat.method(:new)
    LOAD = RubyVM::InstructionSequence.method(:load_from_binary)
    COMPILE = RubyVM::InstructionSequence.method(:compile_file)
    # The inputs of compilation besides the files.
    RUBY = [3, RUBY_DESCRIPTION, RubyVM::InstructionSequence.compile_option.sort.inspect].join("\n").b.freeze
    # Later Rubies may come to load methods when they are first called.
    CLEAR = RUBY_VERSION.start_with?("3.1.", "3.2.", "3.3.", "3.4.")
    # The length of the index and its checksum, at the start of the cache.
    HEADER = "QL"
    HEADER_SIZE = 12
    # The stamp of a file, and the place, length and checksum of its instructions. An entry is one text: each process reads all of
    # them, and needs few.
    STAMP = "Q6"
    STAMP_SIZE = 48
    PLACE = "Q2L"
    private_constant :LIMIT, :CLEAR, :STAT, :LOAD, :COMPILE, :RUBY, :HEADER, :HEADER_SIZE, :STAMP, :STAMP_SIZE, :PLACE

    # A stand-in for `$stderr` that keeps the output.
    class Recorder
      # @return [String]
      attr_reader :text

      def initialize
        @text = +""
      end

      # @param texts [Array<Object>]
      # @return [Integer]
      def write(*texts)
        texts.sum { |text| text.to_s.tap { |part| @text << part }.bytesize }
      end
    end
    private_constant :Recorder

    class << self
      # Takes the instructions of files from the cache from now on, and writes new ones when the process ends.
      #
      # @return [void]
      def start
        # A program that caches instructions itself, such as bootsnap, goes on to do so.
        return if RubyVM::InstructionSequence.respond_to?(:load_iseq)

        directory = CacheDirectory.path or return
        path = File.join(directory, "ruby", "#{RUBY_VERSION}-#{RUBY_PLATFORM}")
        # Most machines of CI start without the files of earlier runs.
        return if ENV.key?("CI") && !File.exist?(path)

        cache = new(path, roots)
        process = Process.pid
        RubyVM::InstructionSequence.define_singleton_method(:load_iseq) { |file| cache.fetch(file) }
        at_exit { cache.save if Process.pid == process }
      end

      private

      # Directories of which files are cached.
      def roots
        ruby = RbConfig::CONFIG.values_at("rubylibdir", "vendordir", "sitedir")
        gems = defined?(Gem) ? Gem.path.flat_map { |path| [File.join(path, "gems"), File.join(path, "bundler/gems")] } : []
        [__dir__, "#{__dir__}.rb", *ruby, *gems].compact
      end
    end

    # @param path [String] the file of the cache
    # @param roots [Array<String>] the directories of which files are cached
    def initialize(path, roots)
      @path = path
      @roots = roots.map { |root| root.end_with?(".rb") ? root : "#{root}/" }
      @compiled = {}
      @entries = read_index
    end

    # Ruby calls this as `RubyVM::InstructionSequence.load_iseq`.
    #
    # @param path [String] of a file that is being loaded
    # @return [RubyVM::InstructionSequence, nil] nil for files that Ruby has to compile itself
    def fetch(path)
      return if $VERBOSE || !path.start_with?(*@roots) || (defined?(::Coverage) && ::Coverage.running?)

      stamp = stamp(path)
      entry = @entries[path]
      return compile(path, stamp) unless entry&.start_with?(stamp)

      offset, length, checksum = location(entry)
      return if length.zero?

      binary = instructions(offset, length)
      Zlib.crc32(binary) == checksum ? sequence(binary) : compile(path, stamp)
    rescue SystemCallError, IOError, RuntimeError
      nil
    end

    # Writes the cache, if files were compiled that it did not have.
    #
    # @return [void]
    def save
      return if @compiled.empty?

      write(next_entries)
    rescue SystemCallError, IOError
      # The next run compiles the files again.
      nil
    end

    private

    # Returns the entries of the cache, by path.
    def read_index
      @file = File.open(@path, "rb")
      return {} unless safe?

      length, checksum = @file.read(HEADER_SIZE).unpack(HEADER)
      @start = HEADER_SIZE + length
      return {} if @start > @file.size

      index = @file.read(length)
      return {} unless Zlib.crc32(index) == checksum

      ruby, entries = Marshal.load(index) # rubocop:disable Security/MarshalLoad -- only the user can have written it
      ruby == RUBY ? entries : {}
    rescue SystemCallError, IOError, TypeError, ArgumentError, NoMethodError
      {}
    end

    # Others who can write to the directory could put another file of the user there.
    def safe?
      file = @file.stat
      file.file? && file.size <= 2 * LIMIT && [file, File.stat(File.dirname(@path))].all? { |stat| stat.owned? && (stat.mode & 0o022).zero? }
    end

    # Returns the place, the length and the checksum of instructions.
    def location(entry)
      entry.unpack(PLACE, offset: STAMP_SIZE)
    end

    def sequence(binary)
      LOAD.call(binary)
    ensure
      # Garbage is not collected while files are loaded. These Rubies need the text no longer.
      binary.clear if CLEAR
    end

    def instructions(offset, length)
      @file.pread(length, @start + offset)
    end

    def stamp(path)
      stat = STAT.call(path)
      changed = stat.ctime
      modified = stat.mtime
      [stat.size, stat.ino, changed.to_i, changed.nsec, modified.to_i, modified.nsec].pack(STAMP)
    end

    def compile(path, stamp)
      @size ||= @entries.each_value.sum { |entry| location(entry)[1] }
      return if @size > LIMIT

      warnings = Recorder.new
      compiled = with_stderr(warnings) { COMPILE.call(path) }
      $stderr.write(warnings.text) unless warnings.text.empty?
      # A file that warns has no instructions, so that Ruby compiles it and warns each time.
      binary = warnings.text.empty? ? compiled.to_binary : ""
      @size += binary.bytesize
      @compiled[path] = [stamp, binary]
      compiled
    rescue SyntaxError
      nil
    end

    def with_stderr(output)
      original = $stderr
      $stderr = output
      yield
    ensure
      $stderr = original
    end

    # Returns the stamp, the length and checksum of the instructions, and the instructions themselves or the place of old ones, by path.
    def next_entries
      old = @entries.filter_map do |path, entry|
        offset, length, checksum = location(entry)
        stamp = entry.byteslice(0, STAMP_SIZE)
        [path, [stamp, length, checksum, offset]] if fresh?(path, stamp) && @start + offset + length <= @file.size
      end
      old.to_h.merge(@compiled.transform_values { |stamp, binary| [stamp, binary.bytesize, Zlib.crc32(binary), binary] })
    end

    def fresh?(path, stamp)
      stamp(path) == stamp
    rescue SystemCallError
      false
    end

    def write(entries)
      index = Marshal.dump([RUBY, packed(entries)])
      CacheDirectory.replace(@path) do |file|
        file.write([index.bytesize, Zlib.crc32(index)].pack(HEADER), index)
        entries.each_value { |_, length, _, source| file.write(source.is_a?(String) ? source : instructions(source, length)) }
        file.fsync
      end
    end

    def packed(entries)
      offset = 0
      entries.transform_values do |stamp, length, checksum, _|
        (stamp + [offset, length, checksum].pack(PLACE)).tap { offset += length }
      end
    end
  end
end
