# frozen_string_literal: true

# `digest` alone would look for it in the middle of a call, where an interruption can leave RubyGems locked.
require "digest/sha2"

module Puppetfn
  # The definitions in Ruby files of an environment: functions, resource types, and the helpers that they require.
  #
  # Runtimes with the same directories share it, as long as no file has changed: a file is evaluated once. Its functions
  # are classes; each runtime has objects of its own of them.
  #
  # @api private
  class EvaluatedFiles
    # A file or directory as it was when it was looked at.
    class State
      # @param path [String]
      def initialize(path)
        @path = path
        @stat = stat
        @digest = digest
      end

      # @return [Boolean] whether it is another by now; the same content at another time is not
      def changed?
        now = stat
        return false if now == @stat
        return true if now.nil? || @digest.nil? || digest != @digest

        @stat = now
        false
      end

      private

      # Whoever uses the file notes that.
      def stat
        found = Snapshot.unseen { File.stat(@path) }
        [found.mtime, found.size, found.ino]
      rescue SystemCallError
        nil
      end

      def digest
        Snapshot.unseen do
          RegularFile.open(@path) { |file| Digest::SHA256.new.update(file.read).digest } if FileTest.file?(@path)
        end
      rescue SystemCallError
        nil
      end
    end

    # A file's definition, its state if files are checked for changes, and the digest of its content if a snapshot has it: the file itself
    # may have been replaced since.
    Definition = Struct.new(:state, :digest, :value) do
      # @param current [String, nil] the digest in the snapshot
      # @return [Boolean] whether the file has changed
      def changed?(current = nil)
        current ? current != digest : state&.changed?
      end
    end

    # The number of environments whose files are kept. Beyond it, a process forgets the environments that it has used least
    # recently.
    MOST = 16
    private_constant :Definition, :MOST

    @known = {}
    @lock = Mutex.new

    class << self
      # @param environment [Environment]
      # @param ruby [Boolean] whether files may be evaluated at all
      # @param target [Target] the release whose behaviour they see
      # @return [EvaluatedFiles] as the files are now
      def for(environment, ruby: true, target: Target.default)
        key = [environment.modulepath, environment.directory, ruby, target.name]
        @lock.synchronize do
          known = @known.delete(key)
          @known.shift if @known.size >= MOST
          @known[key] = known&.current? ? known : new(environment, ruby: ruby)
        end
      end
    end

    # @return [Sandbox] the sandbox of the files
    attr_reader :sandbox

    # @param environment [Environment]
    # @param ruby [Boolean] whether files may be evaluated at all
    def initialize(environment, ruby: true)
      @environment = environment
      @sandbox = Sandbox.new(environment, ruby: ruby)
      # A module that is added or removed changes the resolution of names.
      @directories = environment.modulepath.map { |path| State.new(path) }
      @definitions = {}
      @loading = {}
    end

    # Notes that a function is loaded for the length of a block.
    #
    # @param name [String]
    # @param path [String] its file
    # @return [Object] the result of the block
    # @raise [ArgumentError] when it is being loaded already
    def while_loading(name, path)
      @sandbox.synchronize do
        forget_others
        refuse_circle(name, path)
        begin
          @loading[path] = name
          yield
        ensure
          @loading.delete(path)
        end
      end
    end

    # @return [Boolean] whether the required files, and the types that functions use, are unchanged
    def current?
      # A change of types is reported only once.
      @outdated ||= @directories.any?(&:changed?) || @sandbox.changed_files.any? || @runtime&.loader&.types_changed?
      !@outdated
    end

    # Stops checking evaluated files for changes: they stay as they were.
    #
    # @return [void]
    def settle
      @settled = true
    end

    # Returns the definition in a file.
    #
    # @param path [String]
    # @yieldreturn [Object] the definition, if the file is evaluated now
    # @return [Object]
    def fetch(path)
      digest = Snapshot.note(:read, path)
      @sandbox.synchronize do
        known = @definitions[path]
        next known.value if known && (@settled || !known.changed?(digest))

        state = State.new(path) unless @settled
        value = yield
        @definitions[path] = Definition.new(state, digest, value)
        value
      end
    end

    # @return [Array<String>] the files that have changed since they were evaluated
    def changed_files
      @definitions.select { |_, known| known.changed? }.keys + @sandbox.changed_files
    end

    # Returns the loader for the evaluation of files that define functions. It has no part in later calls of them.
    #
    # @param module_name [String, nil] the module that has the file
    # @return [Loader]
    def loader(module_name)
      @runtime ||= Snapshot.for_all { Runtime.new(environment: @environment, node: nil) }
        .tap { |runtime| runtime.evaluated_files = self }
      @runtime.loader.for_module(module_name)
    end

    private

    # Only one thread loads at a time. Loads of other threads when the process was forked do not go on in this one.
    def forget_others
      @loading.clear unless @loading_thread.equal?(Thread.current)
      @loading_thread = Thread.current
    end

    def refuse_circle(name, path)
      return unless @loading.key?(path)

      around = @loading.drop_while { |known, _| known != path }.map { |file, function| "'#{function}' (#{file})" }
      raise Error[ArgumentError], "The function '#{name}' is needed to load itself: #{[*around, "'#{name}'"].join(" loads ")}"
    end
  end
end
