# frozen_string_literal: true

require "json"

module Vectors
  # Runs cases on the core, in a program of its own (crates/vectors).
  module Core
    ROOT = File.expand_path("../..", __dir__)
    TARGET = File.expand_path(ENV.fetch("CARGO_TARGET_DIR", "target"), ROOT)
    private_constant :ROOT, :TARGET

    def self.failures(directory, cases)
      failures = []
      while failures.size < cases.size
        failures.concat(ask("run", directory, cases.drop(failures.size).map(&:line)))
        failures << "the program ended" if failures.size < cases.size
      end
      failures
    end

    # The Ruby code of values, nil where there is none.
    #
    # @param expressions [Array<String>] in the Puppet language
    # @return [Hash{String=>String, nil}] by the expression
    def self.ruby_codes(directory, expressions)
      codes = ask("ruby", directory, expressions.map { |expression| JSON.generate(expression) })
      expressions.zip(codes).to_h
    end

    # The program's answers to the first lines; to all, unless it ends before.
    def self.ask(what, directory, lines)
      prelude = File.join(directory, "prelude.pp")
      IO.popen([program, what, *(prelude if File.exist?(prelude))], "r+", encoding: "UTF-8") do |io|
        writer = Thread.new { write(io, lines) }
        io.map { |answer| JSON.parse(answer) }.tap { writer.join }
      end
    end

    def self.write(io, lines)
      lines.each { |line| io.puts(line) }
      io.close_write
    rescue Errno::EPIPE
      # It ended; there are fewer answers then.
    end

    # Built in the profile of the core's tests, which shares their build and has the debug assertions.
    def self.program
      @program ||= begin
        system("cargo", "build", "--quiet", "--package", "puppetfn-vectors", chdir: ROOT) or
          abort "script/vectors: the runner of the core could not be built"
        File.join(TARGET, "debug/puppetfn-vectors")
      end
    end
    private_class_method :ask, :write, :program
  end
end
