# frozen_string_literal: true

# A Puppet server without its network: `ruby puppet_side.rb DIRECTORY LIBRARY` reads commands in JSON, one a line, and answers each with a
# line. DIRECTORY has `conf`, `environments` and `enc`, LIBRARY the terminus.

require "json"

root, library = ARGV
$LOAD_PATH.unshift(library)
require "puppet"
require "puppet/file_serving/content"
require "puppet/file_serving/metadata"

Puppet.initialize_settings([
  "--confdir", File.join(root, "conf"), "--vardir", File.join(root, "var"), "--environmentpath", File.join(root, "environments"),
  "--node_terminus", "exec", "--external_nodes", File.join(root, "enc", "classify"), "--facts_terminus", "memory", "--certname", "server.example.com"
])
Puppet.settings.preferred_run_mode = :server
Puppet[:strict] = :warning
Puppet[:log_level] = "debug"
Puppet::Util::Log.close_all
Puppet::ApplicationSupport.push_application_context(Puppet::Util::RunMode[:server])

# Puppetserver sets these, too.
[Puppet::FileServing::Content, Puppet::FileServing::Metadata].each { |model| model.indirection.terminus_class = :file_server }

LOGGED = []

# Collects log messages.
Puppet::Util::Log.newdesttype(:terminus_spec) do
  match "terminus_spec"

  def handle(message)
    LOGGED << [message.level, message.to_s, message.source, message.file, message.line]
  end
end
Puppet::Util::Log.newdestination("terminus_spec")

# The commands.
class Side
  def initialize
    @termini = {}
  end

  def run(command)
    LOGGED.clear
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    answer = send(command.delete("do"), **command.transform_keys(&:to_sym))
    {"answer" => answer, "log" => LOGGED.dup, "seconds" => Process.clock_gettime(Process::CLOCK_MONOTONIC) - start}
  rescue StandardError => e
    {"error" => "#{e.class}: #{e.message}", "log" => LOGGED.dup, "seconds" => Process.clock_gettime(Process::CLOCK_MONOTONIC) - start}
  end

  private

  # Writes another `puppetfn.conf`, and loads its terminus.
  def configure(text:)
    File.write(File.join(Puppet[:confdir], "puppetfn.conf"), text)
    @termini.clear
    terminus("puppetfn").class.name
  end

  # Compiles a catalog for an agent's request. Returns the catalogs for PuppetDB's terminus and for the agent.
  def find(terminus: "puppetfn", node: "web1", environment: "production", facts: {}, settings: {}, **options)
    settings.each { |name, value| Puppet[name.to_sym] = value }
    environment = Puppet.lookup(:environments).get!(environment)
    options = options.merge(facts: Puppet::Node::Facts.new(node, facts), facts_format: "application/json", environment: environment)
    request = Puppet::Indirector::Request.new(:catalog, :find, node, nil, options)
    Puppet.override(current_environment: environment, rich_data: true) do
      catalog = terminus(terminus).find(request)
      filtered = terminus(terminus).filter(catalog)
      {"catalog" => data(catalog), "filtered" => data(filtered), "resources" => catalog.resources.map { |one| describe(one) },
       "stringified" => Puppet.override(stringify_rich: true) { data(catalog) },
       "metadata" => catalog.metadata.transform_values { |one| one.content_uri }}
    end
  ensure
    settings.each_key { |name| Puppet.settings[name.to_sym] = nil }
  end

  def terminus(name)
    @termini[name] ||= Puppet::Indirector::Terminus.terminus_class(:catalog, name).new
  end

  def data(catalog)
    hash = catalog.to_data_hash
    catalog.resources.zip(hash["resources"]) { |resource, one| one["virtual"] = true if resource.virtual }
    hash
  end

  # The attributes that PuppetDB's terminus and filters read of a resource.
  def describe(resource)
    values = resource.to_hash.sort_by { |name, _| name.to_s }.map { |name, value| [name.inspect, value.class.name, value.inspect] }
    [resource.ref.inspect, resource.title.inspect, resource.resource_type.class.name, resource.resource_type.name.to_s, resource.key_attributes,
     resource.builtin_type?, resource.exported?, resource.virtual?, resource.sensitive_parameters, resource.environment.name, resource.uniqueness_key.inspect, values]
  end
end

side = Side.new
$stdin.each_line do |line|
  puts JSON.generate(side.run(JSON.parse(line, max_nesting: 0)))
  $stdout.flush
end
