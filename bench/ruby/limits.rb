# frozen_string_literal: true

# Measures how far puppetfn is from what Ruby, RSpec or reading the input alone costs.
#
#     script/bench limits [--check]
#
# `script/bench start` has the start of the library in a program. Each row has the processor time of a limit and of puppetfn in the same run; of several rounds the fastest counts. With --check,
# the exit status is 1 if puppetfn takes more than the permitted multiple of a limit.

require "fileutils"
require "open3"
require "rbconfig"
require "stringio"
require "tmpdir"
require_relative "../fleet/make"
require_relative "duration"
require_relative "side"
require_relative "worker_process"

module LimitBench
  LIBRARY = File.expand_path("../../lib", __dir__)
  RUBY = [RbConfig.ruby, "-I", LIBRARY].freeze
  PUPPETFN = FleetBench::PUPPETFN
  MODULES = Bench::MODULEPATH.first
  STDLIB = File.join(MODULES, "stdlib")
  ROUNDS = 5
  EXAMPLES = 1_000
  NODES = 24
  # An object with the attributes of each of a thousand files, as real Puppet's types keep them.
  OBJECTS = <<~RUBY
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    Array.new(1_000) do |number|
      attributes = {ensure: "file", mode: "0644", owner: "joe", group: "staff", content: "content of \#{number}", path: "/srv/\#{number}"}
      object = Object.new
      attributes.each { |name, value| object.instance_variable_set(:"@\#{name}", value.dup) }
      object
    end
    print Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
  RUBY
  JSON_TWICE = 'require "json"; ARGV.each { |file| JSON.generate(JSON.parse(File.read(file))) }'

  # A measured task.
  #
  # - name, limit: descriptions of the task and of its limit
  # - within: the permitted multiple of the limit
  # - floor, ours: lambdas that return seconds
  Row = Struct.new(:name, :limit, :within, :floor, :ours, keyword_init: true) do
    # @return [Boolean] whether the multiple is permitted
    def print
      floor, ours = Array.new(ROUNDS) { [self.floor.call, self.ours.call] }.transpose.map(&:min)
      reached = ours <= within * floor
      puts format("%-44s %-46s %10s %10s %6.1fx  %s", name, limit, Bench.duration(floor), Bench.duration(ours), ours / floor,
                  "#{within}x at most: #{reached ? "ok" : "MISSED"}")
      reached
    end
  end

  class << self
    # @return [Boolean] whether all rows are within their limits
    def main
      Dir.mktmpdir("puppetfn-limits-") do |root|
        @root = root
        [*calls, *starts, examples, node, reference, check, instances].map(&:print).all?
      end
    end

    private

    # @return [Float] processor seconds of a command
    def work(*command, exit_code: 0, **options)
      before = Process.times
      output, status = Open3.capture2e(*command, **options)
      abort("#{command.join(" ")} (#{status}):\n#{output}") unless status.exitstatus == exit_code
      after = Process.times
      after.cutime + after.cstime - before.cutime - before.cstime
    end

    def calls
      worker = Bench::WorkerProcess.new("-I", LIBRARY, File.join(__dir__, "worker.rb"), "puppetfn")
      sample = ->(name) { -> { Float(worker.ask(name)) } }
      ["dispatch to the first of four signatures", "instance? of a Struct of three keys"].map do |name|
        Row.new(name: name, limit: "a call of a C function from Ruby", within: 3, floor: sample.("a raw Ruby send"), ours: sample.(name))
      end
    end

    def starts
      empty = -> { work(*RUBY, "-e", "") }
      call = %W[call stdlib::extname a.rb --modulepath #{MODULES}]
      [["`puppetfn --version`", %w[--version], 1.3], ["`puppetfn call stdlib::extname`", call, 1.75]].map do |name, arguments, within|
        Row.new(name: name, limit: "an empty Ruby process", within: within, floor: empty, ours: -> { work(*PUPPETFN, *arguments) })
      end
    end

    def examples
      aliased = "  it { is_expected.to allow_value('/a/b') }\n  it { is_expected.not_to allow_value('a') }\n"
      suite("ours", "require 'puppetlabs_spec_helper/module_spec_helper'\n", "Stdlib::Absolutepath", aliased)
      suite("rspec", "", "plain", "  it { expect('/a/b').to eq('/a/b') }\n  it { expect('a').not_to eq('b') }\n")
      Row.new(name: "#{EXAMPLES} examples of a type alias", limit: "RSpec with as many plain examples", within: 2.5,
              floor: -> { work(RbConfig.ruby, "-S", "rspec", chdir: "#{@root}/rspec") },
              ours: -> { work(*PUPPETFN, "test", chdir: "#{@root}/ours") })
    end

    def suite(name, helper, subject, examples)
      FileUtils.mkdir_p(["#{@root}/#{name}/spec/type_aliases", "#{@root}/#{name}/spec/fixtures/modules"])
      File.symlink(STDLIB, "#{@root}/#{name}/spec/fixtures/modules/stdlib")
      File.write("#{@root}/#{name}/metadata.json", '{"name": "bench-limits", "dependencies": []}')
      File.write("#{@root}/#{name}/spec/spec_helper.rb", helper)
      code = "require 'spec_helper'\nRSpec.describe '#{subject}' do\n#{examples * (EXAMPLES / 2)}end\n"
      File.write("#{@root}/#{name}/spec/type_aliases/all_spec.rb", code)
    end

    # Both have the start of a process.
    def node
      FleetBench::Maker.new("#{@root}/fleet", NODES, output: StringIO.new).make
      options = %W[--environment #{@root}/fleet/repository --environment-name production --jobs 1]
      compile = lambda do
        FileUtils.rm_rf("#{@root}/catalogs")
        work(*PUPPETFN, "compile", "--nodes", "#{@root}/fleet/facts", "--out", "#{@root}/catalogs", *options)
      end
      compile.call
      catalogs = Dir.glob("#{@root}/catalogs/**/*.json")
      Row.new(name: "#{NODES} catalogs of a fleet", limit: "their JSON read and written by Ruby's C library", within: 5,
              floor: -> { work(*RUBY, "-e", JSON_TWICE, *catalogs) }, ours: compile)
    end

    def reference
      Row.new(name: "REFERENCE.md of stdlib", limit: "the start of the command", within: 3,
              floor: -> { work(*PUPPETFN, "--version") },
              ours: -> { work(*PUPPETFN, "doc", STDLIB, "--format", "markdown", "--out", File::NULL) })
    end

    def check
      Row.new(name: "all modules, checked with all rules", limit: "the same manifests, parsed and validated", within: 15,
              floor: -> { work(*PUPPETFN, "validate", MODULES, exit_code: 1) },
              ours: -> { work(*PUPPETFN, "check", "--select", "all", MODULES, exit_code: 1) })
    end

    def instances
      worker = Bench::WorkerProcess.new(File.join(__dir__, "resource_worker.rb"), "puppetfn")
      Row.new(name: "1,000 files as instances", limit: "Ruby objects with as many attributes", within: 12,
              floor: -> { Float(Open3.capture2(*RUBY, "-e", OBJECTS).first) },
              ours: -> { Float(worker.ask("files").split.first) })
    end
  end
end

reached = LimitBench.main
exit(1) if ARGV.include?("--check") && !reached
