# frozen_string_literal: true

require_relative "fact_sets"

module Puppetfn
  module RSpec
    # Times of the kinds of work in a run, for `puppetfn test --profile`.
    #
    # Methods that begin a kind of work are measured, each without other kinds that it calls. The rest is RSpec and the code of specs.
    #
    # @api private
    module Profile
      # The methods that are measured, by the kind of work.
      METHODS = {
        "reading spec files" => {::RSpec::Core::Configuration => %i[load_spec_files]},
        "facts" => {FactSets.singleton_class => %i[find all], Node => %i[facts]},
        "compiling" => {Evaluator => %i[evaluate call compile complete_catalog], NativeFunction => %i[call]},
        "Ruby of modules, types and templates" => {
          Function => %i[call], Puppet::Functions::Function3x => %i[call], Runtime => %i[render_erb], ResourceTypes => %i[[]],
          Sandbox => %i[evaluate require_file load_file]
        },
        "conversion of catalogs" => {Evaluator => %i[snapshot described resource overview edges relations classes]}
      }.freeze
      STARTING = "starting"
      REST = "RSpec and the code of specs"
      GARBAGE = "garbage collection"
      private_constant :METHODS, :STARTING, :REST, :GARBAGE

      # Measures one thread.
      class Stopwatch
        def initialize
          @thread = Thread.current
          @current = REST
          reset
        end

        # @param work [String, nil] the kind of work in the block; nil if it only waits
        # @return [Object] the result of the block
        def measure(work)
          return yield unless Thread.current.equal?(@thread)

          outer = @current
          begin
            switch(work)
            yield
          ensure
            switch(outer)
          end
        end

        # @return [Hash{String=>Float}] seconds by kind of work, since the last call
        def take
          switch(@current)
          @seconds[GARBAGE] = (GC.total_time - @collected) / 1e9
          @seconds.tap { reset }
        end

        private

        def switch(work)
          now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          @seconds[@current] += now - @since if @current
          @since = now
          @current = work
        end

        def reset
          @seconds = Hash.new(0.0)
          @collected = GC.total_time
          @since = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        end
      end
      private_constant :Stopwatch

      class << self
        # Measures from now on.
        #
        # @return [void]
        def start
          @seconds = {STARTING => Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)}
          @stopwatch = Stopwatch.new
          METHODS.each { |work, methods| methods.each { |owner, names| owner.prepend(measured(names, work)) } }
        end

        # @return [Boolean]
        def active?
          !@stopwatch.nil?
        end

        # Leaves out the time that this process waits for other processes.
        #
        # @return [Object] the result of the block
        def waiting(&)
          active? ? @stopwatch.measure(nil, &) : yield
        end

        # @return [Hash{String=>Float}, nil] seconds by kind of work, since the last call
        def take
          @stopwatch&.take
        end

        # @param seconds [Hash{String=>Float}, nil] the times of another process
        # @return [void]
        def merge(seconds)
          @seconds.merge!(seconds) { |_, one, other| one + other } if seconds
        end

        # @return [Array<String>] a line for each kind of work, longest first
        def report
          merge(take)
          garbage = @seconds.delete(GARBAGE)
          all = @seconds.each_value.sum
          line = ->(seconds, text) { format("%8.2f s %3d%%  %s", seconds, (seconds / all * 100).round, text) }
          works = @seconds.sort_by { |_, seconds| -seconds }.map { |work, seconds| line.call(seconds, work) }
          ["time of all processes, by kind of work:", *works, line.call(garbage, "#{GARBAGE}, which is part of these")]
        end

        private

        def measured(names, work)
          stopwatch = @stopwatch
          Module.new do
            names.each { |name| define_method(name) { |*args, **options, &block| stopwatch.measure(work) { super(*args, **options, &block) } } }
          end
        end
      end
    end
  end
end
