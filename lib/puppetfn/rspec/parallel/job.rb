# frozen_string_literal: true

module Puppetfn
  module RSpec
    # The unit of work of a process: an outermost group, or consecutive nested groups of one.
    #
    # @api private
    class Job
      # Number of jobs of each process if no group is longer than its share. More jobs are distributed more evenly, but share fewer catalogs.
      PER_PROCESS = 4
      private_constant :PER_PROCESS

      class << self
        # Divides groups into jobs. Long groups become several ones: specs often have all examples in one group, with a
        # nested group for each operating system.
        #
        # @param groups [Array<Class>] the outermost groups
        # @param seconds [Array<Float>] their expected durations
        # @param processes [Integer]
        # @return [Array<Job>] in the order of one process
        def divide(groups, seconds, processes)
          share = seconds.sum / (processes * PER_PROCESS)
          groups.zip(seconds).flat_map do |group, duration|
            count = share.positive? ? (duration / share).ceil : 1
            count > 1 && divisible?(group) ? parts(group, duration, count) : [new(group, nil, duration)]
          end
        end

        private

        # Hooks of a group run once before and after all of its examples. With coverage, each outermost group has catalogs of its own.
        def divisible?(group)
          group.children.size > 1 && CodeCoverage.current.nil? &&
            %i[before after].all? { |position| group.hooks.send(:matching_hooks_for, position, :context, group).empty? }
        end

        # Divides by the numbers of examples.
        def parts(group, duration, count)
          children = group.ordering_strategy.order(group.children)
          sizes = children.map { |child| ::RSpec.world.example_count([child]) }
          total = [sizes.sum, 1].max
          before = 0
          runs = children.zip(sizes).group_by { |_, size| (before * count / total).tap { before += size } }.values
          runs.map do |run|
            Job.new(group, run.map(&:first), duration * run.sum(&:last) / total, first: run.equal?(runs.first), last: run.equal?(runs.last))
          end
        end
      end

      # @return [Class] the outermost group
      attr_reader :group

      # @return [Float] expected duration
      attr_reader :seconds

      # @param group [Class] the outermost group
      # @param children [Array<Class>, nil] its nested groups that belong to the job; nil for the whole group
      # @param seconds [Float] expected duration
      # @param first [Boolean] whether the group begins with this job
      # @param last [Boolean] whether the group ends with this job
      def initialize(group, children, seconds, first: true, last: true)
        @group = group
        @children = children
        @seconds = seconds
        @first = first
        @last = last
      end

      # @return [Integer] the number of examples
      def size
        @size ||= @children ? own_examples.size + ::RSpec.world.example_count(@children) : ::RSpec.world.example_count([@group])
      end

      # Runs the examples.
      #
      # @param reporter [::RSpec::Core::Reporter]
      # @return [Boolean] whether all passed
      def run(reporter)
        return @group.run(reporter) unless @children
        return false if ::RSpec.world.wants_to_quit

        between_events(reporter) do
          own = @first ? @group.run_examples(reporter) : true
          @children.map { |child| child.run(reporter) }.all? && own
        end
      end

      # Fails all examples.
      #
      # @param reporter [::RSpec::Core::Reporter]
      # @param exception [Exception]
      # @return [void]
      def fail_with(reporter, exception)
        examples = @children ? own_examples + @children.flat_map(&:descendant_filtered_examples) : @group.descendant_filtered_examples
        between_events(reporter) { examples.each { |example| example.fail_with_exception(reporter, exception) } }
      end

      private

      # The examples of the group itself come before its nested groups.
      def own_examples
        @first ? @group.filtered_examples : []
      end

      def between_events(reporter)
        reporter.example_group_started(@group) if @first
        yield
      ensure
        reporter.example_group_finished(@group) if @last
      end
    end
  end
end
