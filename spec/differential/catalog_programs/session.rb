# frozen_string_literal: true

require "json"
require "rbconfig"
require_relative "program"

module Differential
  # Both sides, each in a process of its own that compiles one program after the other.
  class ProgramSession
    SIDES = %w[puppet puppetfn].freeze
    RUNNER = File.expand_path("runner.rb", __dir__)

    # How long a side may take for one program, in seconds.
    TIME_LIMIT = 20

    # @param runner [String] the program that answers, of which the argument is a side
    def initialize(runner = RUNNER)
      @runner = runner
      @pipes = SIDES.to_h { |side| [side, start(side)] }
    end

    # What both sides make of programs.
    #
    # @param programs [Array<CatalogProgram>]
    # @return [Array<Array(Hash, Hash)>]
    def answers(programs)
      programs.zip(*SIDES.map { |side| Thread.new { ask(side, programs) } }.map(&:value)).map { |_, *both| both }
    end

    # @return [void]
    def close
      @pipes.each_value(&:close)
    end

    private

    def start(side)
      IO.popen([RbConfig.ruby, "--disable-did_you_mean", "--disable-error_highlight", @runner, side], "r+")
    end

    def ask(side, programs)
      programs.map do |program|
        @pipes[side].puts(JSON.generate(program.to_h))
        answer(side)
      end
    end

    # A side that dies or does not end is started anew.
    def answer(side)
      line = @pipes[side].gets if IO.select([@pipes[side]], nil, nil, TIME_LIMIT) # rubocop:disable Lint/IncompatibleIoSelectWithFiberScheduler
      return JSON.parse(line) if line

      Process.kill(:KILL, @pipes[side].pid)
      @pipes[side].close
      @pipes[side] = start(side)
      {"error" => {"class" => "none", "message" => "the process died or took longer than #{TIME_LIMIT} s"}, "logs" => []}
    end
  end
end
