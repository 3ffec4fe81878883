# frozen_string_literal: true

# Compiles recorded catalogs, on one side of the benchmark.
#
#     ruby bench/ruby/catalog_worker.rb puppet|puppetfn DIRECTORY
#
# Reads a case a line, and answers with the processor seconds that its catalog took, with its data; `null` asks for the
# version.

require "json"
require "tmpdir"
require_relative "../../vectors/ruby/catalog"

# How long a sample takes at least.
SAMPLE_SECONDS = 0.04

module CatalogBench
  # Real Puppet.
  class PuppetSide
    def initialize(world)
      require "puppet"
      @world = world
      directory = Dir.mktmpdir("puppetfn-bench-")
      at_exit { FileUtils.remove_entry(directory) }
      Puppet.initialize_settings(["--vardir", "#{directory}/var", "--confdir", "#{directory}/conf"])
      Puppet::Util::Log.close_all
    end

    def version
      "Puppet #{Puppet.version}"
    end

    # What is the same for each compilation of a case, and not to be measured.
    def prepare(data)
      [data, @world.facts(data)]
    end

    def compile((data, facts))
      Puppet[:strict] = data["strict"].to_sym
      Puppet[:strict_variables] = data["strict_variables"]
      data["settings"].each { |name, value| Puppet[name.to_sym] = value }
      Puppet[:code] = @world.text(data["code"])
      environment = Puppet::Node::Environment.create(data["environment"].to_sym, [@world.modules])
      Puppet.override(current_environment: environment, rich_data: true) do
        Puppet::Parser::Compiler.compile(node(data, facts, environment)).to_data_hash
      end
    end

    private

    def node(data, facts, environment)
      parameters = facts.merge(data["variables"])
      node = Puppet::Node.new(data["node"], environment: environment, parameters: parameters,
        facts: Puppet::Node::Facts.new(data["node"], facts))
      node.trusted_data = data["trusted"]
      node.add_server_facts(data["server_facts"])
      node
    end
  end

  # puppetfn.
  class PuppetfnSide
    def initialize(world)
      @world = world
    end

    def version
      "puppetfn #{Puppetfn::VERSION}"
    end

    def prepare(data)
      [data, @world.facts(data)]
    end

    def compile((data, facts))
      @world.compile(data, facts).to_data_hash
    end
  end
end

side = ARGV.fetch(0)
Vectors::Extension.load if side == "puppetfn"
world = Vectors::Catalog::World.new(ARGV.fetch(1))
compiler = CatalogBench.const_get("#{side.capitalize}Side").new(world)
$stdout.sync = true
$stdin.each_line do |line|
  data = JSON.parse(line)
  next puts(compiler.version) unless data

  prepared = compiler.prepare(data)
  GC.start
  count, start = 0, Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  begin
    compiler.compile(prepared)
    count += 1
    elapsed = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
  end while elapsed < SAMPLE_SECONDS # rubocop:disable Lint/Loop
  puts elapsed / count
end
