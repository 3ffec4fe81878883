# frozen_string_literal: true

module Puppetfn
  module RSpec
    # `puppetfn test --watch`: runs all spec files, then the dependents of each changed file.
    #
    # A process runs the examples and ends, so that nothing of an earlier run is left.
    #
    # @api private
    class Watch
      # Files whose changes do not matter: hidden ones but for these, and files below directories that other programs
      # write, or that have only links to modules.
      HIDDEN = %w[.fixtures.yml .rspec .rspec-local .sync.yml].freeze
      WRITTEN = %r{\A((\.[^/]+|coverage|doc|log|pkg|tmp|vendor)(/|\z)|spec/fixtures(/modules)?\z)}
      private_constant :HIDDEN, :WRITTEN

      # @param arguments [Array<String>] of RSpec
      # @param own [Array<String>] further options of `puppetfn test`
      def initialize(arguments, own)
        options = ::RSpec::Core::ConfigurationOptions.new(arguments).options
        given = options[:files_or_directories_to_run] || []
        @arguments = own + (arguments - given)
        @paths = given.empty? ? [options[:default_path] || "spec"] : given
        @pattern = options[:pattern]
        @outputs = (options[:formatters] || []).filter_map { |_, path| path && File.expand_path(path) }
        @evaluated = {}
        @counted = []
        @root = File.realpath(Dir.pwd)
      end

      # Runs examples until the process is interrupted.
      #
      # @return [Integer] the exit code of the last run
      def run
        changes = FileChanges.new([@root])
        status = run_files(files)
        loop do
          puts "Waiting for changes"
          $stdout.flush
          changed = changes.wait or return status
          affected = affected_by(changed)
          next if affected.empty?

          puts "Running #{affected.size} of #{files.size} spec files"
          status = run_files(affected)
        end
      rescue Interrupt
        status || 1
      rescue RuntimeError => e
        warn "error: --watch: #{e.message}"
        1
      end

      # Returns the spec files to run after a change: failed ones and the dependents of the changed files. Every spec
      # file depends on files without counters, such as data and functions in Ruby.
      #
      # @param changed [Array<String>]
      # @return [Array<String>]
      def affected_by(changed)
        changed = changed.map { |path| real(path) }.reject { |path| ignored?(path) }.uniq
        return [] if changed.empty?

        specs, others = changed.partition { |path| path.end_with?("_spec.rb") }
        return files unless (others - @counted).empty?

        files.select do |file|
          path = real(file.sub(Selection::EXAMPLES, ""))
          evaluated = @evaluated[path]
          specs.include?(path) || (others.any? && (evaluated.nil? || evaluated.intersect?(others)))
        end
      end

      private

      # There can be new ones.
      def files = Selection.new(@paths, @pattern).files

      # Links lead to the module itself in its fixtures.
      def real(path)
        File.realpath(path)
      rescue SystemCallError
        path
      end

      def ignored?(path)
        # Where the system has lost count, everything can have changed.
        return false if path.empty?
        return true if @outputs.include?(path) || path == @root

        path = path.delete_prefix("#{@root}/")
        path.match?(WRITTEN) || (File.basename(path).start_with?(".") && !HIDDEN.include?(File.basename(path)))
      end

      def run_files(files)
        results, to_results = IO.pipe(binmode: true)
        pid = fork do
          results.close
          serve(files, to_results)
        end
        to_results.close
        note(Marshal.load(results)) unless results.eof? # rubocop:disable Security/MarshalLoad
        Process.wait(pid)
        Process.last_status.exitstatus || 1
      ensure
        results&.close
      end

      def serve(files, to_results)
        dependencies = Dependencies.new(::RSpec.configuration)
        status = Command.run([*@arguments, *files])
        Marshal.dump(dependencies.results, to_results)
        to_results.close
        $stdout.flush
        exit!(status)
      end

      def note(results)
        @evaluated.merge!(results.evaluated)
        @counted = results.counted
        @outputs |= results.written
      end
    end
  end
end
