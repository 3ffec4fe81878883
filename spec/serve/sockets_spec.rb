# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require_relative "../support/compile_service"
require_relative "../support/module_tree"

RSpec.describe "The sockets of `puppetfn serve`" do
  include ModuleTree

  around { |example| with_modules("production/manifests/site.pp" => "notice('fine')") { |root| (@root = root) && example.run } }

  def options = ["--environmentpath", @root, "--workers", "1"]

  def start(*more, **settings, &block) = CompileService.run(*options, *more, **settings, &block)

  # Runs a service that cannot start, and returns its exit code and output.
  def refused(*arguments)
    output, status = Open3.capture2e(*Puppetfn::CLI.command, "serve", *arguments)
    [status.exitstatus, output]
  end

  it "are usable by their owner alone, or the group, and are removed at the end" do
    start do |service|
      expect(File.stat(service.socket).mode & 0o7777).to eq(0o600)
      expect(Dir.children(File.dirname(service.socket))).to contain_exactly("s.sock", "log")
      service.signal("INT")
      expect(service.join.exitstatus).to eq(0)
      expect(File.exist?(service.socket)).to be(false)
    end
    start("--socket-mode", "0660") { |service| expect(File.stat(service.socket).mode & 0o7777).to eq(0o660) }
    expect(refused(*options, "--socket", "#{@root}/s", "--socket-mode", "0666")).to match([2, /expected 0600 or 0660, got '0666'/])
  end

  it "replace those of services that were killed, and nothing else" do
    path = "#{@root}/s.sock"
    File.write(path, "mine")
    expect(refused(*options, "--socket", path)).to match([2, /the file is not a socket/])
    expect(File.read(path)).to eq("mine")
    FileUtils.rm(path)
    expect(refused(*options, "--socket", "#{@root}/nosuch/s.sock")).to match([2, /No such file or directory/])

    start(socket: path) do |first|
      first.signal("KILL")
      first.join
      start(socket: path) do |second|
        expect(refused(*options, "--socket", path)).to match([2, /another service listens on this socket/])
        expect(second.catalog.messages).to eq(["fine"])
        # The socket of a service that was started by other means stays.
        FileUtils.rm(path)
        UNIXServer.open(path) { second.finish && expect(File.socket?(path)).to(be(true)) }
      end
    end
  end

  it "can be of the service manager, which is told of the state" do
    expect(refused(*options)).to match([2, /expected --socket, --listen, or a socket of the service manager/])
    path, notified = "#{@root}/manager.sock", "#{@root}/notify.sock"
    UNIXServer.open(path) do |server|
      Socket.open(:UNIX, :DGRAM) do |manager|
        manager.bind(Addrinfo.unix(notified))
        code = "$VERBOSE = nil; ENV['LISTEN_PID'] = Process.pid.to_s; IO.for_fd(3).close_on_exec = false; exec(*ARGV, 3 => 3)"
        allow(Puppetfn::CLI).to receive(:command).and_return([RbConfig.ruby, "-e", code, "--", *Puppetfn::CLI.command])
        environment = {"LISTEN_FDS" => "1", "NOTIFY_SOCKET" => notified}
        CompileService.run(*options, environment: environment, socket: false, 3 => server) do |service|
          service.instance_variable_set(:@socket, path)
          expect(manager.recv(100)).to eq("READY=1\n")
          expect(service.catalog.messages).to eq(["fine"])
          variables = File.read("/proc/#{service.workers.first}/environ").split("\0").map { |variable| variable[/\A\w+/] }
          expect(variables & %w[LISTEN_FDS LISTEN_PID NOTIFY_SOCKET]).to eq([])
          service.signal("TERM")
          expect(manager.recv(100)).to eq("STOPPING=1\n")
          expect(service.join.exitstatus).to eq(0)
          expect(File.socket?(path)).to be(true)
        end
      end
    end
  end

  it "close connections of slow clients" do
    start do |service|
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      answers = [["POST /v1/cat"], [""], ["POST /v1/catalog HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"]].map do |parts|
        Thread.new { service.raw(*parts) }
      end
      50.times { expect(service.catalog.status).to eq(200) }
      expect(answers.map(&:value).map { |answer| answer[/\AHTTP\S+ (\d+)/, 1] }).to eq([nil, nil, "408"])
      expect(Process.clock_gettime(Process::CLOCK_MONOTONIC) - started).to be < 35
    end
  end
end
