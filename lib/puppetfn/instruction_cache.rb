# frozen_string_literal: true

require "rbconfig"
require_relative "cache_directory"

module Puppetfn
  # The instructions that Ruby compiles files to, cached between runs: compiling takes most of the time of loading a file.
  #
  # Only files of this library, of Ruby and of gems are cached, never a project's own. An entry is stale as soon as the size,
  # the inode or a time of its file differs. Ruby loads a file itself wherever an answer could differ: with warnings on (`-w`),
  # while coverage is measured, and if compiling the file warns.
  #
  # The instructions are run without any check, so a cache that others could have written is not read.
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
    RUBY = [1, RUBY_DESCRIPTION, RubyVM::InstructionSequence.compile_option.sort.inspect].join("\n").b.freeze
    # Later Rubies may come to load methods when they are first called.
    CLEAR = RUBY_VERSION.start_with?("3.1.", "3.2.", "3.3.", "3.4.")
    private_constant :LIMIT, :CLEAR, :STAT, :LOAD, :COMPILE, :RUBY

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
      @size = @entries.each_value.sum { |_, _, length| length }
    end

    # Ruby calls this as `RubyVM::InstructionSequence.load_iseq`.
    #
    # @param path [String] of a file that is being loaded
    # @return [RubyVM::InstructionSequence, nil] nil for files that Ruby has to compile itself
    def fetch(path)
      return if $VERBOSE || !path.start_with?(*@roots) || (defined?(::Coverage) && ::Coverage.running?)

      stamp = stamp(path)
      known, offset, length = @entries[path]
      return compile(path, stamp) unless known == stamp

      sequence(instructions(offset, length)) if length.positive?
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

    # Returns the entries of the cache, by path: the stamp of the file, and the place and length of its instructions.
    def read_index
      @file = File.open(@path, "rb")
      return {} unless safe?(@file.stat)

      length = @file.read(8).unpack1("Q")
      @start = 8 + length
      ruby, entries = Marshal.load(@file.read(length)) # rubocop:disable Security/MarshalLoad -- only the user can have written it
      ruby == RUBY && complete?(entries, @file.size - @start) ? entries : {}
    rescue SystemCallError, IOError, TypeError, ArgumentError, NoMethodError
      {}
    end

    def safe?(stat)
      stat.file? && stat.owned? && (stat.mode & 0o022).zero? && stat.size <= 2 * LIMIT
    end

    def complete?(entries, size)
      entries.each_value.all? { |_, offset, length| offset + length <= size }
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
      [stat.size, stat.ino, changed.to_i, changed.nsec, modified.to_i, modified.nsec].pack("Q6")
    end

    def compile(path, stamp)
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

    # Returns the entries of the next cache: the stamp, the length of the instructions, and the place or the instructions themselves.
    def next_entries
      old = @entries.select { |path, (stamp, *)| fresh?(path, stamp) }.transform_values { |stamp, offset, length| [stamp, length, offset] }
      old.merge(@compiled.transform_values { |stamp, binary| [stamp, binary.bytesize, binary] })
    end

    def fresh?(path, stamp)
      stamp(path) == stamp
    rescue SystemCallError
      false
    end

    def write(entries)
      index = Marshal.dump([RUBY, places(entries)])
      CacheDirectory.replace(@path) do |file|
        file.write([index.bytesize].pack("Q"), index)
        entries.each_value { |_, length, source| file.write(source.is_a?(String) ? source : instructions(source, length)) }
        file.fsync
      end
    end

    def places(entries)
      offset = 0
      entries.transform_values { |stamp, length, _| [stamp, offset, length].tap { offset += length } }
    end
  end
end
