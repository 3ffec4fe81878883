# frozen_string_literal: true

# Compiles the nodes of repositories with Puppet, which stores and collects exported resources through PuppetDB's termini:
# `ruby puppet_side.rb SETTINGS` reads the directory of a repository and its nodes from each line of its input, in JSON, and answers with
# their catalogs or errors.

require "json"
require "net/http"
require "tmpdir"

settings = JSON.parse(ARGV.fetch(0))
$LOAD_PATH.unshift(settings.fetch("termini"))
require "puppet"
require "puppet/util/puppetdb"

# One repository.
class Side
  ROUNDS = 8
  private_constant :ROUNDS

  def initialize(directory, nodes, settings)
    @directory, @nodes, @settings = directory, nodes, settings
  end

  # Returns the catalogs by node once the exports have settled; `{"unsettled" => true}` if they never settle.
  def run
    last = nil
    ROUNDS.times do
      results = @nodes.to_h { |node| [node, compile(node)] }
      exported = exports
      return results if exported == last

      last = exported
    end
    {"unsettled" => true}
  end

  private

  def compile(name)
    environment = Puppet::Node::Environment.create(:production, ["#{@directory}/modules"], "#{@directory}/manifests")
    node = Puppet::Node.new(name, environment: environment)
    facts = Puppet::Node::Facts.new(name, JSON.parse(File.read("#{@directory}/facts/#{name}.json")))
    node.fact_merge(facts)
    node.trusted_data = {"authenticated" => "local", "certname" => name}
    catalog = Puppet.override(current_environment: environment) { Puppet::Parser::Compiler.compile(node) }
    agents = Puppet.override(rich_data: true) { catalog.filter(&:virtual?).to_data_hash }
    store(name, facts, catalog.to_resource, environment)
    {"catalog" => agents}
  rescue Puppet::Error => e
    deactivate(name)
    {"error" => e.message}
  end

  def store(name, facts, catalog, environment)
    before = stored(name)
    Puppet::Node::Facts.indirection.save(facts, name, environment: environment)
    Puppet::Resource::Catalog.indirection.save(catalog, name, environment: environment, transaction_uuid: nil)
    wait { stored(name) != before }
  end

  def deactivate(name)
    return unless stored(name)

    now = Time.now.utc
    payload = {"certname" => name, "producer_timestamp" => Puppet::Util::Puppetdb.to_wire_time(now)}
    Puppet::Util::Puppetdb::Command.new("deactivate node", 3, name, now, payload).submit
    wait { stored(name).nil? }
  end

  def stored(name)
    query("nodes[catalog_timestamp] { certname = '#{name}' }").first&.fetch("catalog_timestamp")
  end

  def exports
    query("resources[certname, type, title, parameters, tags] { exported = true order by certname, type, title }")
  end

  def query(query)
    answer = Net::HTTP.post(URI("#{@settings.fetch("plain_url")}/pdb/query/v4"), JSON.generate(query: query), "Content-Type" => "application/json")
    raise answer.body unless answer.is_a?(Net::HTTPSuccess)

    JSON.parse(answer.body)
  end

  def wait
    600.times do
      return if yield

      sleep(0.05)
    end
    raise "PuppetDB does not store a command"
  end
end

Dir.mktmpdir do |directory|
  Dir.mkdir("#{directory}/conf")
  File.write("#{directory}/conf/puppetdb.conf", "[main]\nserver_urls = #{settings.fetch("url")}\n")
  Puppet.initialize_settings(["--confdir", "#{directory}/conf", "--vardir", "#{directory}/var"])
  settings.fetch("puppet").each { |name, value| Puppet[name.to_sym] = value }
  Puppet::Util::Log.close_all
  Puppet::ApplicationSupport.push_application_context(Puppet::Util::RunMode[:user])
  Puppet::Resource.indirection.terminus_class = :puppetdb
  Puppet::Resource::Catalog.indirection.terminus_class = :puppetdb
  Puppet::Node::Facts.indirection.terminus_class = :puppetdb
  $stdin.each_line do |line|
    repository, nodes = JSON.parse(line)
    puts JSON.generate(Side.new(repository, nodes, settings).run)
    $stdout.flush
  rescue StandardError => e
    puts JSON.generate("failure" => "#{e.class}: #{e.message} #{e.backtrace.first(3).join(" ")}")
    $stdout.flush
  end
end
