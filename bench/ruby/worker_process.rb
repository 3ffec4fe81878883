# frozen_string_literal: true

require "open3"
require "rbconfig"

module Bench
  # A process of a side, which answers each line of its input with a line.
  class WorkerProcess
    # @return [Array<String>] options of Ruby that make it load the Puppet in PUPPET_LIB, if that is set
    def self.puppet_library = ENV["PUPPET_LIB"] ? ["-I", ENV["PUPPET_LIB"]] : []

    # @param arguments [Array<String>] of Ruby
    # @param environment [Hash{String=>String}]
    def initialize(*arguments, environment: {})
      @input, @output, = Open3.popen2(environment, RbConfig.ruby, *arguments)
    end

    # @param question [String]
    # @return [String]
    def ask(question)
      @input.puts(question)
      @output.gets&.chomp || abort("The worker ended when it was asked for: #{question[0, 200]}")
    end

    # Ends the process.
    def close = @input.close
  end
end
