# frozen_string_literal: true

# Compiles catalogs of real classes of Debian's modules with real Puppet, and prints each as JSON. With an argument it
# repeats that and prints the seconds of processor time that one round takes.

require "json"
require "puppet"
require "tmpdir"
require_relative "../settings"

FACTS = {
  "kernel" => "Linux", "kernelversion" => "6.1.0", "kernelmajversion" => "6.1", "osfamily" => "Debian", "operatingsystem" => "Debian",
  "operatingsystemrelease" => "12.5", "operatingsystemmajrelease" => "12", "lsbdistid" => "Debian", "lsbdistcodename" => "bookworm",
  "architecture" => "amd64", "hostname" => "node", "domain" => "example.com", "fqdn" => "node.example.com", "ipaddress" => "192.0.2.1",
  "path" => "/usr/sbin:/usr/bin:/sbin:/bin", "id" => "root", "processorcount" => 2, "memorysize_mb" => 4096.0, "is_virtual" => false,
  "virtual" => "physical", "systemd" => true, "service_provider" => "systemd", "puppetversion" => Puppet.version, "clientversion" => Puppet.version,
  "clientnoop" => false, "selinux" => false, "memorysize" => "4.00 GiB", "augeasversion" => "1.14.0",
  "os" => {"name" => "Debian", "family" => "Debian", "architecture" => "amd64", "release" => {"full" => "12.5", "major" => "12", "minor" => "5"},
           "distro" => {"id" => "Debian", "codename" => "bookworm", "release" => {"full" => "12.5", "major" => "12", "minor" => "5"}},
           "selinux" => {"enabled" => false}},
  "networking" => {"hostname" => "node", "domain" => "example.com", "fqdn" => "node.example.com", "ip" => "192.0.2.1",
                   "interfaces" => {"eth0" => {"ip" => "192.0.2.1"}}},
  "processors" => {"count" => 2}, "memory" => {"system" => {"total_bytes" => 4_294_967_296, "total" => "4 GiB"}},
  "root_home" => "/root", "concat_basedir" => "/var/lib/puppet/concat", "puppet_vardir" => "/var/lib/puppet",
  "mysql_version" => "8.0.30", "mysql_server_id" => 1, "identity" => {"user" => "root", "privileged" => true}
}.freeze

MANIFESTS = {
  "apache with 50 vhosts" => <<~PUPPET,
    class { 'apache': default_vhost => false }
    range(1, 50).each |Integer $i| {
      apache::vhost { "site${i}.example.com":
        port    => 80,
        docroot => "/var/www/site${i}",
        aliases => [{ alias => '/icons', path => '/usr/share/icons' }],
      }
    }
  PUPPET
  "postgresql::server" => "class { 'postgresql::globals': version => '15' } ->\nclass { 'postgresql::server': }\npostgresql::server::db { 'a': user => 'u', password => 'p' }",
  "mysql::server" => "class { 'mysql::server': root_password => 'x' }\nmysql::db { 'd': user => 'u', password => 'p' }",
  "apt" => "class { 'apt': }\napt::source { 'x': location => 'http://example.com/debian', repos => 'main' }",
  "concat" => "concat { '/tmp/file': }\n['a', 'b'].each |$n| { concat::fragment { $n: target => '/tmp/file', content => $n } }",
  "ssh" => "class { 'ssh': }",
  "rabbitmq" => "class { 'rabbitmq': }",
  "ntp" => "class { 'ntp': servers => ['0.debian.pool.ntp.org'] }",
  "chrony" => "class { 'chrony': }",
  "haproxy" => "class { 'haproxy': }\nhaproxy::listen { 'web': ipaddress => '192.0.2.1', ports => '80' }",
  "memcached" => "class { 'memcached': }",
  "redis" => "class { 'redis': }"
}.freeze

def compile(manifest)
  Puppet[:code] = manifest
  environment = Puppet::Node::Environment.create(:production, Differential::MODULEPATH)
  facts = Puppet::Node::Facts.new("node.example.com", FACTS.dup)
  node = Puppet::Node.new("node.example.com", environment: environment, facts: facts)
  node.merge(facts.values)
  Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
    data = Puppet::Parser::Compiler.compile(node).to_data_hash
    # In what order a resource has its keys means nothing.
    JSON.generate(data.merge("resources" => data["resources"].map { |resource| resource.sort.to_h }))
  end
rescue Puppet::Error, ArgumentError => e
  "#{e.class}: #{e.message}"
end

Dir.mktmpdir do |dir|
  Puppet.initialize_settings(["--vardir", "#{dir}/var", "--confdir", "#{dir}/conf"])
  Puppet[:disable_warnings] = ["deprecations"]
  Puppet::Util::Log.close_all
  if ARGV.empty?
    MANIFESTS.each { |name, manifest| puts "#{name}: #{compile(manifest).gsub(/"version":\d+|"catalog_uuid":"[^"]+"/, "")}" }
  else
    round = lambda do
      start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      MANIFESTS.each_value { |manifest| compile(manifest) }
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
    end
    puts Array.new(Integer(ARGV.first)) { round.call }.min
  end
end
