# frozen_string_literal: true

# Runs what users wait for, so that a profile of it tells the compiler which code matters: `rake gem:native` runs this with an
# instrumented extension.
#
#     ruby bench/training.rb
#
# It compares two commits of a made control repository on all nodes and compiles its catalogs, runs the cases of `script/bench`
# and specs of functions, makes instances of resources, and checks, formats and documents modules.

require "fileutils"
require "open3"
require "rbconfig"
require "stringio"
require "tmpdir"
require_relative "../lib/puppetfn"
require_relative "fleet/make"
require_relative "ruby/side"
require_relative "ruby/cases"
require_relative "ruby/function_specs"
require_relative "ruby/worker_process"

module Training
  NODES = 36
  RUBY = File.join(__dir__, "ruby")
  MODULES = FleetBench::Maker::MODULES
  INSTALLED = Vectors::PackagedModules::INSTALLED
  CATALOGS = %w[files mixed].freeze

  module_function

  def run
    Dir.mktmpdir("puppetfn-training-") do |root|
      fleet(root)
      modules
      specs(root)
    end
    cases
    resources
  end

  def fleet(root)
    directory = File.join(root, "fleet")
    FleetBench::Maker.new(directory, NODES, output: StringIO.new).make
    options = %W[--nodes #{directory}/facts --environment-name production]
    command("diff", "main", "change", "--repository", "#{directory}/repository", "--cache", "#{root}/cache", *options,
      exit_codes: [2])
    command("compile", "--environment", "#{directory}/repository", "--out", "#{root}/catalogs", *options)
  end

  def modules
    command("check", "--select", "all", INSTALLED, exit_codes: [1])
    command("fmt", "--check", INSTALLED, exit_codes: [1])
    MODULES.first(8).each { |name| command("doc", "--out", File::NULL, File.join(INSTALLED, name)) }
  end

  def specs(root)
    functions = File.join(root, "specs", "spec", "functions")
    FileUtils.mkdir_p(functions)
    FileUtils.mkdir_p(modules = File.join(root, "specs", "spec", "fixtures", "modules"))
    FileUtils.ln_s(File.join(INSTALLED, "stdlib"), modules)
    File.write(File.join(root, "specs", "metadata.json"), '{"name": "training-specs", "dependencies": []}')
    File.write(File.join(root, "specs", "spec", "spec_helper.rb"), FunctionSpecs::HELPER)
    FunctionSpecs.new(INSTALLED, "stdlib").to_h.each { |file, code| File.write(File.join(functions, file), code) }
    command("test", chdir: File.join(root, "specs"))
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
    output, status = Open3.capture2e(*FleetBench::PUPPETFN, *arguments, **options)
    abort("puppetfn #{arguments.join(" ")} (#{status}):\n#{output}") unless exit_codes.include?(status.exitstatus)
  end
end

Training.run if $PROGRAM_NAME == __FILE__
