# frozen_string_literal: true

# Measures the time and the memory of a run in which one node collects the exported resources of all others.
#
#     script/bench exports [--empty] [NODES [RESOURCES]]
#
# 5,000 NODES of the made repository (make.rb) export 20 RESOURCES each, unless told otherwise. The same nodes with virtual resources are
# measured beside it. With --empty, catalogs have nothing else, so that the time of exports is most of the run. Memory is the peak of each
# process, as Linux counts it.

require "fileutils"
require "json"
require "tmpdir"
require_relative "fleet"
require_relative "make"

module FleetBench
  # A fleet with one collector.
  class ExportsBench
    # Code for the role of a node.
    ROLES = "include \"role::${facts['role']}\""
    private_constant :ROLES

    def initialize(nodes, resources, empty:)
      @nodes = nodes
      @resources = resources
      @empty = empty
    end

    def run
      Dir.mktmpdir("puppetfn-exports-") do |directory|
        @directory = directory
        make
        {"virtual" => "@", "exported" => "@@"}.each do |kind, sign|
          write_manifest(sign)
          seconds, processor, peaks = measure
          FileUtils.rm_rf("#{directory}/out")
          puts format("%d nodes, %d %s resources each: %.1f s, %.1f s of processors, processes of %s MB",
            @nodes, @resources, kind, seconds, processor, peaks.join(", "))
        end
      end
    end

    private

    def make
      @empty ? make_nodes : Fleet.new("#{@directory}/fleet", @nodes)
      FileUtils.mkdir_p(facts)
      File.write("#{facts}/collector.json", JSON.generate("fqdn" => "collector"))
    end

    def make_nodes
      FileUtils.mkdir_p(facts)
      FileUtils.mkdir_p("#{environment}/manifests")
      @nodes.times do |index|
        name = format("node%05d.example.com", index)
        File.write("#{facts}/#{name}.json", JSON.generate("fqdn" => name))
      end
    end

    def facts = "#{@directory}/fleet/facts"

    def environment = "#{@directory}/fleet/repository"

    def write_manifest(sign)
      File.write("#{environment}/manifests/site.pp", <<~PUPPET)
        node collector { #{"Notify <<| |>>" if sign == "@@"} }
        node default {
          #{ROLES unless @empty}
          Integer[1, #{@resources}].each |$index| {
            #{sign}notify { "${trusted['certname']} ${index}": message => "Message ${index} of ${trusted['certname']}" }
          }
        }
      PUPPET
    end

    # @return [Array(Float, Float, Array<Integer>)] wall seconds, processor seconds, and megabytes of each process in descending order
    def measure
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      before = Process.times
      pid = spawn(*PUPPETFN, "compile", "--nodes", facts, "--environment", environment, "--out", "out",
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

if $PROGRAM_NAME == __FILE__
  empty = !ARGV.delete("--empty").nil?
  FleetBench::ExportsBench.new(Integer(ARGV[0] || 5_000), Integer(ARGV[1] || 20), empty: empty).run
end
