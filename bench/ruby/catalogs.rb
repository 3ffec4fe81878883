# frozen_string_literal: true

# Measures how long catalogs of real modules take, with real Puppet and with puppetfn.
#
#     script/bench catalogs [--check] [DIRECTORY]
#
# DIRECTORY has recorded catalogs (spec/vectors/catalogs/README.md), by default the catalogs of Debian's modules. Three of each
# module are compiled: the smallest, the largest and one between. Each side is a process that is warm by then, and makes a new
# environment for each catalog, as specs and a server without a cache do. Processor time counts, and of several rounds
# the fastest.
#
# PUPPET_LIB names the `lib` directory of the Puppet to compare with; else it is the one that is installed.

require "json"
require_relative "worker_process"
require_relative "../../vectors/ruby/catalog"
require_relative "../../vectors/ruby/recorded"

module CatalogBench
  DIRECTORY = File.expand_path("../../spec/vectors/catalogs", __dir__)
  WORKER = File.join(__dir__, "catalog_worker.rb")
  ROUNDS = 5
  OF_A_MODULE = 3
  # What the median has to reach, and each module with large catalogs.
  MEDIAN = 20
  LARGE = {resources: 20, faster: 10}.freeze

  # A side's worker.
  class Worker < Bench::WorkerProcess
    def initialize(side, directory)
      super(*(self.class.puppet_library if side == "puppet"), WORKER, side, directory)
    end

    # @return [Float] processor seconds that a catalog took
    def sample(recorded)
      Float(ask(JSON.generate(recorded.data.except("expected"))))
    end

    # @return [String] what it runs
    def version
      ask("null")
    end
  end

  class << self
    # @return [Boolean] whether all that has to be reached is
    def main(directory)
      @workers = %w[puppet puppetfn].map { |side| Worker.new(side, directory) }
      puts format("%-14s %9s %14s %14s %8s", "module", "resources", *@workers.map(&:version), "ratio")
      rows = samples(directory).flat_map { |name, cases| measure(name, cases) }
      ratios = rows.map { |row| row[:ratio] }.sort
      median = ratios[ratios.size / 2]
      slow = rows.group_by { |row| row[:module] }.select { |_, all| too_slow?(all) }.keys
      puts "median #{median.round(1)}x (#{MEDIAN}x at least); modules with more than #{LARGE[:resources]} resources below " \
           "#{LARGE[:faster]}x: #{slow.empty? ? "none" : slow.join(", ")}"
      median >= MEDIAN && slow.empty?
    end

    private

    # Some cases of each module that give catalogs.
    def samples(directory)
      Vectors::Recorded.files([directory]).to_h do |file|
        cases = file.cases.select { |recorded| recorded.data.dig("expected", "catalog") }.sort_by { |recorded| size(recorded) }
        indices = [0, cases.size / 2, cases.size - 1].uniq.select { |index| cases[index] }
        [File.basename(file.path)[/\A[^.]+/], indices.first(OF_A_MODULE).map { |index| cases[index] }]
      end
    end

    def size(recorded)
      recorded.data["expected"]["catalog"]["resources"].size
    end

    def measure(name, cases)
      cases.map do |recorded|
        times = Array.new(ROUNDS) { @workers.map { |worker| worker.sample(recorded) } }.transpose.map(&:min)
        ratio = times[0] / times[1]
        puts format("%-14s %9d %11.1f ms %11.2f ms %7.1fx", name, size(recorded), *times.map { |time| time * 1000 }, ratio)
        {module: name, resources: size(recorded), ratio: ratio}
      end
    end

    def too_slow?(rows)
      rows.any? { |row| row[:resources] > LARGE[:resources] && row[:ratio] < LARGE[:faster] }
    end
  end
end

check = ARGV.delete("--check")
reached = CatalogBench.main(ARGV.first || CatalogBench::DIRECTORY)
exit(!check || reached)
