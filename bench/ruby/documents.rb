# frozen_string_literal: true

# Measures how long it takes to write the REFERENCE.md of a module, in comparison with Puppet Strings, if it is installed.
#
#     script/bench documents [--check] [DIRECTORY]
#
# What is measured are whole commands, from their start to their end, the shortest of some: `puppetfn doc` of the program without
# Ruby, which is built for that, and of the gem; and the gem with `--strings-quirks`, where Ruby reads the Ruby files. With --check,
# the exit status is 1 if a ratio is missed.

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

module Bench
  # Writing the documentation of a module.
  module Documents
    DIRECTORY = "/usr/share/puppet/modules/stdlib"
    ROOT = File.expand_path("../..", __dir__)
    PROGRAM = "#{ROOT}/target/dist/puppetfn"
    GEM = [RbConfig.ruby, "-I#{ROOT}/lib", "#{ROOT}/exe/puppetfn"].freeze
    STRINGS = %w[puppet strings generate --format markdown --out].freeze
    # Ours are short, and the first run reads files that are not in memory yet.
    ROUNDS = {ours: 20, theirs: 3}.freeze
    # By name the command and how many times as fast it is at least.
    COMMANDS = {
      "puppetfn without Ruby" => [[PROGRAM, "doc", ".", "--format", "markdown", "--out"], 60],
      "puppetfn of the gem" => [[*GEM, "doc", ".", "--format", "markdown", "--out"], 10],
      "puppetfn --strings-quirks" => [[*GEM, "doc", ".", "--strings-quirks", "--format", "markdown", "--out"], 3]
    }.freeze

    def self.build
      command = %w[cargo build --quiet --locked --profile dist --package puppetfn-cli --bin puppetfn]
      system({"CARGO_TARGET_DIR" => "#{ROOT}/target"}, *command, chdir: ROOT) || abort("puppetfn cannot be built")
    end

    def self.seconds(command, directory, rounds)
      Dir.mktmpdir do |written|
        Array.new(rounds) do |round|
          start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          output, status = Open3.capture2e(*command, "#{written}/#{round}.md", chdir: directory)
          abort("#{command.join(" ")} failed:\n#{output}") unless status.success?
          Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
        end.min
      end
    end

    def self.compare(directory)
      theirs = seconds(STRINGS, directory, ROUNDS[:theirs])
      puts format("REFERENCE.md: Puppet Strings %.3f s", theirs)
      COMMANDS.map do |name, (command, faster)|
        ours = seconds(command, directory, ROUNDS[:ours])
        puts format("  %-27s %.3f s, %.1f times as fast", name, ours, theirs / ours)
        theirs / ours >= faster
      end
    end

    def self.run(arguments)
      is_checked = arguments.delete("--check")
      build
      met = Dir.mktmpdir do |copy|
        # YARD keeps files of its own beside those that it reads.
        FileUtils.cp_r("#{arguments.first || DIRECTORY}/.", copy, dereference_root: true)
        compare(copy)
      end
      exit(1) if is_checked && !met.all?
    end
  end
end

Bench::Documents.run(ARGV)
