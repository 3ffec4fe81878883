# frozen_string_literal: true

require "etc"
require "pathname"
require "rbconfig"

begin
  require "rspec/core"
rescue LoadError
  warn "error: `puppetfn test` needs RSpec: install the gem rspec"
  exit 2
end

require_relative "../rspec"
require_relative "selection"
require_relative "parallel"
require_relative "roles"

module Puppetfn
  module RSpec
    # `puppetfn test`: runs the specs of the module in the working directory, for its functions, type aliases,
    # classes and defined types, and for nodes.
    #
    # @api private
    class Command
      # Options cannot be combined.
      class UsageError < StandardError; end

      # @param arguments [Array<String>]
      # @return [Integer] the exit code
      def self.run(arguments)
        arguments = enter_project(arguments)
        new(arguments).run
      rescue UsageError, CodeCoverage::UsageError, Roles::UsageError => e
        warn "error: #{e.message}"
        2
      ensure
        # The command starts with the garbage collector off. Runs of examples turn it on, which others do not reach.
        GC.enable
      end

      # Enters the directory of the module or control repository around the working directory, unless it is one.
      #
      # @param arguments [Array<String>]
      # @return [Array<String>] the arguments, with paths that are valid there
      def self.enter_project(arguments)
        return arguments.dup if Dir.exist?("spec")

        root = Pathname.pwd.ascend.find { |path| %w[metadata.json environment.conf].any? { |name| path.join(name).file? } }
        return arguments.dup if root.nil? || root == Pathname.pwd

        arguments = arguments.map { |argument| ::File.exist?(argument[/\A[^:\[]*/]) ? ::File.expand_path(argument) : argument }
        Dir.chdir(root)
        arguments
      end

      # @param arguments [Array<String>]
      def initialize(arguments)
        @help = take(arguments, "--help", "-h")
        @with_puppet = take(arguments, "--with-puppet")
        @without_fixtures = take(arguments, "--without-fixtures")
        @watch = take(arguments, "--watch")
        @coverage = CodeCoverage::Options.take(arguments)
        @roles = Roles.take(arguments)
        ExampleRuntime.hides_secrets = take(arguments, "--no-secrets")
        choose_target(take_value(arguments, "--target"))
        @processes = take_processes(arguments)
        @arguments = arguments
      end

      # @return [Integer] the exit code
      def run
        # The definitions of all commands have the help, too.
        return CLI.run(%w[test --help]) if @help

        options = ::RSpec::Core::ConfigurationOptions.new(@arguments)
        JUnitFormatter.name_in(options)
        return watch if @watch
        return run_roles(options) if @roles

        paths = paths(options)
        @selection = Selection.new(paths, options.options[:pattern])
        return invoke(options) if options.options[:runner] && !options.options[:drb]
        return no_specs(paths) if @selection.none? || @selection.missing.any?

        return 1 if fixtures_missing?

        status = run_selected(options)
        report
        status = 1 if status.zero? && coverage_failed?
        @with_puppet ? [status, run_left_out].max : status
      rescue OperationError => e
        warn "error: #{e.message}"
        1
      end

      private

      def take(arguments, *names)
        names.map { |name| arguments.delete(name) }.any?
      end

      def take_value(arguments, name)
        index = arguments.index { |argument| argument == name || argument.start_with?("#{name}=") } or return
        argument = arguments.delete_at(index)
        argument.include?("=") ? argument.split("=", 2).last : arguments.delete_at(index)
      end

      # Further processes find the name in the environment.
      def choose_target(given)
        Target.default = given || ENV.fetch(Target::VARIABLE, nil) || Targets.of_project(Dir.pwd) || Target.default
        ENV[Target::VARIABLE] = Target.default.name
      rescue ArgumentError => e
        raise UsageError, e.message
      end

      # The number is an argument of its own, or after an equals sign.
      def take_processes(arguments)
        index = arguments.index { |argument| argument.match?(/\A--parallel(=\d+)?\z/) } or return 1
        number = arguments.delete_at(index)[/\d+/]
        number ||= arguments.delete_at(index) if arguments[index]&.match?(/\A\d+\z/)
        number ? [Integer(number, 10), 1].max : Etc.nprocessors
      end

      # RSpec without examples succeeds, but users who name specs want some.
      def no_specs(paths)
        missing = @selection.missing
        warn "error: there are no specs in #{paths.join(", ")}" if missing.empty?
        missing.each { |path| warn "error: #{path}: there is no such file or directory" }
        warn "help: run `puppetfn test` in the directory of a module with specs in spec/, or name spec files"
        warn "help: `puppetfn test --roles` compiles the roles of a control repository" if File.file?("environment.conf")
        1
      end

      def paths(options)
        given = options.options[:files_or_directories_to_run]
        given.nil? || given.empty? ? [options.options[:default_path] || "spec"] : given
      end

      # Without any installed module, each example would fail for the first class or function of one, and say nothing of the cause. Where
      # some are installed, others may be for specs of other systems, and the report names them.
      def fixtures_missing?
        return false if @without_fixtures || @selection.files.empty?

        fixtures = Fixtures.new
        missing = fixtures.missing
        return false if missing.empty? || missing.size < fixtures.required.size

        warn "error: modules of .fixtures.yml are missing in spec/fixtures/modules: #{missing.join(", ")}"
        warn "help: `puppetfn fixtures` installs them; `puppetfn test --without-fixtures` runs the specs without them"
        true
      end

      def run_selected(options)
        return 0 if @selection.files.empty?

        Profile.start if (@profile = options.options[:profile_examples])
        options.options[:files_or_directories_to_run] = @selection.files
        @selection.leave_out_groups(::RSpec.configuration)
        start(ParallelRunner.new(options, @processes))
      end

      # Each run is a command of its own.
      def watch
        other, = {"--roles" => @roles, "--coverage" => @coverage, "--with-puppet" => @with_puppet}.find { |_, given| given }
        raise UsageError, "--watch cannot be combined with #{other}" if other

        own = ["--parallel=#{@processes}", ("--no-secrets" if ExampleRuntime.hides_secrets)].compact
        Watch.new(@arguments, own).run
      end

      def run_roles(options)
        named = options.options[:files_or_directories_to_run] || []
        raise Roles::UsageError, "--roles takes no paths, and classes only as --roles=#{named.join(",")}" if named.any?

        # The spec helper that `.rspec` requires is for specs.
        options.options[:requires] = ::RSpec::Core::Parser.parse(@arguments)[:requires] || []
        @coverage&.count_roles(@roles.own_files)
        status = start(RolesRunner.new(options, @processes, @roles))
        @roles.summary.each { |line| warn "puppetfn test: #{line}" }
        CodeCoverage.current.report if @coverage
        status.zero? && coverage_failed? ? 1 : status
      end

      # Does something else than one run of examples: `--bisect`, `--init`, `--version`.
      def invoke(options)
        # RSpec names no default directory to other programs than its own.
        options.args.concat(@selection.files) if (options.options[:files_or_directories_to_run] || []).empty?
        prepared { options.options[:runner].call(options, $stderr, $stdout) }
      end

      def start(runner)
        prepared do
          # After an interrupt, finished examples are reported.
          ::RSpec::Core::Runner.trap_interrupt
          start_coverage if @coverage
          runner.run($stderr, $stdout)
        end
      end

      def prepared
        ::RSpec::Core::Runner.disable_autorun!
        ::RSpec.configuration.backtrace_exclusion_patterns << %r{\bexe/puppetfn:}
        Heap.let_grow
        yield
      end

      def start_coverage
        FunctionCoverage.start
        CodeCoverage.start(@coverage)
      end

      def report
        warn "puppetfn test: no specs here can run without Puppet" if @selection.files.empty?
        report_fixtures(Fixtures.new)
        report_facts
        Profile.report.each { |line| warn "puppetfn test: #{line}" } if @profile
        report_coverage if @coverage
        report_left_out
      end

      def report_fixtures(fixtures)
        unless fixtures.module_name
          warn "puppetfn test: no metadata.json names the module, so it was not linked to spec/fixtures/modules; " \
               "run `puppetfn test` in the directory of the module"
        end
        missing = fixtures.missing
        return if missing.empty?

        warn "puppetfn test: modules of .fixtures.yml are missing in spec/fixtures/modules: #{missing.join(", ")}" \
             "; install them with `puppetfn fixtures`"
      end

      def report_left_out
        acceptance = @selection.for_machines
        if acceptance.any?
          files = acceptance.one? ? "1 file" : "#{acceptance.size} files"
          warn "puppetfn test: skipped #{files} of spec/acceptance: acceptance specs run Puppet on machines, which Beaker or Litmus starts"
        end
        left_out = @selection.left_out
        return if left_out.empty?

        warn "puppetfn test: skipped, because only Puppet can run it: #{left_out.join(", ")}" \
             "#{"; --with-puppet runs it" unless @with_puppet}"
      end

      # Their examples are missing, and nothing else says so.
      def report_facts
        systems = defined?(FactSets) ? FactSets.systems_without_facts : []
        return if systems.empty?

        warn "puppetfn test: there are no facts of #{systems.join(", ")}, so there are no examples for them; " \
             "add facts to a directory of FACTERDB_SEARCH_PATHS"
      end

      def report_coverage
        fixtures = Fixtures.new
        if (name = fixtures.module_name)
          puts "", FunctionCoverage::Report.new(name, Dir.pwd, [fixtures.directory])
        else
          warn("puppetfn test: the coverage of functions and type aliases needs a metadata.json that names the module")
        end
        CodeCoverage.current.report
      end

      def coverage_failed?
        failures = @coverage ? CodeCoverage.current.failures : []
        failures.each { |failure| warn "error: #{failure}" }
        failures.any?
      end

      def run_left_out
        files = @selection.for_puppet
        return 0 if files.empty?

        given = paths(::RSpec::Core::ConfigurationOptions.new(@arguments))
        system(RbConfig.ruby, "-S", "rspec", *(@arguments - given), *files) ? 0 : 1
      end
    end
  end
end
