# frozen_string_literal: true

# Makes a control repository and the facts of its nodes, of the size that companies have.
#
#     ruby bench/fleet/make.rb DIRECTORY [NODES]
#
# DIRECTORY/repository is a Git repository with the branches `main` and `change`: twelve roles, their profiles and two modules, which are
# code of this benchmark, and modules of Debian's packages `puppet-module-*`. DIRECTORY/facts has a file for each of the 5,000 nodes
# unless told otherwise: the facts of vectors/ruby/systems.rb with names, addresses and sizes of their own. With the same versions of the
# packages, the result is always the same.

require "fileutils"
require "json"
require "open3"
require "random/formatter"
require "rbconfig"
require "yaml"
require_relative "../../vectors/ruby/modules"
require_relative "../../vectors/ruby/systems"
require_relative "data"

module FleetBench
  # The command.
  PUPPETFN = [RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), File.expand_path("../../exe/puppetfn", __dir__)].freeze

  # Writes everything.
  class Maker
    HERE = __dir__
    MODULES = %w[
      alternatives apt archive augeas_core concat cron_core firewall haproxy host_core inifile kmod mailalias mount_core mysql ntp
      postgresql rabbitmq selinux_core sshkeys_core stdlib systemd translate vcsrepo
    ].freeze
    SYSTEMS = %w[debian-12 debian-11 ubuntu-22.04 redhat-8 rocky-9].freeze
    AUTHOR = {"GIT_AUTHOR_NAME" => "Fleet", "GIT_AUTHOR_EMAIL" => "fleet@example.com", "GIT_AUTHOR_DATE" => "2026-01-01T00:00:00Z"}.freeze
    COMMITTER = AUTHOR.transform_keys { |key| key.sub("AUTHOR", "COMMITTER") }.freeze

    NODES = 5_000

    # @param output [IO] the commits are printed there
    def initialize(directory, nodes = NODES, output: $stdout)
      @output = output
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
      MODULES.each { |name| copy_module(name, File.join(modules, name)) }
      Data.files.each do |name, data|
        FileUtils.mkdir_p(File.dirname(path = File.join(@repository, "data", name)))
        File.write(path, YAML.dump(data))
      end
      git("init", "--quiet", "--initial-branch", "main")
    end

    def copy_module(name, copy)
      installed = File.join(Vectors::PackagedModules::INSTALLED, name)
      abort("#{installed} is missing; script/setup installs Debian's modules") unless File.directory?(installed)
      FileUtils.cp_r(File.realpath(installed), copy)
    end

    def commit(branch, message)
      git("add", "--all", "--force")
      git("commit", "--quiet", "--message", message)
      @output.puts "#{branch}: #{git("rev-parse", "--short", "HEAD").chomp}"
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
      FileUtils.mkdir_p(directory = File.join(@directory, "facts"))
      width = @nodes.to_s.size
      @nodes.times do |number|
        role = Data::ROLES[number % Data::ROLES.size]
        datacenter = Data::DATACENTERS[number / Data::ROLES.size % Data::DATACENTERS.size]
        host = format("%s%0#{width}d", role, number)
        facts = facts_of(host, "#{datacenter}.example.com", Random.new(number))
        facts.update("role" => role, "datacenter" => datacenter)
        File.write(File.join(directory, "#{host}.#{datacenter}.example.com.json"), JSON.pretty_generate(facts))
      end
    end

    # Facts of a machine whose system, address and size are drawn.
    def facts_of(host, domain, random)
      facts = Vectors::Systems.facts(
        SYSTEMS[random.rand(SYSTEMS.size)], host: host, domain: domain,
        address: "10.#{random.rand(256)}.#{random.rand(256)}.#{1 + random.rand(254)}", processors: 2**random.rand(6), gibibytes: 2**(1 + random.rand(7))
      )
      facts["uuid"] = facts["dmi"]["product"]["uuid"] = random.uuid
      facts.merge("puppetversion" => "7.23.0", "clientversion" => "7.23.0", "root_home" => "/root")
    end
  end
end

if $PROGRAM_NAME == __FILE__
  directory, nodes = ARGV
  abort("usage: ruby #{$PROGRAM_NAME} DIRECTORY [NODES]") unless directory
  FleetBench::Maker.new(File.expand_path(directory), Integer(nodes || FleetBench::Maker::NODES)).make
end
