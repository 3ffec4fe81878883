# frozen_string_literal: true

require "json"
require "socket"

module TerminusSpec
  # A compile service on a Unix socket whose answers examples choose.
  class FakeService
    # @return [String] the path of the socket
    attr_reader :path
    # @return [Array<Hash>] the requests
    attr_reader :requests

    # @param path [String]
    def initialize(path)
      @path = path
      @requests = []
      @connections = 0
      @behaviour = ->(socket, _request) { answer(socket, 500, {}) }
      listen
    end

    # @yieldparam socket [UNIXSocket] of a client whose request was read
    # @yieldparam request [Hash]
    def behave(&behaviour) = @behaviour = behaviour

    # Answers each request from now on.
    #
    # @param status [Integer]
    # @param body [Hash, String]
    def will_answer(status, body) = behave { |socket, _request| answer(socket, status, body) }

    # Writes an answer.
    def answer(socket, status, body, headers = {})
      text = body.is_a?(String) ? body : JSON.generate(body)
      lines = {"content-type" => "application/json", "content-length" => text.bytesize}.merge(headers).compact.map { |name, value| "#{name}: #{value}\r\n" }
      socket.write("HTTP/1.1 #{status} Status\r\n#{lines.join}\r\n#{text}")
    end

    # @return [Integer] how often a client connected since this was last asked
    def connections = @connections.tap { @connections = 0 }

    # Accepts connections.
    #
    # @param backlog [Integer] how many wait to be accepted
    # @param accepts [Boolean]
    def listen(backlog: 16, accepts: true)
      @server = UNIXServer.new(@path)
      @server.listen(backlog)
      @thread = accept if accepts
    end

    # Goes away.
    def stop
      @thread&.kill
      @thread = nil
      @server.close
      File.delete(@path)
    end

    private

    def accept
      Thread.new do
        loop do
          socket = @server.accept
          @connections += 1
          Thread.new { serve(socket) }
        end
      end
    end

    def serve(socket)
      head = +""
      head << socket.readpartial(1 << 16) until head.include?("\r\n\r\n")
      head, body = head.split("\r\n\r\n", 2)
      missing = head[/^content-length: (\d+)/, 1].to_i - body.bytesize
      body << socket.read(missing) if missing.positive?
      @requests << {"line" => head.lines.first.chomp, **JSON.parse(body)}
      @behaviour.call(socket, @requests.last)
    rescue SystemCallError, IOError
      nil
    ensure
      socket.close
    end
  end
end
