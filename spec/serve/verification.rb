# frozen_string_literal: true

require "fileutils"
require "openssl"
require "tmpdir"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "puppetfn"
require_relative "../../bench/fleet/data"
require_relative "../../bench/fleet/fleet"
require_relative "../support/compile_service"
require_relative "../support/control_repository"
require_relative "../terminus/verification"
require_relative "agent_machine"
require_relative "agent_report"
require_relative "authority_verification"

module AgentVerifier
  # Compares agents that ask the service with agents that ask a real puppetserver, with Debian's packages of both.
  class Verification
    include AuthorityVerification

    # The agent's runs, which are all done with each server.
    RUNS = [%w[--noop], [], [], %w[--noop]].freeze
    # A node with an environment, and facts besides the real ones.
    Node = Struct.new(:name, :environment, :facts)
    private_constant :RUNS, :Node

    # @param root [String] a root of {TerminusVerifier::PuppetServer}
    # @param suite [String] the Debian release of a root that is missing
    # @param only [Regexp] names of nodes
    def initialize(root, suite:, only: //)
      renewal = suite == "bookworm" ? {} : {"allow-auto-renewal" => true}
      @server = TerminusVerifier::PuppetServer.new(root, suite: suite, authority: renewal, terminus: false)
      @only = only
      @failures = []
      @comparisons = 0
    end

    # @return [Boolean] whether everything was as expected
    def run
      Dir.mktmpdir("agents") do |directory|
        @directory = directory
        @server.run(before: -> { prepare }) { listen { verify } }
      end
      puts @failures.empty? ? "all as expected: #{@comparisons} comparisons" : "#{@failures.size} failures"
      @failures.empty?
    end

    private

    def verify
      puts "       agent and puppetserver of Debian #{@server.root.suite}, with Puppet #{@server.version}"
      nodes.each { |node| compare(node) }
      verify_authority
      check("requests that the service failed to answer", @service.log.lines.grep(/ERROR|panic/).grep_v(/Evaluation Error|handshake|HandshakeFailure/), [])
    end

    def check(claim, found, expected)
      @comparisons += 1
      same = expected === found || expected == found
      puts "#{same ? "ok    " : "FAILED"} #{claim}#{": #{difference(found, expected)}" unless same}"
      @failures << claim unless same
    end

    # The parts of two values that differ.
    def difference(found, expected, place = "")
      if found.is_a?(Hash) && expected.is_a?(Hash)
        keys = (found.keys | expected.keys).reject { |key| found[key] == expected[key] }
        return "#{keys.size} of #{expected.size}: #{keys.first(3).map { |key| difference(found[key], expected[key], "#{place}/#{key}") }.join("; ")}"
      end
      found, expected = found.lines, expected.lines if found.is_a?(String) && expected.is_a?(String)
      found, expected = found - expected, expected - found if found.is_a?(Array) && expected.is_a?(Array) && found.sort_by(&:to_s) != expected.sort_by(&:to_s)
      "#{place} #{found.inspect[0, 600]} rather than #{expected.inspect[0, 600]}"
    end

    def prepare
      FileUtils.cp_r("#{FleetBench::Fleet.new("#{@directory}/fleet", 1).repository}/.", "#{@server.environments}/production")
      FileUtils.cp_r(ControlRepository::DIRECTORY, "#{@server.environments}/control")
      TerminusVerifier::Verification::FILES.each do |path, text|
        path = File.join(@server.environments, "applied", path)
        FileUtils.mkdir_p(File.dirname(path))
        File.write(path, text.sub("DIRECTORY", "/srv/applied"))
      end
      @server.give(@server.environments)
    end

    def nodes
      roles = FleetBench::Data::ROLES.map { |role| Node.new("#{role}1.example.com", "production", {"role" => role, "datacenter" => "paris"}) }
      control = ControlRepository::NODES.map { |name| Node.new(name, "control", {"datacenter" => "paris"}) }
      applied = %w[app1 broken1].map { |name| Node.new("#{name}.example.com", "applied", {}) }
      (applied + control + roles).select { |node| node.name.match?(@only) }
    end

    # Starts the service for the length of a block.
    def listen
      configuration = "#{@directory}/puppet.conf"
      File.write(configuration, <<~INI)
        [main]
        certname = localhost
        ssldir = #{@server.ssldir}
        confdir = #{@directory}
        vardir = #{@directory}/var
        environmentpath = #{@server.environments}
        reportdir = #{@directory}/reports
      INI
      @port = @server.root.free_port
      options = ["--ca-url", "https://localhost:#{@server.port}", *@server.defaults]
      CompileService.run("--listen", "127.0.0.1:#{@port}", "--config", configuration, *options, socket: false) do |service|
        @service = service
        yield
      rescue StandardError
        puts service.log.lines.last(20)
        raise
      end
    end

    # Runs agents of a node against both servers, and compares them.
    def compare(node)
      @server.sign(node.name)
      machines = %w[puppetserver service].to_h { |title| [title, machine(node, title)] }
      expected, found = [@server.port, @port].zip(machines.values).map { |port, machine| Thread.new { runs(machine, port, node) } }.map(&:value)
      RUNS.each_with_index do |arguments, index|
        title = [node.name, "run #{index + 1}", *arguments].join(" ")
        %w[status output report].each { |part| check("#{title}: #{part}", found[index][part], expected[index][part]) }
      end
      theirs, ours = machines.values
      check("#{node.name}: #{theirs.plugins.size} files of plugins", ours.plugins, theirs.plugins)
      check("#{node.name}: other files of the machine", ours.files, theirs.files)
      check("#{node.name}: stored report", stored_report("#{@directory}/reports", node), stored_report(@server.reports, node))
      compared(node, expected)
    ensure
      machines&.each_value(&:remove)
    end

    # Requires that something was compared.
    def compared(node, runs)
      resources = runs.map { |run| run["report"].fetch("resource_statuses").size }
      statuses = runs.map { |run| run["status"] }
      puts "       #{node.name}: exit codes #{statuses.join(", ")}, #{resources.max} resources, #{runs.map { |run| events(run["report"]) }.join(", ")} events"
      return check("#{node.name}: the agent of puppetserver fails", statuses, [1, 1, 1, 1]) if node.name.start_with?("broken")

      check("#{node.name}: the agent of puppetserver has applied its catalog", resources.max, 10..)
      puts runs.first["output"] if resources.max < 10
    end

    def events(report) = report.fetch("resource_statuses").values.sum { |status| status.fetch("events").size }

    def machine(node, title)
      AgentMachine.new(@server.root, "#{@directory}/#{title}-#{node.name}", node.name, node.facts).tap do |machine|
        %w[certs private_keys].each { |kind| machine.write(machine.ssl(kind), @server.certificate(node.name, kind)) }
      end
    end

    def runs(machine, port, node)
      RUNS.map do |arguments|
        run = machine.agent(port, "--environment", node.environment, *arguments)
        report = machine.report or raise "#{node.name} wrote no report: #{run.output}"
        {"status" => run.status, "output" => AgentReport.text(run.output), "report" => AgentReport.read(report)}
      end
    end

    def stored_report(directory, node)
      file = Dir.glob("#{directory}/#{node.name}/*.yaml").max
      file && AgentReport.read(File.read(file))
    end
  end
end
