# frozen_string_literal: true

module Puppetfn
  module RSpec
    # Reports the events that other processes have recorded, in the order of the jobs.
    #
    # @api private
    class Player
      # The record of a job: its index, whether all passed, how long it took, its events, which
      # functions, types, resources and code were reached, and how long each kind of work took.
      Tape = Struct.new(:index, :passed, :seconds, :events, :coverage, :profile)

      # An exception of another process.
      module Exceptions
        # @param failure [Recorder::Failure, nil]
        # @return [Exception, nil]
        def self.of(failure)
          return if failure.nil?
          return ::RSpec::Core::MultipleExceptionError.new(*failure.all.map { |part| of(part) }) if failure.all

          cause = of(failure.cause)
          class_named(failure.class_name).new(failure.message).tap do |exception|
            exception.set_backtrace(failure.backtrace)
            exception.define_singleton_method(:cause) { cause }
          end
        end

        # Formatters show a class by its name; its methods are of no use here.
        def self.class_named(name)
          @classes ||= Hash.new do |classes, wanted|
            classes[wanted] = Class.new(Exception) { define_singleton_method(:name) { wanted } } # rubocop:disable Lint/InheritException
          end
          @classes[name]
        end
        private_class_method :class_named
      end

      # @param jobs [Array<Job>]
      # @param reporter [::RSpec::Core::Reporter]
      def initialize(jobs, reporter)
        @jobs = jobs
        @reporter = reporter
        @tapes = {}
        @next = 0
        @passed = true
        @group_by_id = jobs.map(&:group).uniq.flat_map(&:descendants).to_h { |group| [group.id, group] }
        @example_by_id = @group_by_id.each_value.flat_map(&:examples).to_h { |example| [example.id, example] }
      end

      # @param tape [Tape]
      # @return [void]
      def add(tape)
        @tapes[tape.index] = tape
        play(@tapes.delete(@next)) while @tapes.key?(@next) && !@reporter.fail_fast_limit_met?
      end

      # Fails the jobs without a record, unless enough has failed.
      #
      # @return [Boolean] whether all has passed
      def finish
        missing until @next == @jobs.size || @reporter.fail_fast_limit_met?
        @passed
      end

      private

      def play(tape)
        @next += 1
        @passed &&= tape.passed
        functions, resources, code = tape.coverage
        FunctionCoverage.merge(functions)
        Coverage.merge(resources)
        CodeCoverage.merge(code)
        Profile.merge(tape.profile)
        tape.events.each { |event, data| replay(event, data) }
      end

      def replay(event, data)
        case event
        when :example_group_started, :example_group_finished then @reporter.public_send(event, @group_by_id.fetch(data))
        when :message, :deprecation then @reporter.public_send(event, data)
        else @reporter.public_send(event, finished(data))
        end
      end

      def finished(outcome)
        example = @example_by_id.fetch(outcome.id)
        outcome.metadata.each { |name, text| example.metadata[name] = text }
        outcome.result.each do |name, value|
          value = Exceptions.of(value) if Recorder::EXCEPTIONS.include?(name)
          example.execution_result.public_send(:"#{name}=", value)
        end
        example
      end

      def missing
        return play(@tapes.delete(@next)) if @tapes.key?(@next)

        job = @jobs[@next]
        @next += 1
        @passed = false
        lost = RuntimeError.new("the process that ran this example has ended before it was done")
        job.fail_with(@reporter, lost)
      end
    end
  end
end
