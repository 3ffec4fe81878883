# frozen_string_literal: true

# Compiles catalogs of nodes with real Puppet, one after the other in a process that keeps its environment, as a server does.
#
#     ruby bench/fleet/puppet_worker.rb ENVIRONMENT FACTS OUT NODE...
#
# ENVIRONMENT is a directory of an environment called `production`, FACTS has NODE.json. Writes OUT/NODE.json, and prints how long each
# catalog took: processor seconds with its JSON, a line for each.

require "json"
require "puppet"
require "tmpdir"

environment, facts, out, *nodes = ARGV
Dir.mktmpdir("puppetfn-bench-") do |directory|
  Dir.mkdir("#{directory}/environments")
  File.symlink(environment, "#{directory}/environments/production")
  Puppet.initialize_settings(["--confdir", "#{directory}/conf", "--vardir", "#{directory}/var", "--environment_timeout", "unlimited",
                              "--environmentpath", "#{directory}/environments", "--strict", "error", "--strict_variables", "true"])
  Puppet::Util::Log.close_all
  Puppet::ApplicationSupport.push_application_context(Puppet::Util::RunMode[:user])
  nodes.each do |name|
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    production = Puppet.lookup(:environments).get!("production")
    said = JSON.parse(File.read("#{facts}/#{name}.json"))
    node = Puppet::Node.new(name, environment: production, facts: Puppet::Node::Facts.new(name, said))
    node.merge(said)
    node.trusted_data = {"authenticated" => "local", "certname" => name, "domain" => name[/\.(.+)/, 1], "hostname" => name[/\A[^.]+/], "extensions" => {}}
    catalog = Puppet.override(rich_data: true, current_environment: production) do
      Puppet::Parser::Compiler.compile(node).filter(&:virtual?).to_data_hash
    end
    File.write("#{out}/#{name}.json", JSON.generate(catalog))
    puts Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
    $stdout.flush
  end
end
