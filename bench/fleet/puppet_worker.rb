# frozen_string_literal: true

# Compiles catalogs of nodes with real Puppet, one after the other in a process that keeps its environment, as a server does.
#
#     ruby bench/fleet/puppet_worker.rb ENVIRONMENT FACTS OUT NODE...
#
# ENVIRONMENT is a directory of an environment called `production`, FACTS has NODE.json. Writes OUT/NODE.json, and prints how long each
# catalog took: processor seconds with its JSON, a line for each.

require "json"
require "tmpdir"
require_relative "real_puppet"

environment, facts, out, *nodes = ARGV
Dir.mktmpdir("puppetfn-bench-") do |directory|
  Dir.mkdir("#{directory}/environments")
  File.symlink(environment, "#{directory}/environments/production")
  FleetBench::RealPuppet.start(directory, "#{directory}/environments")
  nodes.each do |name|
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    node = FleetBench::RealPuppet.node(name, JSON.parse(File.read("#{facts}/#{name}.json")))
    catalog = Puppet.override(rich_data: true, current_environment: node.environment) do
      Puppet::Parser::Compiler.compile(node).filter(&:virtual?).to_data_hash
    end
    File.write("#{out}/#{name}.json", JSON.generate(catalog))
    puts Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
    $stdout.flush
  end
end
