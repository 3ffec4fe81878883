# frozen_string_literal: true

require "openssl"
require "socket"
require "timeout"

# A server of HTTP or HTTPS that records requests.
class RecordingServer
  # A request.
  Received = Struct.new(:method, :target, :headers, :body, :peer)

  attr_reader :port

  # The status line and the body of answers.
  attr_accessor :answer

  # Runs a server for the length of a block.
  # @param certificates [Certificates, nil] the authority of the server's and the clients' certificates, if it speaks HTTPS
  def self.run(certificates = nil)
    server = new(certificates)
    yield server
  ensure
    server&.close
  end

  def initialize(certificates)
    @answer = ["200 OK", "{}"]
    @received = Queue.new
    tcp = TCPServer.new("127.0.0.1", 0)
    @port = tcp.addr[1]
    @server = certificates ? OpenSSL::SSL::SSLServer.new(tcp, context(certificates)) : tcp
    @thread = Thread.new { loop { serve } }
  end

  # @return [Received] the oldest request that was not taken yet, which may be on its way
  def take = Timeout.timeout(5) { @received.pop }

  def empty? = @received.empty?

  def close
    @thread.kill
    @server.close
  end

  private

  def context(certificates)
    options = certificates.client("server")
    OpenSSL::SSL::SSLContext.new.tap do |context|
      context.cert, context.key, context.ca_file = options.values_at(:cert, :key, :ca_file)
      context.verify_mode = OpenSSL::SSL::VERIFY_PEER | OpenSSL::SSL::VERIFY_FAIL_IF_NO_PEER_CERT
    end
  end

  def serve
    client = @server.accept
    method, target = client.gets.to_s.split
    headers = {}
    while (line = client.gets.to_s.strip) && !line.empty?
      name, value = line.split(": ", 2)
      headers[name.downcase] = value
    end
    body = client.read(headers.fetch("content-length", 0).to_i)
    @received << Received.new(method, target, headers, body, (client.peer_cert&.subject.to_s if client.respond_to?(:peer_cert)))
    status, text = @answer
    client.write("HTTP/1.1 #{status}\r\nContent-Length: #{text.bytesize}\r\nConnection: close\r\n\r\n#{text}")
    client.close
  rescue OpenSSL::SSL::SSLError, SystemCallError
    client&.close
  end
end
