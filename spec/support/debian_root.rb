# frozen_string_literal: true

require "fileutils"
require "open3"
require "socket"

# A directory with a Debian release and packages of a server, whose processes run in it with chroot. It needs the rights of root.
class DebianRoot
  # The seconds that a server has to start.
  START_TIME = 600
  # The seconds that a process has to end before it is killed.
  STOP_TIME = 30
  private_constant :START_TIME, :STOP_TIME

  # @return [String]
  attr_reader :directory

  # @return [String] the name of Debian's release
  attr_reader :suite

  # @param directory [String]
  # @param suite [String] the release of a root that is missing
  def initialize(directory, suite: "bookworm")
    @directory = File.expand_path(directory)
    @suite = suite
    @suite = File.read(within("etc/os-release"))[/^VERSION_CODENAME=(\w+)/, 1] if File.exist?(within("etc/os-release"))
  end

  # @param path [String] below the root
  # @return [String]
  def within(path) = File.join(@directory, path)

  # Installs packages; debootstrap makes the root if it is missing.
  #
  # @param packages [Array<String>]
  # @param file [String] a file of the packages, below the root
  # @return [void]
  def install(packages, file)
    return mount_proc if File.exist?(within(file))

    sh("debootstrap", "--variant=minbase", @suite, @directory, "http://deb.debian.org/debian") unless File.directory?(within("etc"))
    File.write(within("usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", perm: 0o755)
    mount_proc
    sh({"DEBIAN_FRONTEND" => "noninteractive"}, "chroot", @directory, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
    inside("apt-get", "clean")
  end

  # Yields with the root locked: another run in it would remove the data of this one.
  #
  # @return [Object] the block's result
  # @raise [RuntimeError] if another process has the lock
  def lock
    File.open(within("srv/lock"), File::CREAT) do |file|
      raise "#{@directory} is in use" unless file.flock(File::LOCK_EX | File::LOCK_NB)

      yield
    end
  end

  # Starts a process in the root.
  #
  # @param log [String] the file for its output
  # @return [Integer] its ID
  def start(*command, log:, user: "root")
    Process.spawn("chroot", "--userspec=#{user}", @directory, *command, in: File::NULL, out: [log, "a"], err: %i[child out], pgroup: true)
  end

  # Ends a process.
  #
  # @param pid [Integer]
  # @param signal [Symbol]
  # @return [void]
  def stop(pid, signal = :TERM)
    Process.kill(signal, pid)
    (STOP_TIME * 10).times { Process.wait(pid, Process::WNOHANG) ? return : sleep(0.1) }
    Process.kill(:KILL, pid)
    Process.wait(pid)
  rescue Errno::ESRCH, Errno::ECHILD
    nil
  end

  # Repeats a block until it raises no error.
  #
  # @param name [String] of the server that starts
  # @param pids [Array<Integer>] its processes
  # @return [Object] the block's result
  # @raise [RuntimeError] if a process ends, or the time is over
  def wait(name, pids)
    deadline = now + START_TIME
    begin
      yield
    rescue StandardError => e
      raise "#{name} does not start: #{e.message}" if pids.any? { |pid| Process.wait(pid, Process::WNOHANG) } || now > deadline

      sleep(0.5)
      retry
    end
  end

  # Runs a command in the root.
  #
  # @return [String] its output
  # @raise [RuntimeError] if it fails
  def inside(*command, user: "root") = sh("chroot", "--userspec=#{user}", @directory, *command)

  # Runs a command.
  #
  # @param options [Hash{Symbol=>Object}] of `Process.spawn`
  # @return [String] its output
  # @raise [RuntimeError] if it fails
  def sh(*command, **options)
    output, status = Open3.capture2e(*command, **options)
    raise "#{command.grep(String).join(" ")}: #{output}" unless status.success?

    output
  end

  # @return [Integer] a free port of the loopback
  def free_port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }

  private

  # Java looks there for its memory and processors.
  def mount_proc
    sh("mount", "-t", "proc", "proc", within("proc")) unless File.exist?(within("proc/self"))
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end
