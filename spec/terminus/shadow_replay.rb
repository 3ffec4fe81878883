# frozen_string_literal: true

require "fileutils"
require "json"
require "tmpdir"
$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "puppetfn"
require_relative "../../vectors/ruby/modules"
require_relative "../../vectors/ruby/recorded"
require_relative "../support/compile_service"
require_relative "puppet_server"

module TerminusVerifier
  # Programs of recorded catalogs, compiled by a real puppetserver whose terminus compares with the service.
  class ShadowReplay
    # Directories of records.
    SOURCES = {"packaged" => File.expand_path("../vectors/catalogs", __dir__), "published" => Vectors::External.path("catalogs")}.compact.freeze
    # The client that may ask for the catalogs of all nodes.
    CLIENT = "replay.example.com"
    # Definitions and errors of syntax cannot be in a block, where all other programs are.
    DEFINITION = /^\s*(?:define|function|type|node)\s|^\s*class\s+[a-z_:]+\s*(?:\(|inherits|\{\s*(?!['"\[$\w:]+\s*:))/
    SYNTAX = /Syntax error|Could not parse|may only appear at toplevel/
    # The number of requests at a time: one for each JRuby instance.
    AT_ONCE = PuppetServer::JRUBIES
    private_constant :SOURCES, :CLIENT, :DEFINITION, :SYNTAX, :AT_ONCE

    # A recorded program: the name of its source, its case, and the facts of its node.
    Program = Struct.new(:source, :data, :facts) do
      def name = "p-#{data["id"].gsub(/[^a-z0-9]+/, "-")}.example.com"
    end
    private_constant :Program

    # @param root [String] a root of {PuppetServer}
    # @param suite [String] the Debian release of a root that is missing
    # @param count [Integer, nil] programs to draw; all if nil
    # @param seed [Integer]
    def initialize(root, suite:, count:, seed:)
      @server = PuppetServer.new(root, suite: suite)
      @count, @random = count, Random.new(seed)
    end

    # @return [Boolean] whether the terminus found no difference
    def run
      Dir.mktmpdir("shadow") do |directory|
        @directory = directory
        @server.run(before: -> { prepare }) { serve { replay } }
      end
    end

    private

    def prepare
      @programs = SOURCES.flat_map { |source, directory| programs(source, directory) }
      @programs = @programs.shuffle(random: @random).first(@count) if @count
      write(@programs.first.source)
      @server.allow(CLIENT)
      @differences = @server.shared("differences.jsonl")
      @server.configure(socket: socket, mode: "shadow", read_timeout: "120s", timeout: "120s", differences_file: @differences)
    end

    # @return [Array<Program>] the programs of a directory that this Puppet can compile
    def programs(source, directory)
      facts = Vectors::Recorded.new(File.join(directory, Vectors::FACTS)).cases.to_h { |entry| entry.data.values_at("digest", "facts") }
      cases = Vectors::Recorded.files([directory]).flat_map(&:cases).map(&:data).select { |data| data["kind"] == "catalog" }
      needs_newer, cases = cases.partition { |data| newer?(source, data["module"]) }
      own, cases = cases.partition { |data| data["code"].match?(DEFINITION) || data.dig("expected", "error", "message")&.match?(SYNTAX) }
      puts "#{source}: #{cases.size} programs; left out are #{needs_newer.size} whose modules need a newer Puppet, " \
           "and #{own.size} with definitions or errors of syntax"
      cases.map { |data| Program.new(source, data, steady(facts.fetch(data["facts"]))) }
    end

    # @return [Boolean] whether the metadata of a module, or of one that it depends on, requires a newer Puppet than the server's
    def newer?(source, name, seen = [])
      return false if seen.include?(name)

      file = File.join(modules(source), name, "metadata.json")
      return false unless File.file?(file)

      metadata = JSON.parse(File.read(file))
      lowest = (metadata["requirements"] || []).filter_map { |entry| entry["version_requirement"].to_s[/>= *(\d+)/, 1] if entry["name"] == "puppet" }.first
      return true if lowest && lowest.to_i > @server.version.to_i

      dependencies = (metadata["dependencies"] || []).map { |entry| entry["name"].split(%r{[/-]}).last }
      dependencies.any? { |dependency| newer?(source, dependency, [*seen, name]) }
    end

    def modules(source) = (@modules ||= {})[source] ||= Vectors::Modules.of(SOURCES.fetch(source)).directory

    # JSON has no undef as a fact. The environment is the server's to name.
    def steady(facts) = facts.reject { |name, value| name == "environment" || value == {"__symbol" => "undef"} }

    # Writes the environment of the programs of a source: its manifests have a block for each program, which a fact selects. Some code in Ruby looks for
    # its module in the environment of the server's settings, so that it has its name.
    def write(source)
      directory = "#{@server.environments}/production"
      FileUtils.rm_rf(directory)
      FileUtils.mkdir_p("#{directory}/manifests")
      FileUtils.mkdir_p("#{directory}/modules")
      Dir.each_child(modules(source)) { |name| FileUtils.cp_r(File.realpath(File.join(modules(source), name)), "#{directory}/modules/#{name}") }
      @programs.select { |program| program.source == source }.group_by { |program| program.data["module"] }.each do |name, programs|
        blocks = programs.map { |program| "  '#{program.data["id"]}': {\n#{program.data["code"].gsub("<MODULES>", "#{directory}/modules")}\n}\n" }
        File.write("#{directory}/manifests/#{name}.pp", "case $facts['program'] {\n#{blocks.join}  default: {}\n}\n")
      end
      @server.give(@server.environments)
    end

    def socket = @server.shared("puppetfn.sock")

    def serve
      CompileService.run("--environmentpath", @server.environments, *@server.defaults, socket: socket) do |service|
        FileUtils.chmod(0o666, socket)
        @server.sign(CLIENT)
        yield
      ensure
        puts service.log.lines.grep(/panic|ERROR/).grep_v(/Evaluation Error/).first(5)
      end
    end

    # A process loads types in Ruby once, from its first environment, so that the server is restarted for each environment.
    def replay
      agreed = @programs.group_by(&:source).each_with_index.map do |(source, programs), index|
        change(source) unless index.zero?
        entries = ask(programs)
        report(source, programs, entries)
        entries.size == programs.size && explained?(entries)
      end
      agreed.all? && agreed.any?
    end

    def change(source)
      @server.stop
      write(source)
      @server.start
    end

    # @return [Array<Hash>] the terminus's reports on programs
    def ask(programs)
      FileUtils.rm_f(@differences)
      queue = Queue.new(programs).close
      threads = Array.new(AT_ONCE) do
        Thread.new do
          while (program = queue.pop)
            @server.catalog(program.name, program.facts.merge("program" => program.data["id"]), client: CLIENT)
          end
        end
      end
      threads.each(&:join)
      File.exist?(@differences) ? File.readlines(@differences).map { |line| JSON.parse(line) } : []
    end

    def report(source, programs, entries)
      outcomes = entries.map { |entry| entry["outcome"] }.tally.map { |outcome, count| "#{count} #{outcome}" }
      puts "#{source}: Puppet #{@server.version}: #{programs.size} programs, #{entries.size} reports: #{outcomes.join(", ")}"
    end

    # Puppet remembers that a file of an environment failed, and says so only to the first catalog. A program of each kind of difference is compiled
    # again, in an environment that is loaded anew.
    #
    # @return [Boolean] whether the programs have no difference then
    def explained?(entries)
      kinds = entries.reject { |entry| entry["outcome"] == "same" }.group_by { |entry| entry["differences"].to_s.gsub(entry["node"], "NODE") }
      kinds.values.map do |(entry, *others)|
        program = @programs.find { |candidate| candidate.name == entry["node"] }
        @server.forget_environments(CLIENT)
        again = ask([program]).fetch(0)
        puts "#{program.name} (#{program.data["module"]}, #{program.data["os"]}) and #{others.size} others: #{entry["outcome"]}, #{entry["differences"].to_s[0, 700]}"
        puts "  in an environment that is loaded anew: #{again["outcome"]} #{again["differences"].to_s[0, 700] unless again["outcome"] == "same"}"
        again["outcome"] == "same"
      end.all?
    end
  end
end
