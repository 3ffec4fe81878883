# frozen_string_literal: true

# Measures how long the resources of a catalog take to become instances of their types, and a graph of what comes before
# what in which cycles are looked for, with real Puppet and with puppetfn.
#
#     script/bench resources [--check]
#
# One catalog has a thousand files, the other one some of the types that modules use most, and a module's own. Each side
# is a process that is warm by then. Processor time counts, and of several rounds the fastest.
#
# PUPPET_LIB names the `lib` directory of the Puppet to compare with; else it is the one that is installed.

require_relative "worker_process"
require_relative "duration"

module ResourceBench
  WORKER = File.join(__dir__, "resource_worker.rb")
  ROUNDS = 15
  # What each catalog has, and how many times as fast instances and graph together have to be.
  CATALOGS = {"files" => ["1,000 files", 10], "mixed" => ["1,000 resources of seven types", 4]}.freeze
  LAYOUT = "%-32s %-10s %14s %14s %8s\n"

  # A side's worker.
  class Worker < Bench::WorkerProcess
    def initialize(side)
      super(*(self.class.puppet_library if side == "puppet"), WORKER, side)
    end

    # @return [Array<Float>] the processor seconds of instances and graph
    def sample(catalog)
      ask(catalog).split.map { |seconds| Float(seconds) }
    end

    # @return [String] what it runs
    def version
      ask("version")
    end
  end

  # @return [Boolean] whether all that has to be reached is
  def self.main
    workers = %w[puppet puppetfn].map { |side| Worker.new(side) }
    printf(LAYOUT, "", "", *workers.map(&:version), "ratio")
    reached = CATALOGS.map do |catalog, (title, faster)|
      puppet, puppetfn = measure(workers, catalog)
      ratio = 0
      ["instances", "graph", "both"].each_with_index do |part, index|
        ratio = puppet[index] / puppetfn[index]
        times = [puppet, puppetfn].map { |seconds| Bench.duration(seconds[index]) }
        printf(LAYOUT, index.zero? ? title : "", part, *times, format("%.1fx", ratio))
      end
      ratio >= faster
    end
    reached.all?
  end

  # The sides take turns, so that both meet the same load.
  def self.measure(workers, catalog)
    rounds = Array.new(ROUNDS) { workers.map { |worker| worker.sample(catalog) } }
    rounds.transpose.map do |samples|
      instances, graph = samples.transpose.map(&:min)
      [instances, graph, instances + graph]
    end
  end
  private_class_method :measure
end

check = ARGV.delete("--check")
reached = ResourceBench.main
exit(!check || reached)
