# frozen_string_literal: true

# Runs what users wait for, so that a profile of it tells the compiler which code matters: `rake gem:native` and `rake binary` run
# this with an instrumented extension or program.
#
#     ruby bench/training.rb [PROGRAM]
#
# The extension compares two commits of a made control repository on all nodes and compiles its catalogs, runs the cases of
# `script/bench` and specs of functions, and makes instances of resources. The program, which runs no code in Ruby, compiles
# catalogs of bench/training/environment and evaluates code. Both check, format and document modules.

require "fileutils"
require "open3"
require "rbconfig"
require "stringio"
require "tmpdir"
require_relative "fleet/make"
require_relative "ruby/side"
require_relative "ruby/cases"
require_relative "ruby/function_specs"
require_relative "ruby/worker_process"

module Training
  NODES = 36
  RUBY = File.join(__dir__, "ruby")
  MODULES = FleetBench::Maker::MODULES
  ENVIRONMENT = File.join(__dir__, "training", "environment")
  INSTALLED = Vectors::PackagedModules::INSTALLED
  CATALOGS = %w[files mixed].freeze

  module_function

  # @param program [String, nil] the program to run, instead of the extension
  def run(program)
    @puppetfn = program ? [program] : FleetBench::PUPPETFN
    Dir.mktmpdir("puppetfn-training-") do |root|
      @root = root
      @fleet = File.join(root, "fleet")
      FleetBench::Maker.new(@fleet, NODES, output: StringIO.new).make
      modules
      program ? without_ruby : with_ruby
    end
  end

  def with_ruby
    require_relative "../lib/puppetfn"
    command("diff", "main", "change", "--repository", "#{@fleet}/repository", "--cache", "#{@root}/cache", *nodes, exit_codes: [2])
    command("compile", "--environment", "#{@fleet}/repository", "--out", "#{@root}/catalogs", *nodes)
    specs
    cases
    resources
  end

  def without_ruby
    command("compile", "--environment", ENVIRONMENT, "--out", "#{@root}/catalogs", *nodes)
    command("diff", "#{@root}/catalogs", "#{@root}/catalogs")
    Bench::Code::PROGRAMS.each_value { |code| command("eval", "#{Bench::Code::FIB} #{code}") }
  end

  # The options that name the nodes of the fleet.
  def nodes
    %W[--nodes #{@fleet}/facts --environment-name production]
  end

  def modules
    command("check", "--select", "all", INSTALLED, exit_codes: [1])
    command("fmt", "--check", INSTALLED, exit_codes: [1])
    MODULES.first(8).each { |name| command("doc", "--out", File::NULL, File.join(INSTALLED, name)) }
  end

  def specs
    functions = File.join(@root, "specs", "spec", "functions")
    FileUtils.mkdir_p(functions)
    FileUtils.mkdir_p(modules = File.join(@root, "specs", "spec", "fixtures", "modules"))
    FileUtils.ln_s(File.join(INSTALLED, "stdlib"), modules)
    File.write(File.join(@root, "specs", "metadata.json"), '{"name": "training-specs", "dependencies": []}')
    File.write(File.join(@root, "specs", "spec", "spec_helper.rb"), FunctionSpecs::HELPER)
    FunctionSpecs.new(INSTALLED, "stdlib").to_h.each { |file, code| File.write(File.join(functions, file), code) }
    command("test", chdir: File.join(@root, "specs"))
  end

  def cases
    worker = Bench::WorkerProcess.new("-I", File.expand_path("../lib", __dir__), File.join(RUBY, "worker.rb"), "puppetfn")
    Bench::Cases::ALL.each { |known| worker.ask(known.name) }
    worker.close
  end

  def resources
    worker = Bench::WorkerProcess.new(File.join(RUBY, "resource_worker.rb"), "puppetfn")
    CATALOGS.each { |name| worker.ask(name) }
    worker.close
  end

  # Runs the command, whose exit code says what it has found.
  def command(*arguments, exit_codes: [0], **options)
    output, status = Open3.capture2e(*@puppetfn, *arguments, **options)
    abort("puppetfn #{arguments.join(" ")} (#{status}):\n#{output}") unless exit_codes.include?(status.exitstatus)
  end
end

Training.run(ARGV.first) if $PROGRAM_NAME == __FILE__
