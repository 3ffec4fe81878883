# frozen_string_literal: true

require "etc"
require "json"
require "rbconfig"
require "tmpdir"
require "yaml"
require_relative "../../bench/fleet/fleet"
require_relative "fake_service"
require_relative "puppet_server"

module TerminusVerifier
  # Compares a real puppetserver with the terminus and without it, and measures both.
  class Verification
    ROOT = File.expand_path("../..", __dir__)
    PUPPETFN = [RbConfig.ruby, "-I", File.join(ROOT, "lib"), File.join(ROOT, "exe/puppetfn")].freeze
    # The exit codes of the agent's runs: with --noop, two that change something, and with --noop again.
    STATUSES = [0, 2, 2, 0].freeze
    # Catalogs of one node before times are taken: Java compiles hot code.
    WARM = 10
    MEASURED = 10
    # The seconds that a request may wait for a service that fails.
    BOUND = 3
    AGENT = "agent1.example.com"
    BROKEN = "broken1.example.com"
    private_constant :ROOT, :PUPPETFN, :STATUSES, :WARM, :MEASURED, :BOUND, :AGENT, :BROKEN

    # The environment of agents that apply their catalogs. The other is the one in which some modules look for their files.
    APPLIED = "applied"
    # Its files. The placeholder is a directory.
    FILES = {
      "manifests/site.pp" => <<~'PUPPET',
        node 'broken1.example.com' { fail('no such luck') }
        node default { include app }
      PUPPET
      "modules/app/manifests/init.pp" => <<~'PUPPET',
        class app(Sensitive $secret = Sensitive('hush-hush')) {
          $root = 'DIRECTORY'
          file { $root: ensure => directory }
          file { "${root}/plain": content => "for ${trusted['certname']} in ${environment}\n", mode => '0640' }
          file { "${root}/secret": content => $secret }
          file { "${root}/source": source => 'puppet:///modules/app/source' }
          file { "${root}/tree": ensure => directory, recurse => true, source => 'puppet:///modules/app/tree' }
          file { "${root}/deferred": content => Deferred('join', [['a', 'b'], '+']) }
          file { "${root}/template": content => epp('app/template.epp', { 'os' => $facts['os']['name'] }), notify => Exec['once'] }
          exec { 'once': command => "touch ${root}/touched", path => '/bin:/usr/bin', refreshonly => true }
          app::thing { ['a', 'b']: directory => $root, require => File["${root}/plain"] }
          @@file { "${root}/exported": }
          notify { 'loud': loglevel => warning, withpath => true }
        }
      PUPPET
      "modules/app/manifests/thing.pp" => "define app::thing($directory) { file { \"${directory}/${title}\": ensure => link, target => 'plain', tag => ['thing'] } }\n",
      "modules/app/templates/template.epp" => "os <%= $os %>\n",
      "modules/app/files/source" => "source\n",
      "modules/app/files/tree/one" => "one\n",
      "modules/app/files/tree/two/three" => "three\n"
    }.freeze

    # @param root [String]
    # @param service [Array<String>] a command that serves on the socket that is its last argument
    # @param suite [String] the Debian release of a root that is missing
    def initialize(root, service, suite: "bookworm")
      @root, @suite = root, suite
      @service = service.empty? ? nil : service
      @failures = []
    end

    # @return [Boolean] whether everything was as expected
    def run
      Dir.mktmpdir("terminus") do |directory|
        @directory = directory
        PuppetServer.new(@root, suite: @suite).run do |server|
          @server = server
          verify
        ensure
          stop_service
        end
      end
      puts @failures.empty? ? "all as expected" : "#{@failures.size} failures"
      @failures.empty?
    end

    private

    def verify
      prepare
      alone = observe("puppetserver alone")
      start_service
      use
      with_terminus = observe("with the terminus")
      compare(alone, with_terminus)
      check("the terminus's log", @server.log.lines.grep(/puppetfn: /), [])
      check("a static catalog has metadata", with_terminus["static"][1]["metadata"].keys, ["#{@server.shared("applied")}/source"])
      fail_service
      shadow
    end

    def check(claim, found, expected)
      same = expected === found || expected == found
      puts "#{same ? "ok    " : "FAILED"} #{claim}#{": #{found.inspect[0, 600]} rather than #{expected.inspect[0, 600]}" unless same}"
      @failures << claim unless same
    end

    def prepare
      fleet = FleetBench::Fleet.new("#{@directory}/fleet", 12)
      FileUtils.cp_r("#{fleet.repository}/.", "#{@server.environments}/production")
      @facts = fleet.facts
      FILES.each do |path, text|
        path = File.join(@server.environments, APPLIED, path)
        FileUtils.mkdir_p(File.dirname(path))
        File.write(path, text.sub("DIRECTORY", @server.shared("applied")))
      end
      @server.give(@server.environments)
      # Its environments are cached.
      @server.restart
      [AGENT, BROKEN, *@facts.keys].each { |name| @server.sign(name) }
    end

    # Results for agents, and the times.
    def observe(title)
      node = @facts.keys.max
      seen = {"agents" => agents, "errors" => @server.agent(BROKEN, "--environment", APPLIED, "--noop").output[/Error: Could not retrieve.*/]}
      seen["static"] = catalog(AGENT, {"os" => {"name" => "Debian"}}, environment: APPLIED, static: true)
      seen["catalogs"] = @facts.to_h { |name, facts| [name, catalog(name, facts)] }
      measure(title, node)
      seen
    end

    # Exit codes, output and reports of an agent's runs: with --noop, the first, a second, and with --noop again.
    def agents
      @server.forget(AGENT)
      FileUtils.rm_rf(@server.shared("applied"))
      [%w[--noop], [], [], %w[--noop]].map do |arguments|
        run = @server.agent(AGENT, "--environment", APPLIED, *arguments)
        {"arguments" => arguments, "status" => run.status, "output" => run.output.gsub(/(?:in |version ')[\d.]+/, ""), **report}
      end
    end

    def report
      text = @server.report(AGENT).gsub(%r{^(\s*)?--- !ruby/.*$}, "---").gsub(%r{!ruby/\S+}, "")
      data = YAML.safe_load(text, permitted_classes: [Symbol, Time], aliases: true)
      resources = data["resource_statuses"].transform_values do |status|
        status.slice("changed", "out_of_sync", "failed", "skipped", "tags", "file", "line", "containment_path", "sensitive")
          .merge("events" => status["events"].map { |event| event.slice("property", "previous_value", "desired_value", "message", "name", "status", "redacted") })
      end
      {"resources" => resources, "logs" => data["logs"].map { |log| log.slice("level", "message", "source", "tags", "file", "line") }
        .reject { |log| log["message"].match?(/seconds|Caching|configuration version/) }}
    end

    def catalog(name, facts, environment: "production", **options)
      response = @server.catalog(name, facts, environment: environment, **options)
      body = JSON.parse(response.body)
      [response.code, body.is_a?(Hash) ? body.except("version", "catalog_uuid") : body]
    end

    def measure(title, node)
      WARM.times { @server.catalog(node, @facts[node], environment: "production") }
      times = [now, @server.processor_time, service_time]
      size = Array.new(MEASURED) { @server.catalog(node, @facts[node], environment: "production").body.bytesize }.last
      wall, server, service = [now, @server.processor_time, service_time].zip(times).map { |after, before| (after - before) / MEASURED }
      puts format("       %s, warm, a catalog of %d kB: %.2f s; processor time %.2f s of puppetserver, %.2f s of the service; memory %d MB and %d MB",
        title, size / 1000, wall, server, service, @server.memory >> 20, service_memory >> 20)
    end

    def compare(alone, with_terminus)
      check("the agent runs of puppetserver alone", alone["agents"].map { |run| run["status"] }, STATUSES)
      check("the error of puppetserver alone", alone["errors"], /no such luck/)
      check("the catalogs of puppetserver alone", alone["catalogs"].values.map(&:first).uniq, ["200"])
      alone["agents"].zip(with_terminus["agents"]) do |one, other|
        one.each_key { |part| check(["agent -t", *one["arguments"], part].join(" "), other[part], one[part]) }
      end
      check("an error of the code", with_terminus["errors"], alone["errors"])
      check("a static catalog", differing(with_terminus["static"], alone["static"]), [])
      alone["catalogs"].each do |name, (code, data)|
        check("catalog of #{name}", differing(with_terminus["catalogs"][name], [code, data]), [])
      end
    end

    # Parts of catalogs that differ.
    def differing(found, expected)
      return [found[0], found[1].to_s[0, 300]] unless found[0] == expected[0] && found[1].is_a?(Hash)

      found, expected = found[1], expected[1]
      parts = (expected.keys | found.keys).reject { |part| found[part] == expected[part] }
      parts.map { |part| found[part].is_a?(Array) && expected[part].is_a?(Array) ? [part, (found[part] - expected[part]).first(3), (expected[part] - found[part]).first(3)] : part }
    end

    def use
      @server.configure(socket: socket, connect_timeout: "1s", read_timeout: "#{BOUND - 1}s", timeout: "#{BOUND}s", retry_after: "1s")
      @server.restart
    end

    # Agents get catalogs in time however the service fails, and JRuby instances are free again.
    def fail_service
      stop_service
      warnings = -> { @server.log.lines.grep(/WARN .*puppetfn: the compile service/).size }
      before = warnings.call
      failing("no socket") { nil }
      check("warnings of a service that is not there, one for each JRuby instance", warnings.call - before, 1..2)
      with_fake(->(_) { sleep(60) }) { failing("a service that hangs") }
      with_fake(->(connection) { connection.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n{") }) { failing("a service that is killed within an answer") }
      with_fake(->(connection) { connection.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n{") && sleep(60) }) { failing("half an answer") }
      with_fake(nil) { failing("a service that accepts no connections") }
      start_service
      sleep(1.1)
      name = @facts.keys.first
      2.times { catalog(name, @facts[name]) }
      check("notices that the service answers again", @server.log.lines.grep(/INFO .*answers again/).size, 1..)
    end

    def failing(failure)
      yield if block_given?
      start = now
      facts = {"os" => {"name" => "Debian"}}
      codes = Array.new(6) { Thread.new { @server.catalog(AGENT, facts, environment: APPLIED).code } }.map(&:value)
      check("#{failure}: catalogs", codes, ["200"] * 6)
      # Two JRuby instances compile three each. Without a socket nothing is waited for, so that is Puppet's own time.
      seconds = now - start
      check("#{failure}: seconds for six catalogs at once", seconds, 0..((3 * BOUND) + (2 * @own_seconds))) if @own_seconds
      @own_seconds ||= seconds
      sleep(0.3)
      check("#{failure}: free JRuby instances", @server.free_jrubies, PuppetServer::JRUBIES)
    end

    def with_fake(behaviour)
      fake = TerminusSpec::FakeService.new(socket)
      FileUtils.chmod(0o666, socket)
      unless behaviour
        fake.stop
        fake.listen(backlog: 0, accepts: false)
        FileUtils.chmod(0o666, socket)
        waiting = UNIXSocket.new(socket)
      end
      fake.behave { |connection, _request| behaviour.call(connection) }
      sleep(1.1)
      yield
    ensure
      waiting&.close
      fake&.stop
    end

    def shadow
      file = @server.shared("differences.jsonl")
      @server.configure(socket: socket, mode: "shadow", differences_file: file)
      @server.restart
      @facts.each { |name, facts| check("shadow: catalog of #{name}", catalog(name, facts)[0], "200") }
      @server.agent(BROKEN, "--environment", APPLIED, "--noop")
      reported = File.readlines(file).map { |line| JSON.parse(line) }
      reported.each { |entry| check("shadow: report on #{entry["node"]}", entry.values_at("outcome", "differences"), ["same", []]) }
      check("shadow: reports", reported.size, @facts.size + 1)
    end

    def socket = @server.shared("puppetfn.sock")

    def start_service
      log = File.open("#{@directory}/service.log", "a")
      command = @service ? [*@service, socket] : [*PUPPETFN, "serve", "--environmentpath", @server.environments, *@server.defaults, "--socket", socket]
      @pid = Process.spawn(*command, out: log, err: log, pgroup: true)
      600.times { File.socket?(socket) ? break : sleep(0.1) }
      raise "the service does not start: #{File.read("#{@directory}/service.log")}" unless File.socket?(socket)

      FileUtils.chmod(0o666, socket)
    end

    def stop_service
      return unless @pid

      Process.kill(:TERM, @pid)
      Process.wait(@pid)
      FileUtils.rm_f(socket)
    rescue Errno::ESRCH, Errno::ECHILD
      nil
    ensure
      @pid = nil
    end

    # Returns the fields of `/proc/PID/stat` after the name, for each process of the service.
    def processes
      all = Dir.glob("/proc/[0-9]*/stat").filter_map do |path|
        [path[/\d+/].to_i, File.read(path).split(") ").last.split]
      rescue SystemCallError
        nil
      end
      own = [@pid].compact
      own.each { |pid| all.each { |child, fields| own << child if fields[1].to_i == pid } }
      all.to_h.values_at(*own).compact
    end

    def service_time = processes.sum { |fields| fields.values_at(11, 12).sum(&:to_i) }.fdiv(Etc.sysconf(Etc::SC_CLK_TCK))

    def service_memory = processes.sum { |fields| fields[21].to_i * 4096 }

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
