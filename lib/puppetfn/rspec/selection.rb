# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The specs that can be run without Puppet, among the named ones.
    #
    # @api private
    class Selection
      # Groups of this type are about applications of Puppet's.
      TYPE_FOR_PUPPET = :application
      # Directories of specs that Puppet has to run.
      PLACES_FOR_PUPPET = %r{\bspec/(applications|integration)/}
      # Directories of specs that apply code on machines, with Beaker or Litmus.
      PLACES_FOR_MACHINES = %r{\bspec/acceptance/}
      # The suffix that RSpec takes after a path: lines or ids of examples.
      EXAMPLES = /(?:\[[\d:,\s]+\]|(?::\d+)+)\z/
      private_constant :TYPE_FOR_PUPPET, :PLACES_FOR_PUPPET, :PLACES_FOR_MACHINES

      # @return [Array<String>] the selected files and examples, as RSpec names them
      attr_reader :files

      # @return [Array<String>] paths where nothing is
      attr_reader :missing

      # @return [Array<String>] the acceptance specs, which no process on this machine runs
      attr_reader :for_machines

      # @param paths [Array<String>] files, also with lines or ids of examples, and directories
      # @param pattern [String, nil] the files to take of directories
      def initialize(paths, pattern = nil)
        @pattern = pattern || "**/*_spec.rb"
        @missing, paths = paths.partition { |path| !File.exist?(file_of(path)) }
        by_runner = paths.flat_map { |path| candidates(path) }.uniq.group_by { |path, named| runner_of(path, named) }
        @files, @files_for_puppet, @for_machines = %i[puppetfn puppet machine].map { |runner| by_runner.fetch(runner, []).map(&:first).uniq }
      end

      # @return [Boolean] whether there are no specs, not even any that need Puppet
      def none?
        files.empty? && @files_for_puppet.empty? && for_machines.empty?
      end

      # Keeps groups that need Puppet from being run.
      #
      # @param configuration [::RSpec::Core::Configuration]
      # @return [void]
      def leave_out_groups(configuration)
        # Unlike other filters, RSpec does not print this one with the filters of a run.
        configuration.define_derived_metadata { |data| data[:if] = false if for_puppet?(data) }
      end

      # @return [Array<String>] counts of the files and examples that are left out
      def left_out
        by_place = @files_for_puppet.group_by { |path| path[%r{\bspec/(\w+)/}, 1] || "other" }
          .map { |place, paths| "#{count(paths.size, "file")} (#{place})" }
        by_type = examples_for_puppet.group_by { |example| example.metadata[:type] }
          .map { |type, examples| "#{count(examples.size, "example")} (#{type})" }
        by_place + by_type
      end

      # @return [Array<String>] the files and examples that are left out, as RSpec names them
      def for_puppet
        @files_for_puppet + examples_for_puppet.map(&:id)
      end

      private

      def file_of(path)
        path.sub(EXAMPLES, "")
      end

      # Files, each with whether it was named itself.
      def candidates(path)
        file = file_of(path)
        return [[path, true]] unless File.directory?(file)

        Dir.glob(@pattern, base: file).sort.map { |found| [File.join(file, found), false] }
          .reject { |found, _| found.match?(%r{\bspec/fixtures/}) }
          .each { |found, _| RegularFile.check(found) }
      end

      # A file that the user names is run, wherever it is; acceptance specs are not, as nothing here starts machines for them.
      def runner_of(path, named)
        file = file_of(path)
        if file.match?(PLACES_FOR_MACHINES) then :machine
        elsif named || !file.match?(PLACES_FOR_PUPPET) then :puppetfn
        else :puppet
        end
      end

      def examples_for_puppet
        @examples_for_puppet ||= ::RSpec.world.all_example_groups.flat_map(&:examples)
          .select { |example| for_puppet?(example.metadata) }
      end

      def for_puppet?(metadata)
        metadata[:type] == TYPE_FOR_PUPPET
      end

      def count(number, thing)
        "#{number} #{thing}#{"s" if number != 1}"
      end
    end
  end
end
