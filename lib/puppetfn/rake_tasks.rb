# frozen_string_literal: true

require_relative "cli"
require_relative "rake_task"

# Defines the tasks of {Puppetfn::RakeTasks}: `require "puppetfn/rake_tasks"` is the whole Rakefile of a module.

module Puppetfn
  # Tasks for each command, with the names of puppetlabs_spec_helper's and voxpupuli-test's tasks. A task that the Rakefile has
  # defined before is not changed.
  module RakeTasks
    extend Rake::DSL

    # A task: its names, its description, and the arguments of the command.
    Definition = Struct.new(:names, :description, :arguments)
    # The tasks that run a command.
    DEFINITIONS = [
      Definition.new(%w[syntax syntax:manifests syntax:templates syntax:hiera metadata_lint],
                     "Find errors in manifests, templates, data and Ruby files without running them", %w[check]),
      Definition.new(%w[lint], "Check code, and its style", %w[lint]),
      Definition.new(%w[lint_fix lint:auto_correct], "Fix findings that have one certain fix", %w[lint --fix]),
      Definition.new(%w[spec_list_json], "List the examples of specs in JSON", %w[test --dry-run --format json]),
      Definition.new(%w[format], "Format manifests", %w[fmt]),
      Definition.new(%w[format:check], "List manifests that are not formatted", %w[fmt --check]),
      Definition.new(%w[strings:generate:reference reference], "Write REFERENCE.md", %w[doc --format markdown --out REFERENCE.md .]),
      Definition.new(%w[strings:validate:reference], "Compare REFERENCE.md with the code", %w[doc --format markdown --check .])
    ].freeze
    # The names of tasks that run specs, with further arguments of the command. Fixtures are installed before, except by the
    # standalone tasks.
    SPECS = {
      "spec" => [], "parallel_spec" => %w[--parallel], "spec:simplecov" => %w[--coverage], "spec_standalone" => [],
      "spec:standalone" => [], "parallel_spec_standalone" => %w[--parallel], "parallel_spec:standalone" => %w[--parallel]
    }.freeze
    # Tasks that run others.
    GROUPS = {
      "validate" => ["Find errors, and compare REFERENCE.md with the code if it exists", %w[syntax validate:strings]],
      "test" => ["Check the module and its style, and run its specs", %w[lint validate parallel_spec]],
      "release_checks" => ["Do all checks before a release", %w[test format:check]]
    }.freeze
    private_constant :Definition, :DEFINITIONS, :SPECS, :GROUPS

    class << self
      # Defines the tasks.
      #
      # @api private
      # @return [void]
      def define
        DEFINITIONS.each { |definition| define_names(definition) }
        RakeTask::PREPARATIONS.each { |name| add(name, "Install the modules of .fixtures.yml or the Puppetfile") { prepare } }
        SPECS.each do |name, arguments|
          add(name, "Run the specs without Puppet", (["spec_prep"] unless name.end_with?("standalone"))) { run("test", *arguments) }
        end
        %w[spec_clean spec_clean_symlinks fixtures:clean].each { |name| add(name, "Remove installed fixtures") { clean } }
        add("validate:strings", "Compare REFERENCE.md with the code if it exists") { invoke_reference if ::File.exist?("REFERENCE.md") }
        GROUPS.each { |name, (description, tasks)| add(name, description, tasks) }
      end

      private

      def define_names(definition)
        definition.names.each { |name| add(name, definition.description) { run(*definition.arguments) } }
      end

      def add(name, description, prerequisites = nil, &block)
        return if Rake::Task.task_defined?(name)

        desc description
        task(name => prerequisites || [], &block)
      end

      def invoke_reference
        Rake::Task["strings:validate:reference"].invoke
      end

      def run(*arguments)
        sh(*CLI.command, *arguments, verbose: false) do |succeeded, status|
          # The command has reported the problems.
          exit(status.exitstatus || 1) unless succeeded
        end
      end

      # Modules without dependencies have no list of modules.
      def prepare
        run("fixtures") if RakeTask.fixtures?
      end

      # Directories that something else created stay.
      def clean
        Dir.glob("spec/fixtures/modules/*").each do |path|
          if File.symlink?(path) then File.unlink(path)
          elsif File.exist?(File.join(path, ".puppetfn-fixture")) then rm_rf(path, verbose: false)
          end
        end
      end
    end
  end
end

Puppetfn::RakeTasks.define
