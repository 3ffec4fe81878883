# frozen_string_literal: true

module Puppetfn
  # Files as they were when they were first looked at, for a process that compiles the catalogs of many nodes, and the
  # dependencies of each catalog. The core notes its own reads itself. Reads by Ruby of modules are noted here, for all
  # later catalogs as well: Ruby code may remember their contents.
  #
  # A library in C that opens files by itself is not seen.
  #
  # @api private
  module Snapshot
    # Methods of files and directories that take paths, by the aspect that the result depends on.
    FILE = {
      type: %i[blockdev? chardev? directory? executable? executable_real? exist? exists? file? ftype grpowned? lstat owned? pipe? readable?
               readable_real? readlink realdirpath realpath setgid? setuid? socket? stat sticky? symlink? world_readable? world_writable?
               writable? writable_real?],
      read: %i[atime binread birthtime copy_stream ctime empty? foreach identical? mtime read readlines size size? sysopen zero?]
    }.freeze
    DIRECTORY = {type: %i[exist? exists?], list: %i[children each_child empty? entries foreach new open]}.freeze
    # The literal prefix of a pattern.
    FIXED = /\A[^*?\[{]*/
    private_constant :FILE, :DIRECTORY, :FIXED

    # Notes files that are opened.
    OPENING = Module.new do
      def initialize(path, *arguments, **options, &block)
        Snapshot.look(:read, [path])
        super
      end
    end

    # Searches for files by patterns.
    GLOBBING = Module.new do
      def glob(pattern, *arguments, base: nil, **options, &block)
        Snapshot.look_for([*pattern], base)
        super
      end

      def [](*patterns, base: nil, **options)
        Snapshot.look_for(patterns.flatten, base)
        super
      end
    end

    # Runs programs, or may.
    RUNNING = %i[` exec fork popen spawn system].freeze

    private_constant :OPENING, :GLOBBING, :RUNNING

    class << self
      # Has methods of Ruby note their arguments, from now on.
      #
      # @return [void]
      def watch
        return if @watching

        @watching = true
        [File, FileTest, IO].each { |owner| note_calls(owner.singleton_class, FILE) }
        note_calls(Dir.singleton_class, DIRECTORY)
        Dir.singleton_class.prepend(GLOBBING)
        [File, File::Stat].each { |owner| owner.prepend(OPENING) }
        [IO.singleton_class, Process.singleton_class, Kernel.singleton_class, Kernel].each { |owner| note_runs(owner) }
        [Kernel.singleton_class, Kernel].each { |owner| note_opens(owner) }
      end

      # Does something that all later catalogs depend on, too.
      #
      # @return [Object] the result of the block
      def for_all
        return yield unless taken?

        begin_for_all
        begin
          yield
        ensure
          end_for_all
        end
      end

      # Does something whose files are noted in another way.
      #
      # @return [Object] the result of the block
      def unseen
        before = Thread.current.thread_variable_get(:puppetfn_unseen)
        Thread.current.thread_variable_set(:puppetfn_unseen, true)
        yield
      ensure
        Thread.current.thread_variable_set(:puppetfn_unseen, before)
      end

      # Notes that Ruby of modules looks at the paths among some arguments.
      #
      # @param kind [Symbol]
      # @param arguments [Array<Object>]
      # @return [void]
      def look(kind, arguments)
        return if !taken? || Thread.current.thread_variable_get(:puppetfn_unseen)

        arguments.each do |argument|
          path = path_of(argument) or next
          for_all { note(kind, path) }
        end
      end

      # Notes that Ruby of modules runs a program, whose dependencies nobody knows.
      #
      # @return [void]
      def run
        for_all { note(:unknown, "") }
      end

      # Notes that Ruby of modules searches for files.
      #
      # @param patterns [Array<String>]
      # @param base [String, nil] the directory that they are relative to
      # @return [void]
      def look_for(patterns, base)
        patterns.each do |pattern|
          fixed = path_of(pattern, base) or next
          start = fixed[FIXED]
          look(:names, [start == fixed ? fixed : File.dirname("#{start}x")])
        end
      end

      private

      # Has methods note which paths they are called with.
      def note_calls(owner, methods)
        owner.prepend(Module.new do
          methods.each do |kind, names|
            names.each do |name|
              next unless owner.method_defined?(name)

              define_method(name) do |*arguments, **options, &block|
                Snapshot.look(kind, arguments)
                super(*arguments, **options, &block)
              end
            end
          end
        end)
      end

      # Has methods note that they run programs; private ones stay private.
      def note_runs(owner)
        owner.prepend(Module.new do
          RUNNING.each do |name|
            is_private = owner.private_method_defined?(name)
            next unless is_private || owner.method_defined?(name)

            define_method(name) do |*arguments, **options, &block|
              Snapshot.run
              super(*arguments, **options, &block)
            end
            private name if is_private
          end
        end)
      end

      def note_opens(owner)
        owner.prepend(Module.new do
          def open(path, *arguments, **options, &block)
            path.is_a?(String) && path.start_with?("|") ? Snapshot.run : Snapshot.look(:read, [path])
            super
          end

          def test(command, *paths)
            Snapshot.look(:read, paths)
            super
          end

          private :open, :test if owner.private_method_defined?(:open)
        end)
      end

      def path_of(argument, base = nil)
        path = argument.respond_to?(:to_path) ? argument.to_path : argument
        File.expand_path(path, base) if path.is_a?(String) && !path.empty? && !path.include?("\0")
      end
    end
  end
end
