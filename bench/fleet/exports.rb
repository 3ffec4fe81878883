# frozen_string_literal: true

# Measures the time and the memory of a run in which one node collects the exported resources of all others.
#
#     script/bench exports [NODES [RESOURCES]]
#
# 5,000 NODES export 20 RESOURCES each, unless told otherwise. The same nodes without the exports are measured beside it. Memory is the
# peak of each process, as Linux counts it.

require "fileutils"
require "json"
require "tmpdir"
require_relative "make"

module FleetBench
  # A fleet with one collector.
  class ExportsBench
    def initialize(nodes, resources)
      @nodes = nodes
      @resources = resources
    end

    def run
      Dir.mktmpdir("puppetfn-exports-") do |directory|
        @directory = directory
        write_facts
        {"virtual" => "@", "exported" => "@@"}.each do |kind, sign|
          write_manifest(kind, sign)
          seconds, processor, peaks = measure(kind)
          puts format("%d nodes, %d %s resources each: %.1f s, %.1f s of processors, processes of %s MB",
            @nodes, @resources, kind, seconds, processor, peaks.join(", "))
        end
      end
    end

    private

    def write_facts
      FileUtils.mkdir(File.join(@directory, "facts"))
      names = Array.new(@nodes) { |index| format("node%05d.example.com", index) }
      [*names, "collector"].each { |name| File.write("#{@directory}/facts/#{name}.json", JSON.generate("fqdn" => name)) }
    end

    def write_manifest(kind, sign)
      FileUtils.mkdir_p("#{@directory}/#{kind}/manifests")
      File.write("#{@directory}/#{kind}/manifests/site.pp", <<~PUPPET)
        node collector { #{"Notify <<| |>>" if sign == "@@"} }
        node default {
          Integer[1, #{@resources}].each |$index| {
            #{sign}notify { "${facts['fqdn']} ${index}": message => "Message ${index} of ${facts['fqdn']}" }
          }
        }
      PUPPET
    end

    # @return [Array(Float, Float, Array<Integer>)] wall seconds, processor seconds, and megabytes of each process in descending order
    def measure(kind)
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      before = Process.times
      pid = spawn(*PUPPETFN, "compile", "--nodes", "facts", "--environment", kind, "--out", "out-#{kind}",
        chdir: @directory, %i[out err] => File::NULL)
      peaks = {}
      until Process.wait(pid, Process::WNOHANG)
        tree(pid).each { |process| peaks[process] = peak(process) || peaks[process] }
        sleep(0.02)
      end
      abort("puppetfn failed") unless $?.success?
      after = Process.times
      [Process.clock_gettime(Process::CLOCK_MONOTONIC) - start,
        after.cutime + after.cstime - before.cutime - before.cstime, peaks.values.compact.sort.reverse]
    end

    # @return [Array<Integer>] a process and its descendants
    def tree(pid)
      children = Dir["/proc/#{pid}/task/*/children"].flat_map { |file| read(file).split.map(&:to_i) }
      [pid, *children.flat_map { |child| tree(child) }]
    end

    def peak(pid)
      kilobytes = read("/proc/#{pid}/status")[/^VmHWM:\s+(\d+)/, 1]
      kilobytes && (kilobytes.to_i / 1024)
    end

    # Processes can end at any time.
    def read(file)
      File.read(file)
    rescue Errno::ENOENT, Errno::ESRCH
      ""
    end
  end
end

FleetBench::ExportsBench.new(Integer(ARGV[0] || 5_000), Integer(ARGV[1] || 20)).run if $PROGRAM_NAME == __FILE__
