# frozen_string_literal: true

module Puppetfn
  module RSpec
    module Facter
      # The files of custom facts: in `facter` below the directories that `require` looks in, in the directories of `FACTERLIB`,
      # and in the directories that were given to {Facter.search}.
      #
      # @api private
      class Files
        # The number of load paths whose files are cached.
        MOST_LOAD_PATHS = 50
        private_constant :MOST_LOAD_PATHS

        # @return [Array<String>] the given directories
        attr_reader :directories

        def initialize
          @directories = []
          @loaded = Set.new
        end

        # Loads the files that have the name of a fact.
        #
        # @param name [String]
        # @return [void]
        def load(name)
          file = "#{name}.rb"
          search_path.each { |directory, names| load_file(File.join(directory, file)) if names.include?(file) }
        end

        # Loads all files, once.
        #
        # @return [void]
        def load_all
          return if @all_loaded

          search_path.each { |directory, names| names.each { |name| load_file(File.join(directory, name)) } }
          @all_loaded = true
          nil
        end

        private

        # Directories of the load path are read when it has changed.
        def search_path
          others = ENV.fetch("FACTERLIB", "").split(Platform::PATH_SEPARATOR) + @directories
          Files.on_load_path.merge(others.to_h { |directory| [directory, Files.names(directory)] })
        end

        class << self
          # @return [Hash{String=>Array<String>}] names of files by directory
          def on_load_path
            @on_load_path ||= {}
            known = @on_load_path[$LOAD_PATH]
            return known if known

            # Each kind of example has a load path of its own.
            @on_load_path.clear if @on_load_path.size > MOST_LOAD_PATHS
            # The library itself has no custom facts.
            directories = $LOAD_PATH.reject { |path| FileTest.file?(File.join(path, "facter", "version.rb")) }
              .map { |path| File.expand_path("facter", path) }
            # The module is linked among the fixtures, besides.
            directories = directories.uniq.uniq { |directory| FileTest.exist?(directory) ? File.realpath(directory) : directory }
            @on_load_path[$LOAD_PATH.dup] = directories.to_h { |directory| [directory, names(directory)] }.reject { |_, names| names.empty? }
          end

          # Returns the names of files. In specs, `spec` is on the load path, where `facter` has specs of facts.
          #
          # @param directory [String]
          # @return [Array<String>]
          def names(directory)
            FileTest.directory?(directory) ? Dir.children(directory).grep(/(?<!_spec)\.rb\z/).sort : []
          end
        end

        # A file that cannot be loaded is reported, and tried again.
        def load_file(path)
          return if FileTest.directory?(path) || !@loaded.add?(path)

          RegularFile.open(path) { Kernel.load(path) }
        rescue ScriptError => e
          @loaded.delete(path)
          Facter.log_exception(e, "Error loading fact #{path}: #{e.message}")
        rescue StandardError => e
          Facter.log_exception(e, "error while resolving custom facts in #{path} #{e.message}")
        end
      end
    end
  end
end
