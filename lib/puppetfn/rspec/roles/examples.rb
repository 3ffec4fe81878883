# frozen_string_literal: true

require "shellwords"

module Puppetfn
  module RSpec
    class Roles
      # Example groups that compile classes of a control repository, as onceover writes them.
      #
      # @api private
      class Examples
        # Names the command that runs failed examples again, in summaries.
        module RerunCommands
          # @return [String] a line for each command, in RSpec's layout
          def colorized_rerun_commands(colorizer = ::RSpec::Core::Formatters::ConsoleCodes)
            colour = ::RSpec.configuration.failure_color
            commands = failed_examples.map { |example| colorizer.wrap(example.metadata.fetch(:rerun_command), colour) }
            "\nFailed examples:\n\n#{commands.join("\n")}"
          end
        end

        # @param repository [Repository]
        # @param onceover [Onceover, nil]
        # @param manifest [String, nil] the main manifest
        # @param facts [Array<String>] the facts that the command line names
        def initialize(repository, onceover, manifest, facts)
          ::RSpec::Core::Notifications::SummaryNotification.prepend(RerunCommands)
          @repository = repository
          @onceover = onceover
          @facts = facts.map { |path| " --facts #{path.shellescape}" }.join
          @lets = {
            environment: "production", module_path: repository.modulepath.join(File::PATH_SEPARATOR), hiera_config: repository.hiera_config,
            manifest: manifest, strict_variables: ENV["STRICT_VARIABLES"] != "no"
          }.compact
        end

        # @param definition [Repository::Definition]
        # @param jobs [Array<Job>] of the class
        # @return [Class] the group
        def define(definition, jobs)
          examples = self
          lets = @lets
          ::RSpec.describe(definition.name, type: :class, caller: [definition.location]) do
            lets.each { |name, value| let(name) { value } }
            jobs.each { |job| examples.define_system(self, job) }
          end
        end

        # @param group [Class]
        # @param job [Job]
        # @return [void]
        def define_system(group, job)
          location = job.definition.location
          lets = lets_of(job)
          functions, before, after = @onceover ? [@onceover.functions, @onceover.before, @onceover.after] : [{}, [], []]
          tags = job.tags.to_h { |tag| [tag.to_sym, true] }
          metadata = {system: job.system.name, rerun_command: rerun_command(job), caller: [location]}
          group.context("on #{job.system.name}", **tags, **metadata) do
            lets.each { |name, value| let(name) { value } }
            before do
              functions.each { |name, result| mock_function(name) { |*| result } }
              before.each { |code| instance_eval(code) }
            end
            after { after.each { |code| instance_eval(code) } }
            it("compiles", caller: [location]) { Examples.check(compile.with_all_deps, subject, location) }
          end
        end

        # Fails at the place of the class where the matcher does not match.
        #
        # @param matcher [Compile]
        # @param subject [Proc]
        # @param location [String]
        # @return [void]
        # @raise [::RSpec::Expectations::ExpectationNotMetError]
        def self.check(matcher, subject, location)
          return if matcher.matches?(subject)

          failure = ::RSpec::Expectations::ExpectationNotMetError.new(matcher.failure_message)
          failure.set_backtrace([location])
          raise failure
        end

        private

        def rerun_command(job)
          "puppetfn test --roles=#{job.definition.name}#{@facts} --example 'on #{job.system.name} '"
        end

        # `node_facts` is there for code in onceover.yaml.
        def lets_of(job)
          system = job.system
          {
            facts: system.facts, node_facts: system.facts, node: system.node, trusted_facts: system.trusted,
            trusted_external_data: system.external, pre_condition: pre_condition(job)
          }.compact
        end

        # Code of the repository can ask which class and node it is evaluated for.
        def pre_condition(job)
          @code ||= Dir.glob(@repository.path("spec/pre_conditions/*.pp")).sort.map { |file| RegularFile.read(file) }
          return if @code.empty? && @onceover.nil?

          ["$onceover_class = '#{job.definition.name}'", "$onceover_node = '#{job.system.name}'", *@code].join("\n")
        end
      end
    end
  end
end
