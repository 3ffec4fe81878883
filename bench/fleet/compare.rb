# frozen_string_literal: true

# Compares how long a change takes to be looked at on all nodes of a made repository (make.rb), and whether real Puppet gives the
# same catalogs.
#
#     script/bench fleet DIRECTORY [SAMPLE]
#
# Makes the repository with its 5,000 nodes if there is no DIRECTORY.
#
# Real Puppet compiles a sample of the nodes, 50 unless told otherwise, on both branches: all in one process that keeps its environment, and a
# few in processes of their own, as octocatalog-diff starts them. puppetfn compares the catalogs with its own, and compares both branches
# on all nodes, twice: the second time with its cache.

require "etc"
require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "make"

module FleetBench
  # Runs both sides.
  class Comparison
    WORKER = File.join(__dir__, "puppet_worker.rb")
    BRANCHES = %w[main change].freeze
    # How many nodes are compiled in processes of their own.
    ALONE = 5
    OPTIONS = %w[--environment-name production].freeze

    def initialize(directory, sample)
      @repository = File.join(directory, "repository")
      @facts = File.join(directory, "facts")
      all = Dir.children(@facts).map { |file| File.basename(file, ".json") }.sort
      @count = all.size
      step = [all.size / sample, 1].max
      # Not a multiple of the number of roles, so that each is in the sample.
      @sample = Array.new([sample, all.size].min) { |index| all[(index * step) % all.size] }.uniq
    end

    def run
      Dir.mktmpdir("puppetfn-fleet-") do |directory|
        @directory = directory
        BRANCHES.each { |branch| git("worktree", "add", "--quiet", "--detach", "#{directory}/#{branch}", branch) }
        warm, alone = BRANCHES.map { |branch| puppet(branch) }.transpose.map { |seconds| seconds.sum / BRANCHES.size }
        BRANCHES.each { |branch| compare_catalogs(branch) }
        report(warm, alone, *measure_all)
      ensure
        BRANCHES.each { |branch| git("worktree", "remove", "--force", "#{directory}/#{branch}") }
      end
    end

    private

    def git(*arguments)
      system("git", "-C", @repository, *arguments, exception: true)
    end

    # @return [Array(Float, Float)] processor seconds of a catalog in a process with others, and in one of its own
    def puppet(branch)
      FileUtils.mkdir_p(out = "#{@directory}/puppet-#{branch}")
      command = [RbConfig.ruby, WORKER, "#{@directory}/#{branch}", @facts, out]
      text, status = Open3.capture2(*command, *@sample)
      abort("Puppet failed") unless status.success?
      # What the first one loads, the others have.
      later = text.lines.drop(1).map(&:to_f)
      alone = @sample.first(ALONE).map { |node| processor_seconds { Open3.capture2(*command, node) } }
      [later.sum / later.size, alone.sum / alone.size]
    end

    # @return [Float] processor seconds of processes that a block waits for
    def processor_seconds
      before = Process.times
      yield
      after = Process.times
      after.cutime + after.cstime - before.cutime - before.cstime
    end

    def compare_catalogs(branch)
      facts = "#{@directory}/facts"
      FileUtils.mkdir_p(facts)
      @sample.each { |node| FileUtils.cp("#{@facts}/#{node}.json", facts) }
      ours = "#{@directory}/puppetfn-#{branch}"
      puppetfn("compile", "--nodes", facts, "--environment", "#{@directory}/#{branch}", "--out", ours)
      output, = puppetfn("diff", "#{@directory}/puppet-#{branch}", ours)
      puts "#{branch}, Puppet's catalogs and puppetfn's:", output
    end

    def puppetfn(*arguments)
      arguments += OPTIONS if arguments.include?("--nodes")
      output, status = Open3.capture2e(*PUPPETFN, *arguments)
      # What is wrong with arguments has the exit code of differences, too.
      compared = output.match?(/^\d+ (?:of \d+ )?nodes? (?:differ|compared)/)
      abort("puppetfn #{arguments.join(" ")}: #{output}") unless status.success? || compared
      [output, status.exitstatus]
    end

    # @return [Array<Float>] seconds, the first time and with what was kept
    def measure_all
      Array.new(2) do
        start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        output, = puppetfn("diff", *BRANCHES, "--repository", @repository, "--nodes", @facts, "--cache", "#{@directory}/cache")
        seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
        puts "all nodes: #{output.lines.last}"
        seconds
      end
    end

    def report(warm, alone, first, again)
      processors = Etc.nprocessors
      version, = Open3.capture2(RbConfig.ruby, "-e", 'require "puppet/version"; print Puppet.version')
      puts format("puppetfn, %d nodes on %d processors: %.0f s, and %.0f s with its cache", @count, processors, first, again)
      {"in processes of their own, as octocatalog-diff runs it" => alone, "in one process" => warm}.each do |how, seconds|
        all = seconds * BRANCHES.size * @count / processors
        puts format("Puppet %s %s: %.2f s a catalog, all: %.0f s, %.1f times as long", version, how, seconds, all, all / first)
      end
    end
  end
end

if $PROGRAM_NAME == __FILE__
  directory, sample = ARGV
  abort("usage: script/bench fleet DIRECTORY [SAMPLE]") unless directory
  directory = File.expand_path(directory)
  FleetBench::Maker.new(directory).make unless File.exist?(directory)
  FleetBench::Comparison.new(directory, Integer(sample || 50)).run
end
