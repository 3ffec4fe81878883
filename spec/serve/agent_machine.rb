# frozen_string_literal: true

require "digest"
require "fileutils"
require "open3"
require "yaml"

module AgentVerifier
  # A machine with a real Puppet agent: a copy of a Debian root that is its own for files and processes, with the network of this machine.
  # The agent's code can change neither the kernel's settings nor files outside of the copy.
  class AgentMachine
    CAPABILITIES = %w[chown dac_override dac_read_search fowner fsetid kill setgid setuid sys_chroot].freeze
    # Mounts the copy where only the agent's processes see it, and runs a command in it.
    SCRIPT = <<~'SH'
      mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/changes,workdir=$2/work" "$2/root" && mount -t proc -o ro proc "$2/root/proc" &&
        mount -t sysfs -o ro sysfs "$2/root/sys" || exit 99
      root=$2/root capabilities=$3
      shift 3
      exec setpriv --inh-caps=-all --bounding-set="$capabilities" timeout 600 chroot "$root" "$@"
    SH
    ENVIRONMENT = {"PATH" => "/usr/sbin:/usr/bin:/sbin:/bin", "HOME" => "/root", "LANG" => "C.UTF-8"}.freeze
    # The directories of the agent, as somebody may have run one in the root.
    DIRECTORY = "srv/puppet"
    SETTINGS = %w[confdir vardir ssldir rundir logdir publicdir].freeze
    private_constant :CAPABILITIES, :SCRIPT, :ENVIRONMENT, :DIRECTORY, :SETTINGS

    # The output and exit code of an agent.
    AgentRun = Struct.new(:output, :status)

    # @return [String] the name of the agent's certificate
    attr_reader :name

    # @param root [DebianRoot]
    # @param directory [String] for the machine's files
    # @param name [String]
    # @param facts [Hash{String=>String}] facts besides the real ones
    def initialize(root, directory, name, facts = {})
      @root, @directory, @name = root, directory, name
      @environment = ENVIRONMENT.merge(facts.transform_keys { |fact| "FACTER_#{fact}" })
      %w[changes work root].each { |folder| FileUtils.mkdir_p("#{directory}/#{folder}") }
      # Nothing can be installed or found in the network.
      {"etc/apt/sources.list" => "", "etc/resolv.conf" => "", "etc/hosts" => "127.0.0.1 localhost\n127.0.1.1 #{name}\n"}.each { |path, text| write(path, text) }
      FileUtils.mkdir_p(file("#{DIRECTORY}/confdir"))
    end

    # Runs an agent once.
    #
    # @param port [Integer] of the server on this machine
    # @param arguments [Array<String>]
    # @return [AgentRun]
    def agent(port, *arguments)
      # Debian's modules read them, and agents of Puppet 8 send none unless they are told to.
      facts = @root.suite == "bookworm" ? [] : ["--include_legacy_facts"]
      puppet("agent", "--test", "--color=false", "--server", "localhost", "--serverport", port.to_s, "--waitforcert", "0", *facts, *arguments)
    end

    # Runs a command of Puppet.
    #
    # @return [AgentRun]
    def puppet(command, *arguments)
      capabilities = ["-all", *CAPABILITIES.map { |name| "+#{name}" }].join(",")
      settings = SETTINGS.flat_map { |setting| ["--#{setting}", "/#{DIRECTORY}/#{setting}"] }
      output, status = Open3.capture2e(@environment, "unshare", "--mount", "--pid", "--fork", "--kill-child=KILL", "sh", "-c", SCRIPT, "sh",
        @root.directory, @directory, capabilities, "puppet", command, "--certname", @name, *settings, *arguments, unsetenv_others: true)
      raise "the machine of #{@name}: #{output}" if status.exitstatus == 99

      AgentRun.new(output.force_encoding("UTF-8").scrub, status.exitstatus)
    end

    # Writes a file of the machine.
    #
    # @param path [String]
    # @param text [String]
    # @return [void]
    def write(path, text)
      FileUtils.mkdir_p(File.dirname(file(path)))
      File.write(file(path), text)
    end

    # @param path [String]
    # @return [String] where the machine's file is, if the machine has written it
    def file(path) = "#{@directory}/changes/#{path}"

    # @param kind [String] `certs` or `private_keys`
    # @return [String] the path of a file of the agent's certificate
    def ssl(kind) = "#{DIRECTORY}/ssldir/#{kind}/#{@name}.pem"

    # @return [String] the path of the agent's list of revoked certificates
    def revocations = "#{DIRECTORY}/ssldir/crl.pem"

    # @return [String, nil] the YAML of the last report, nil if there is none
    def report
      path = file("#{DIRECTORY}/vardir/state/last_run_report.yaml")
      File.read(path) if File.exist?(path)
    end

    # @return [Hash{String=>String}] the modes and digests of all files that agents get from modules, by path
    def plugins = digests("#{DIRECTORY}/vardir/lib", "#{DIRECTORY}/vardir/facts.d")

    # @return [Hash{String=>String}] the modes and digests of all files that the machine has written, besides the agent's own and caches of apt
    def files = digests("").reject { |path, _| path.start_with?(DIRECTORY, "var/cache/apt/") }

    # Removes the machine's files.
    #
    # @return [void]
    def remove = FileUtils.rm_rf(@directory)

    private

    def digests(*directories)
      directories.flat_map { |directory| Dir.glob("#{file(directory)}/**/*", File::FNM_DOTMATCH) }.sort.to_h do |path|
        stat = File.lstat(path)
        content = stat.symlink? ? File.readlink(path) : (Digest::SHA256.file(path).hexdigest if stat.file?)
        [path.delete_prefix(file("")).delete_prefix("/"), [stat.mode.to_s(8), content].compact.join(" ")]
      end
    end
  end
end
