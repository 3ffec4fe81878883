# frozen_string_literal: true

module Puppetfn
  module RSpec
    # A process that runs jobs.
    #
    # @api private
    class Worker
      # The format of an index in the pipe, which the next free worker reads.
      INDEX = "N"
      INDEX_SIZE = 4
      private_constant :INDEX, :INDEX_SIZE

      class << self
        # Starts processes, which share the jobs among themselves. They end at about the same time if the longest jobs are begun first.
        #
        # @param count [Integer]
        # @param jobs [Array<Job>]
        # @return [Array<Worker>]
        def start(count, jobs)
          indices, to_indices = IO.pipe(binmode: true)
          workers = Array.new(count) { fork_one(jobs, indices, to_indices) }
          indices.close
          # More may be written than a pipe holds.
          Thread.new { feed(to_indices, jobs.each_index.sort_by { |index| [-jobs[index].seconds, index] }) }
          workers
        end

        private

        def feed(pipe, order)
          order.each { |index| pipe.write([index].pack(INDEX)) }
        rescue Errno::EPIPE
          # No process wants more.
        ensure
          pipe.close
        end

        def fork_one(jobs, indices, to_indices)
          output, to_output = IO.pipe(binmode: true)
          pid = fork do
            to_indices.close
            output.close
            serve(jobs, indices, to_output)
            ExampleRuntime.clean_up
            $stdout.flush
            # Exit handlers are meant for the process that was started.
            exit!(0)
          end
          to_output.close
          new(pid, output)
        end

        def serve(jobs, indices, output)
          recorder = record
          # Earlier counts and times belong to the parent process.
          CodeCoverage.take
          Profile.take
          reporter = ::RSpec.configuration.reporter
          while (index = indices.read(INDEX_SIZE))
            index = index.unpack1(INDEX)
            began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
            passed = jobs[index].run(reporter)
            seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
            coverage = [FunctionCoverage.take, Coverage.take, CodeCoverage.take]
            Marshal.dump(Player::Tape.new(index, !!passed, seconds, recorder.take, coverage, Profile.take), output)
            output.flush
          end
        end

        # Sends events to a recorder only.
        def record
          configuration = ::RSpec.configuration
          configuration.reset_reporter
          configuration.add_formatter(Recorder)
          configuration.formatters.first
        end
      end

      # @param pid [Integer]
      # @param output [IO] the pipe of its results
      def initialize(pid, output)
        @pid = pid
        @output = output
      end

      # @yieldparam tape [Player::Tape]
      # @return [self] when the process has ended
      def each_tape
        yield Marshal.load(@output) until @output.eof? # rubocop:disable Security/MarshalLoad
        self
      end

      # Ends the process if it has not ended itself.
      #
      # @return [void]
      def stop
        Process.kill(:KILL, @pid) unless Process.wait(@pid, Process::WNOHANG)
        Process.wait(@pid)
      rescue Errno::ECHILD, Errno::ESRCH
        # It has ended.
      ensure
        @output.close
      end
    end
  end
end
