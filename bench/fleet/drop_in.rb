# frozen_string_literal: true

# Measures catalogs of the made repository (make.rb) in real Puppet, with the drop-in and without it, and compares them.
#
#     script/bench drop-in --fleet [--check] [NODES]
#
# 24 NODES unless told otherwise, two of each role. Each side is a process that keeps its environment. Both compile all nodes in turns,
# three rounds to warm up and then three that count: of each side, the fastest. The time is the processor's, for the catalog and its JSON.
# With storeconfigs, each node exports two resources and collects all the others' from a terminus in memory.
#
# PUPPET_LIB names the `lib` directory of the Puppet to measure; else it is the one that is installed.

require "fileutils"
require "json"
require "tmpdir"
require_relative "../ruby/duration"
require_relative "../ruby/worker_process"
require_relative "fleet"

module FleetBench
  # Puppet with the drop-in and without.
  class DropInBench
    LIBRARY = File.expand_path("../../lib", __dir__)
    WORKER = File.join(__dir__, "drop_in_worker.rb")
    NODES = 24
    WARM_UP = 3
    ROUNDS = 3
    # The required ratio.
    FASTER = 4.5
    LAYOUT = "%-46s %12s %12s %8s  %s\n"
    EXPORTS = <<~'PUPPET'
      node default {
        include "role::${facts['role']}"

        @@sshkey { $trusted['certname']:
          type => 'ssh-ed25519',
          key  => sha256($trusted['certname']),
        }
        @@concat::fragment { "neighbour ${trusted['certname']}":
          target  => '/etc/neighbours',
          content => "${trusted['certname']}\n",
          tag     => $facts['datacenter'],
        }
        concat { '/etc/neighbours': }
        Sshkey <<| |>>
        Concat::Fragment <<| tag == $facts['datacenter'] |>>
      }
    PUPPET
    private_constant :LIBRARY, :WORKER, :NODES, :WARM_UP, :ROUNDS, :FASTER, :LAYOUT, :EXPORTS

    # A side's process.
    class Side < Bench::WorkerProcess
      # @param mode [String] the switch of the drop-in
      # @param arguments [Array<String>] of the worker
      def initialize(mode, *arguments)
        environment = {"PUPPETFN" => mode, "RUBYOPT" => "-I#{LIBRARY} -rpuppetfn/puppet"}
        super(*self.class.puppet_library, WORKER, *arguments, environment: environment)
      end

      # @param out [String, nil] the directory for the catalogs
      # @return [Float] processor seconds
      def round(out = nil) = Float(ask(out))

      # @return [Hash]
      def versions = JSON.parse(ask("versions"))
    end

    # @param nodes [Integer, nil]
    def initialize(nodes)
      @nodes = nodes || NODES
    end

    # @return [Boolean] whether the required ratio is reached by the same catalogs
    def run
      Dir.mktmpdir("puppetfn-drop-in-") do |directory|
        @directory = directory
        make
        printf(LAYOUT, "", "Puppet", "with puppetfn", "ratio", "")
        plain = measure("a node of bench/fleet")
        File.write("#{environments}/production/manifests/site.pp", EXPORTS)
        plain & measure("the same, with storeconfigs", "storeconfigs")
      end
    end

    private

    def make
      fleet = Fleet.new("#{@directory}/fleet", @nodes)
      FileUtils.mkdir_p(environments)
      FileUtils.mv(fleet.repository, "#{environments}/production")
    end

    def environments = "#{@directory}/environments"

    def measure(name, *options)
      sides = %w[off on].to_h { |mode| [mode, Side.new(mode, environments, "#{@directory}/fleet/facts", *options)] }
      WARM_UP.times { sides.each_value(&:round) }
      times = Array.new(ROUNDS) { sides.map { |mode, side| side.round(out(mode)) } }.transpose.map(&:min)
      report(name, times, differing, sides["on"].versions)
    ensure
      sides&.each_value(&:close)
    end

    def report(name, times, differing, versions)
      ratio = times[0] / times[1]
      declined = versions.dig("drop_in", "declined")
      verdict = "#{FASTER}x faster: #{ratio >= FASTER ? "ok" : "MISSED"}; Puppet #{versions["puppet"]}, " \
                "#{differing.empty? ? "the same catalogs" : "DIFFERENT: #{differing.join(", ")}"}#{", DECLINED: #{declined}" unless declined.empty?}"
      printf(LAYOUT, name, *times.map { |time| Bench.duration(time / @nodes) }, "#{ratio.round(2)}x", verdict)
      ratio >= FASTER && differing.empty? && declined.empty?
    end

    def out(mode) = "#{@directory}/#{mode}".tap { |directory| FileUtils.mkdir_p(directory) }

    # @return [Array<String>] the nodes whose catalogs are not the same
    def differing
      Dir.children(out("off")).sort.reject { |file| %w[off on].map { |mode| comparable("#{out(mode)}/#{file}") }.uniq.one? }
    end

    # Puppet defines no order of the keys of a resource. All else has the same order.
    def comparable(path)
      data = JSON.parse(File.read(path)).except("version", "catalog_uuid")
      JSON.generate(data.merge("resources" => data["resources"].map { |resource| resource.sort.to_h }))
    end
  end
end

check = ARGV.delete("--check")
reached = FleetBench::DropInBench.new(ARGV.first && Integer(ARGV.first)).run
exit(!check || reached)
