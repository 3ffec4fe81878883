# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Most runs are of one process.
    {Job: "job", Recorder: "recorder", Player: "player", Times: "times", Worker: "worker"}.each do |name, file|
      autoload name, File.join(__dir__, "parallel", file)
    end

    autoload :JUnitFormatter, File.join(__dir__, "junit_formatter")

    # Runs example groups in several processes.
    #
    # All processes have all files loaded, and each runs one job after the other, the longest ones first: an outermost group, or some
    # nested groups of a long one. Events of a job are recorded there, and given to the formatters here, in the order of one
    # process: every output is the same as without processes.
    #
    # @api private
    class ParallelRunner < ::RSpec::Core::Runner
      # @param options [::RSpec::Core::ConfigurationOptions]
      # @param processes [Integer] number of processes that run examples
      def initialize(options, processes)
        super(options)
        @processes = processes
      end

      # Loads the files. A file that cannot be loaded is an error, and the others are run nevertheless; RSpec would run none.
      def setup(err, out)
        super
        @world.wants_to_quit = false if @world.non_example_failure && @world.example_groups.any?
      end

      # @param groups [Array<Class>] the outermost groups
      # @return [Integer] the exit code
      def run_specs(groups)
        return super if @processes < 2

        times = Times.new
        jobs = Job.divide(groups, times.expected(groups), @processes)
        return super if jobs.size < 2

        passed = @configuration.reporter.report(@world.example_count(groups)) do |reporter|
          @configuration.with_suite_hooks { share(jobs, reporter, times) }
        end
        exit_code(passed)
      end

      private

      def share(jobs, reporter, times)
        workers = Worker.start([@processes, jobs.size].min, jobs)
        Heap.settle
        passed = Profile.waiting { play(jobs, workers, reporter) { |tape| times.note(jobs[tape.index], tape.seconds) } }
        times.save
        passed
      end

      def play(jobs, workers, reporter)
        tapes = Queue.new
        readers = workers.map { |worker| Thread.new { worker.each_tape { |tape| tapes << tape } && (tapes << nil) } }
        player = Player.new(jobs, reporter)
        open = workers.size
        until open.zero? || reporter.fail_fast_limit_met?
          tape = tapes.pop
          next open -= 1 unless tape

          yield tape
          player.add(tape)
        end
        player.finish
      ensure
        readers&.each(&:kill)
        workers.each(&:stop)
      end
    end

    # Runs the examples of `puppetfn test --roles`, which are in no file.
    #
    # @api private
    class RolesRunner < ParallelRunner
      # @param options [::RSpec::Core::ConfigurationOptions]
      # @param processes [Integer]
      # @param roles [Roles]
      def initialize(options, processes, roles)
        super(options, processes)
        @roles = roles
      end

      # Defines the examples in place of loading files.
      def setup(err, out)
        configure(err, out)
        @roles.define(@configuration)
        @world.announce_filters
      end
    end
  end
end
