# frozen_string_literal: true

require "json"

module Vectors
  # Runs cases on the core, in a program of its own (vectors/src).
  module Core
    ROOT = File.expand_path("../..", __dir__)
    TARGET = File.expand_path(ENV.fetch("CARGO_TARGET_DIR", "target"), ROOT)
    private_constant :ROOT, :TARGET

    def self.failures(directory, cases)
      failures = []
      while failures.size < cases.size
        failures.concat(run(directory, cases.drop(failures.size)))
        failures << "the program ended" if failures.size < cases.size
      end
      failures
    end

    # The outcomes of the first cases; of all, unless the program ends before.
    def self.run(directory, cases)
      prelude = File.join(directory, "prelude.pp")
      IO.popen([program, *(prelude if File.exist?(prelude))], "r+", encoding: "UTF-8") do |io|
        writer = Thread.new { write(io, cases) }
        io.map { |outcome| JSON.parse(outcome) }.tap { writer.join }
      end
    end

    def self.write(io, cases)
      cases.each { |recorded| io.puts(recorded.line) }
      io.close_write
    rescue Errno::EPIPE
      # It ended; there are fewer outcomes then.
    end

    # Built in the profile of the core's tests, which shares their build and has the debug assertions.
    def self.program
      @program ||= begin
        system("cargo", "build", "--quiet", "--package", "puppetfn-vectors", chdir: ROOT) or
          abort "script/vectors: the runner of the core could not be built"
        File.join(TARGET, "debug/puppetfn-vectors")
      end
    end
    private_class_method :run, :write, :program
  end
end
