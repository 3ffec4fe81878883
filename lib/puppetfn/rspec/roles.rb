# frozen_string_literal: true

module Puppetfn
  module RSpec
    # `puppetfn test --roles`: examples that compile each role of a control repository with the facts of each system, and check
    # dependencies and cycles.
    #
    # @api private
    class Roles
      # An argument or a setting is wrong.
      class UsageError < StandardError; end

      # A class, a system, and tags of their example.
      Job = Struct.new(:definition, :system, :tags)
      # The default pattern of classes: onceover's roles.
      DEFAULT = "/roles?::/"
      # Code in directories of modules.
      OWN_FILES = %w[*/manifests/**/*.pp */functions/**/*.pp */templates/**/*.epp].freeze
      private_constant :Job, :DEFAULT, :OWN_FILES

      require_relative "roles/system"
      require_relative "roles/repository"
      require_relative "roles/pattern"
      autoload :Onceover, File.join(__dir__, "roles", "onceover")
      autoload :Examples, File.join(__dir__, "roles", "examples")

      # Takes the options from arguments.
      #
      # @param arguments [Array<String>]
      # @return [Roles, nil] nil if roles are not asked for
      # @raise [UsageError] if an option or a file of the repository is wrong
      def self.take(arguments)
        roles = CodeCoverage::Options.take_values(arguments, "roles", optional: true)
        return if roles.empty?

        facts = CodeCoverage::Options.take_values(arguments, "facts")
        new(roles.compact.flat_map { |text| text.split(",") }, facts, settings)
      end

      def self.settings
        ControlRepository.roles(Dir.pwd)
      rescue ArgumentError => e
        raise UsageError, e.message
      end
      private_class_method :settings

      # @param names [Array<String>] classes and patterns of the command line
      # @param facts [Array<String>] files and directories of the command line
      # @param settings [Hash{Symbol=>Object}] of the project
      def initialize(names, facts, settings)
        @names = names
        @facts = facts
        @settings = settings
        @repository = Repository.new(settings)
      end

      # Defines the groups of examples: one for each class, with one in it for each system.
      #
      # @param configuration [::RSpec::Core::Configuration]
      # @return [void]
      # @raise [UsageError] if there are no classes or no facts
      def define(configuration)
        # The modules are where they are, also for code outside of examples.
        configuration.setup_fixtures = false
        configuration.module_path = @repository.modulepath.join(File::PATH_SEPARATOR)
        examples = Examples.new(@repository, onceover, manifest, @facts)
        @groups = jobs.group_by(&:definition).map { |definition, found| examples.define(definition, found) }
      end

      # @return [Array<String>] patterns of the repository's own code, whose coverage counts
      def own_files
        @repository.own_directories.flat_map { |path| OWN_FILES.map { |pattern| File.join(path, pattern) } }
      end

      # @return [Array<String>] lines about the classes that do not compile, by system, and about missing modules
      def summary
        failed = @groups.to_h { |group| [group, systems(group) { |example| example.execution_result.status == :failed }] }
          .reject { |_, systems| systems.empty? }
        lines = failed.map do |group, systems|
          all = systems(group)
          "#{group.description}: failed on #{systems == all && all.size > 1 ? "all #{all.size} systems" : systems.join(", ")}"
        end
        missing = @repository.missing_modules
        lines << "modules of the Puppetfile are not installed: #{missing.join(", ")}; install them with `puppetfn fixtures`" if missing.any?
        lines
      end

      private

      def systems(group, &wanted)
        wanted ||= ->(example) { example.execution_result.status }
        group.children.select { |child| child.examples.any?(&wanted) }.map { |child| child.metadata.fetch(:system) }
      end

      def onceover
        @onceover = Onceover.of(@repository) unless defined?(@onceover)
        @onceover
      end

      def manifest
        @settings[:manifest] || onceover&.manifest
      end

      # The test matrix of onceover lists the classes of each node, unless something else names classes or facts.
      def jobs
        patterns = (@names.any? ? @names : @settings[:classes])&.map { |text| Pattern.new(text) }
        systems = given_systems
        return matrix(patterns, systems) if onceover && (systems.nil? || patterns.nil?)

        systems ||= System.supported
        definitions(patterns || [Pattern.new(DEFAULT)]).flat_map { |definition| systems.map { |system| Job.new(definition, system, []) } }
      end

      def matrix(patterns, systems)
        matrix = onceover.matrix.group_by { |(name, _), _| name }
        definitions(patterns || matrix.keys.map { |name| Pattern.new(name) }).flat_map do |definition|
          # A class that no entry names is compiled on all nodes.
          entries = matrix.fetch(definition.name) { onceover.matrix.keys.map(&:last).uniq.map { |node| [[nil, node], []] } }
          next systems.map { |system| Job.new(definition, system, entries.flat_map(&:last).uniq) } if systems

          entries.map { |(_, node), tags| Job.new(definition, system_of_node(node), tags) }
        end
      end

      def system_of_node(node)
        (@systems ||= {})[node] ||= onceover.system(node)
      end

      # Returns the systems that something else than onceover names; nil if onceover or metadata.json decides.
      def given_systems
        paths = @facts.any? ? @facts : @settings[:facts]
        return System.at(paths) if paths

        factsets = @repository.path("spec/factsets")
        return if onceover
        return System.at([factsets]) if File.directory?(factsets)
        return if File.file?("metadata.json")

        raise UsageError, "there are no systems: name facts with --facts, or add systems to metadata.json or factsets to spec/factsets"
      end

      def definitions(patterns)
        found = @repository.classes { |name| patterns.any? { |pattern| pattern.match?(name) } }
        unmatched = patterns.reject { |pattern| found.any? { |definition| pattern.match?(definition.name) } }
        return found if unmatched.empty?
        raise UsageError, "there are no modules: run --roles in the directory of a control repository" if @repository.modulepath.empty?

        raise UsageError, "there is no class #{unmatched.join(", ")} in #{@repository.modulepath.join(", ")}"
      end
    end
  end
end
