# frozen_string_literal: true

require "fileutils"
require "json"
require "net/http"
require "socket"
require "tmpdir"

# A running `puppetfn serve`, with a directory of its own.
class CompileService
  # Requests of HTTP to a Unix socket.
  class Connection < Net::HTTP
    def self.of(path)
      newobj("localhost", 80).tap do |connection|
        connection.instance_variable_set(:@path, path)
        connection.max_retries = 0
      end
    end

    private

    def connect
      @socket = Net::BufferedIO.new(UNIXSocket.new(@path), read_timeout: @read_timeout, continue_timeout: @continue_timeout, debug_output: nil)
    end
  end

  # An answer, and its body.
  Answer = Struct.new(:status, :body, :headers) do
    def json = JSON.parse(body, max_nesting: false)

    # @return [Array<String>] the messages of the catalog's log
    def messages = json.fetch("log").map { |entry| entry.fetch("message") }

    # @return [Array<String>] references of resources
    def references = json.fetch("catalog").fetch("resources").map { |resource| "#{resource["type"]}[#{resource["title"]}]" }
  end

  # The time in which a service starts or stops, in seconds.
  PATIENCE = 20

  attr_reader :socket, :pid

  # Starts a service, and ends it after the block.
  # @param options [Array<String>] of the command, besides the socket
  def self.run(*options, **settings)
    service = new(*options, **settings)
    service.wait_until_ready
    yield service
  ensure
    service&.finish
  end

  # @param environment [Hash{String=>String}] variables of the process
  # @param more [Hash{Symbol=>Object}] options of `Process.spawn`
  def initialize(*options, environment: {}, socket: nil, **more)
    @directory = Dir.mktmpdir("puppetfn-serve-")
    @socket = socket || File.join(@directory, "s.sock")
    @log = File.join(@directory, "log")
    options = ["--socket", @socket, *options] unless socket == false
    @pid = Process.spawn(environment, *Puppetfn::CLI.command, "serve", *options, [:out, :err] => [@log, "a"], in: File::NULL, **more)
  end

  def log = File.read(@log)

  def wait_until_ready
    wait do
      raise "the service has ended: #{log}" if ended?

      log.match?(/[ "]serving/)
    end
  end

  # Waits until a block returns something, and returns that.
  def wait(seconds = PATIENCE)
    limit = now + seconds
    loop do
      result = yield
      return result if result
      raise "nothing after #{seconds} s: #{log}" if now > limit

      sleep 0.01
    end
  end

  def signal(name) = Process.kill(name, @pid)

  # @return [Process::Status]
  def join
    wait { ended? }
    @status
  end

  def ended?
    @status ||= Process.wait2(@pid, Process::WNOHANG)&.last
  end

  def finish
    signal("TERM") unless ended?
    join
  rescue RuntimeError
    signal("KILL")
    Process.wait(@pid)
  ensure
    FileUtils.rm_rf(@directory)
  end

  # Asks for a catalog.
  def catalog(node = "web1", environment: "production", **members)
    request("POST", "/v1/catalog", JSON.generate({node: node, environment: environment, **members}, max_nesting: false))
  end

  def request(method, path, body = nil, headers = {"content-type" => "application/json"})
    connection = Connection.of(@socket)
    connection.start do |http|
      response = http.send_request(method, path, body, headers)
      Answer.new(response.code.to_i, response.body, response.to_hash)
    end
  end

  # Sends bytes, and returns all that comes back until the service closes the connection.
  def raw(*parts)
    UNIXSocket.open(@socket) do |socket|
      parts.each { |part| part.is_a?(Numeric) ? sleep(part) : socket.write(part) }
      yield socket if block_given?
      socket.read
    rescue Errno::EPIPE, Errno::ECONNRESET
      ""
    end
  end

  # @return [Hash{String=>Float}] values by names with labels
  def metrics
    request("GET", "/metrics").body.lines.reject { |line| line.start_with?("#") }.to_h do |line|
      name, value = line.chomp.split(/ (?=\S+\z)/)
      [name, Float(value)]
    end
  end

  # @return [Array<Integer>] processes of workers
  def workers = CompileService.children(@pid)

  # @return [Integer] megabytes of the service and its workers; shared pages count once
  def memory
    [@pid, *workers].sum { |pid| File.read("/proc/#{pid}/smaps_rollup")[/^Pss: +(\d+)/, 1].to_i } / 1024
  end

  # @return [Array<Integer>] the processes that a process has started
  def self.children(pid)
    Dir.glob("/proc/[0-9]*/stat").filter_map do |file|
      own, parent, state = File.read(file).match(/\A(\d+) \(.*\) (\w) (\d+)/m).values_at(1, 3, 2)
      Integer(own) if Integer(parent) == pid && state != "Z"
    rescue SystemCallError
      nil
    end
  end

  def self.running?(pid)
    !%w[Z X].include?(File.read("/proc/#{pid}/stat")[/\) (\w)/, 1])
  rescue SystemCallError
    false
  end

  private

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end
