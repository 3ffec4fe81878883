# frozen_string_literal: true

# Compiles recorded catalogs, on one side of the benchmark.
#
#     ruby bench/ruby/catalog_worker.rb puppet|puppetfn DIRECTORY
#
# Reads a case a line, and answers with the processor seconds that its catalog took, with its data; `null` asks for the
# version.

require "json"
require_relative "../../vectors/ruby/catalog"

# How long a sample takes at least.
SAMPLE_SECONDS = 0.04

module CatalogBench
  # Real Puppet.
  class PuppetSide
    def initialize(world)
      require_relative "../../vectors/ruby/puppet_catalogs"
      @world = world
      @catalogs = Vectors::PuppetCatalogs.new(world)
    end

    def version
      "Puppet #{Puppet.version}"
    end

    # What is the same for each compilation of a case, and not to be measured.
    def prepare(data)
      [data, @world.facts(data)]
    end

    def compile((data, facts))
      @catalogs.data_hash(@catalogs.compile(data, facts))
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
