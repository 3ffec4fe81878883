# frozen_string_literal: true

# Makes a control repository and the facts of its nodes, of the size that companies have.
#
#     ruby bench/fleet/make.rb DIRECTORY [NODES]
#
# DIRECTORY/repository is a Git repository with the branches `main` and `change`: twelve roles, profiles, and modules of which
# catalogs are recorded (spec/vectors/catalogs). DIRECTORY/facts has a file for each of the 5,000 nodes unless told otherwise,
# whose facts are those of facterdb (Debian's package of that name) with names, addresses and sizes of their own. What is made
# is always the same.

require "fileutils"
require "json"
require "open3"
require "random/formatter"
require "rbconfig"
require "yaml"
require_relative "data"

module FleetBench
  # The command.
  PUPPETFN = [RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), File.expand_path("../../exe/puppetfn", __dir__)].freeze

  # Writes everything.
  class Maker
    HERE = __dir__
    MODULES_ARCHIVE = File.expand_path("../../spec/vectors/catalogs/modules.tar.gz", HERE)
    MODULES = %w[
      apache apt archive augeas_core augeasproviders_core augeasproviders_sysctl concat cron_core docker firewall grafana haproxy
      inifile java logrotate mysql nginx ntp php postgresql redis stdlib sudo systemd vcsrepo yumrepo_core
    ].freeze
    # Files of a module that no catalog needs.
    UNUSED = %w[spec examples provision.yaml Rakefile Gemfile REFERENCE.md CHANGELOG.md HISTORY.md README.md].freeze
    FACTS = %w[debian-11-x86_64 ubuntu-20.04-x86_64 redhat-8-x86_64 almalinux-8-x86_64 rocky-8-x86_64 redhat-9-x86_64].freeze
    FACTS_VERSION = "4.2"
    AUTHOR = {"GIT_AUTHOR_NAME" => "Fleet", "GIT_AUTHOR_EMAIL" => "fleet@example.com", "GIT_AUTHOR_DATE" => "2026-01-01T00:00:00Z"}.freeze
    COMMITTER = AUTHOR.transform_keys { |key| key.sub("AUTHOR", "COMMITTER") }.freeze

    NODES = 5_000

    def initialize(directory, nodes = NODES)
      @directory = directory
      @repository = File.join(directory, "repository")
      @nodes = nodes
    end

    def make
      abort("#{@directory} is there already") if File.exist?(@directory)
      write_repository
      commit("main", "Describe all machines")
      git("switch", "--quiet", "--create", "change")
      git("apply", File.join(HERE, "change.patch"))
      commit("change", "Cache longer, and connect more")
      git("switch", "--quiet", "main")
      write_facts
    end

    private

    def write_repository
      FileUtils.mkdir_p(modules = File.join(@repository, "modules"))
      FileUtils.cp_r("#{HERE}/repository/.", @repository)
      run("tar", "--extract", "--file", MODULES_ARCHIVE, "--directory", modules, *MODULES.map { |name| "./#{name}" })
      FileUtils.rm_rf(MODULES.product(UNUSED).map { |parts| File.join(modules, *parts) })
      Data.files.each do |name, data|
        FileUtils.mkdir_p(File.dirname(path = File.join(@repository, "data", name)))
        File.write(path, YAML.dump(data))
      end
      git("init", "--quiet", "--initial-branch", "main")
    end

    def commit(branch, message)
      git("add", "--all", "--force")
      git("commit", "--quiet", "--message", message)
      puts "#{branch}: #{git("rev-parse", "--short", "HEAD").chomp}"
    end

    def git(*arguments)
      run(AUTHOR.merge(COMMITTER), "git", "-C", @repository, *arguments)
    end

    def run(*command)
      output, status = Open3.capture2e(*command)
      abort("#{command.grep(String).join(" ")}: #{output}") unless status.success?
      output
    end

    def write_facts
      require "facterdb"
      FileUtils.mkdir_p(directory = File.join(@directory, "facts"))
      systems = FACTS.map { |name| JSON.parse(File.read(facts_file(name))) }
      width = @nodes.to_s.size
      @nodes.times do |number|
        role = Data::ROLES[number % Data::ROLES.size]
        datacenter = Data::DATACENTERS[number / Data::ROLES.size % Data::DATACENTERS.size]
        host = format("%s%0#{width}d", role, number)
        random = Random.new(number)
        facts = facts_of(systems[random.rand(systems.size)], host, "#{datacenter}.example.com", random)
        facts.update("role" => role, "datacenter" => datacenter)
        File.write(File.join(directory, "#{host}.#{datacenter}.example.com.json"), JSON.pretty_generate(facts))
      end
    end

    def facts_file(name)
      FacterDB.default_fact_files.find { |path| path.end_with?("/#{FACTS_VERSION}/#{name}.facts") } || abort("facterdb has no #{name}")
    end

    # Facts of a system as a machine of it has them that is called otherwise, elsewhere, and larger or smaller.
    def facts_of(system, host, domain, random)
      facts = Marshal.load(Marshal.dump(system))
      address = "10.#{random.rand(256)}.#{random.rand(256)}.#{1 + random.rand(254)}"
      names = {"hostname" => host, "domain" => domain, "fqdn" => "#{host}.#{domain}"}
      facts["networking"].update(names, "ip" => address)
      facts["networking"]["interfaces"]&.each_value { |interface| interface["ip"] = address if interface["ip"] }
      facts.update(names.slice(*facts.keys), "clientcert" => names["fqdn"])
      facts["ipaddress"] = address if facts.key?("ipaddress")
      facts["processors"]["count"] = 2**random.rand(6)
      bytes = 2**(31 + random.rand(7))
      facts["memory"]["system"].update("total_bytes" => bytes, "total" => format("%.2f GiB", bytes / (1024.0**3)))
      facts["uuid"] = facts.dig("dmi", "product")&.store("uuid", random.uuid)
      facts["puppetversion"] = "7.23.0"
      facts.compact
    end
  end
end

if $PROGRAM_NAME == __FILE__
  directory, nodes = ARGV
  abort("usage: ruby #{$PROGRAM_NAME} DIRECTORY [NODES]") unless directory
  FleetBench::Maker.new(File.expand_path(directory), Integer(nodes || FleetBench::Maker::NODES)).make
end
