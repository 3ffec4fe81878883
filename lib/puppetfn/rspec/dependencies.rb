# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The files with Puppet code that the examples of each spec file have evaluated, for `puppetfn test --watch`. They are counted as for
    # coverage: each outermost group compiles its own catalogs, in every process.
    #
    # @api private
    class Dependencies
      # Paths without links. `evaluated` maps a spec file to its evaluated files, or to nil after a failure; `counted` lists all files
      # with counters, `written` the run's own output files.
      Results = Struct.new(:evaluated, :counted, :written)

      # Starts counting. The reporter notifies the listener of every group, in all processes.
      #
      # @param configuration [::RSpec::Core::Configuration]
      def initialize(configuration)
        @coverage = CodeCoverage.start
        @evaluated = Hash.new { |evaluated, file| evaluated[file] = [] }
        @failed = {}
        @configuration = configuration
        listener = self
        configuration.before(:suite) { configuration.reporter.register_listener(listener, :example_group_finished, :example_failed) }
      end

      # @param notification [::RSpec::Core::Notifications::GroupNotification]
      # @return [void]
      def example_group_finished(notification)
        group = notification.group
        @evaluated[file_of(group.metadata)].concat(@coverage.recorder.take_paths) if group.parent_groups.one?
      end

      # @param notification [::RSpec::Core::Notifications::ExampleNotification]
      # @return [void]
      def example_failed(notification)
        @failed[file_of(notification.example.example_group.parent_groups.last.metadata)] = true
      end

      # @return [Results]
      def results
        evaluated = @evaluated.to_h { |file, paths| [file, (paths.uniq unless @failed[file])] }
        written = [@configuration.example_status_persistence_file_path].compact.map { |path| File.expand_path(path) }
        Results.new(evaluated, @coverage.recorder.paths, written)
      end

      private

      def file_of(metadata) = File.realpath(metadata[:absolute_file_path])
    end
  end
end
