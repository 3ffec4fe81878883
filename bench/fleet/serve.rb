# frozen_string_literal: true

# Measures the compile service under load, beside a real puppetserver.
#
#     script/bench serve [--check] [ROOT [REQUESTS]]
#
# Twelve roles of the made repository (make.rb) in three environments are asked for 200 REQUESTS, 16 at a time, unless told otherwise. Measured are
# the time until the service serves, the processor time of a catalog and the memory of all processes. ROOT is the directory with a puppetserver
# of `script/verify serve-terminus ROOT`, which compiles fewer catalogs of the same nodes: it needs the rights of root. With --check, puppetserver's
# processor time has to be 15 times as long at least, the memory of the service below 400 MB, and its start below one second.

require "etc"
require "fileutils"
require "tmpdir"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "puppetfn"
require_relative "fleet"
require_relative "../../spec/support/compile_service"

module FleetBench
  # Both servers, with the same nodes and environments.
  class ServeBench
    ENVIRONMENTS = %w[production staging dev].freeze
    NODES = 24
    AT_ONCE = 16
    # Catalogs of puppetserver before its time is taken, and with it.
    WARM = 16
    MEASURED = 24
    # Requirements.
    RATIO = 15
    MEMORY = 400
    START = 1.0
    TICKS = Etc.sysconf(Etc::SC_CLK_TCK)

    def initialize(root, requests, checks:)
      @root, @requests, @checks = root, requests, checks
    end

    # @return [Boolean] whether the requirements are met
    def run
      Dir.mktmpdir("puppetfn-serve-bench-") do |directory|
        @directory = directory
        make
        start, memory, ours = measure_service
        ratio = @root && measure_puppetserver / ours
        puts format("puppetserver takes %.0f times the processor time", ratio) if ratio
        holds = start < START && memory < MEMORY && (ratio.nil? || ratio >= RATIO)
        puts "expected: #{RATIO} times, #{MEMORY} MB, #{START} s" unless holds
        holds || !@checks
      end
    end

    private

    def make
      fleet = Fleet.new("#{@directory}/fleet", NODES)
      @facts = fleet.facts
      FileUtils.mkdir_p(environments)
      ENVIRONMENTS.each { |name| FileUtils.cp_r(fleet.repository, "#{environments}/#{name}") }
    end

    def environments = "#{@directory}/environments"

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    # Yields numbers of requests to threads, and returns the seconds of each.
    def load(count)
      queue = Queue.new((0...count).to_a).close
      threads = Array.new(AT_ONCE) do
        Thread.new do
          times = []
          while (number = queue.pop)
            begun = now
            yield(number)
            times << (now - begun)
          end
          times
        end
      end
      threads.flat_map(&:value)
    end

    def node(number)
      name, facts = @facts.to_a[number % @facts.size]
      [name, facts, ENVIRONMENTS[number / @facts.size % ENVIRONMENTS.size]]
    end

    # @return [Array(Float, Integer, Float)] seconds until it serves, megabytes, and processor seconds of a catalog
    def measure_service
      begun = now
      CompileService.run("--environmentpath", environments) do |service|
        start = now - begun
        puts format("service: serves after %.2f s", start)
        seconds = Array.new(2) do |round|
          before, begun = processor_time(service), now
          times = load(@requests) { |number| ask(service, number) }
          wall, each = now - begun, (processor_time(service) - before) / @requests
          report("service#{", again" if round == 1}", @requests, wall, each, times, service.memory)
          each
        end
        [start, service.memory, seconds.last]
      end
    end

    def ask(service, number)
      name, facts, environment = node(number)
      answer = service.catalog(name, environment: environment, facts: facts, parameters: facts)
      abort("#{name} in #{environment}: #{answer.status} #{answer.body[0, 300]}") unless answer.status == 200
    end

    def report(title, count, wall, processor, times, memory)
      median, slow = times.sort.values_at(times.size / 2, times.size * 95 / 100)
      puts format("%s: %d catalogs in %.1f s, %.3f s of processors each, half of them within %.2f s and 95 %% within %.2f s, %d MB",
        title, count, wall, processor, median, slow, memory)
    end

    # @return [Float] processor seconds of the service and all that it has started
    def processor_time(service)
      ticks = [service.pid, *service.workers].sum do |pid|
        File.read("/proc/#{pid}/stat").split(") ").last.split.values_at(11, 12, 13, 14).sum(&:to_i)
      end
      ticks.fdiv(TICKS)
    end

    # @return [Float] processor seconds of a catalog
    def measure_puppetserver
      require_relative "../../spec/terminus/puppet_server"
      TerminusVerifier::PuppetServer.new(@root).run do |server|
        ENVIRONMENTS.each do |name|
          FileUtils.rm_rf("#{server.environments}/#{name}")
          FileUtils.cp_r("#{environments}/#{name}", server.environments)
        end
        server.give(server.environments)
        server.terminus = "compiler"
        begun = now
        server.restart
        puts format("puppetserver: serves after %.0f s", now - begun)
        @facts.each_key { |name| server.sign(name) }
        compile(server, WARM)
        before, begun = server.processor_time, now
        times = compile(server, MEASURED)
        each = (server.processor_time - before) / MEASURED
        report("puppetserver", MEASURED, now - begun, each, times, server.memory >> 20)
        each
      end
    end

    def compile(server, count)
      load(count) do |number|
        name, facts, environment = node(number)
        answer = server.catalog(name, facts, environment: environment)
        abort("puppetserver: #{name}: #{answer.code} #{answer.body[0, 300]}") unless answer.code == "200"
      end
    end
  end
end

if $PROGRAM_NAME == __FILE__
  $stdout.sync = true
  checks = !ARGV.delete("--check").nil?
  root, requests = ARGV
  exit(FleetBench::ServeBench.new(root, Integer(requests || 200), checks: checks).run)
end
