# frozen_string_literal: true

# Compiles the catalogs of nodes with real Puppet, as its server does. Takes a directory with `environments`, and
# `nodes.json`: for each node its name, environment and facts, and what its classifier says. Prints a catalog or an error
# for each, and what was logged.

require "json"
require "puppet"

root = ARGV.fetch(0)
Puppet.initialize_settings(["--confdir", File.join(root, "conf"), "--vardir", File.join(root, "var"),
                            "--environmentpath", File.join(root, "environments"),
                            "--basemodulepath", File.join(root, "base")])
Puppet[:strict] = :error
Puppet[:strict_variables] = true
Puppet::Util::Log.close_all
Puppet::ApplicationSupport.push_application_context(Puppet::Util::RunMode[:user])

LOGGED = []

# Keeps what is logged, as the console shows it.
Puppet::Util::Log.newdesttype(:compile_spec) do
  match "compile_spec"

  def handle(message)
    source = message.source == "Puppet" ? "" : "#{message.source}: "
    LOGGED << [message.level, "#{source}#{message}"]
  end
end
Puppet::Util::Log.newdestination("compile_spec")

def catalog(data)
  name, enc = data.values_at("node", "enc")
  environment = Puppet.lookup(:environments).get!(data["environment"])
  facts = Puppet::Node::Facts.new(name, data["facts"])
  node = Puppet::Node.new(name, environment: environment, classes: enc["classes"] || [], parameters: enc["parameters"] || {})
  node.fact_merge(facts)
  node.environment = environment
  Puppet::Parser::Compiler.compile(node).filter(&:virtual?).to_data_hash
end

answers = JSON.parse(File.read(File.join(root, "nodes.json"))).map do |data|
  LOGGED.clear
  answer = {"catalog" => Puppet.override(rich_data: true) { catalog(data) }}
  answer.merge("log" => LOGGED.dup)
rescue Puppet::Error => e
  # The compiler logs its error, too.
  {"error" => e.message, "log" => LOGGED[0...-1]}
end
puts JSON.generate(answers)
