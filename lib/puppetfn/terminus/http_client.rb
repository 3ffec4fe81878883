# frozen_string_literal: true

require "socket"
require_relative "clock"
require_relative "http_answer"

module Puppetfn
  module Terminus
    # Sends requests to the compile service: HTTP/1.1 on a Unix socket, a connection for each.
    #
    # All steps have deadlines and none blocks. `Timeout` is no use here: JRuby does not interrupt a thread that waits for a Unix
    # socket, so `UNIXSocket.new` could wait for ever where a service accepts no connections.
    #
    # @api private
    class HttpClient
      # There is no answer, or only part of one.
      class Failure < StandardError
        # @return [Symbol] `:absent`, `:slow` or `:invalid`
        attr_reader :kind

        # @param kind [Symbol]
        # @param message [String]
        def initialize(kind, message)
          super(message)
          @kind = kind
        end
      end

      BLOCK = 1 << 18
      # A service with a full backlog does not signal free places.
      CONNECT_INTERVAL = 0.02
      private_constant :BLOCK, :CONNECT_INTERVAL

      # @param configuration [Configuration]
      def initialize(configuration)
        @path = configuration.socket
        @connect_timeout = configuration.connect_timeout
        @read_timeout = configuration.read_timeout
        @timeout = configuration.timeout
        @max_answer_size = configuration.max_answer_size
      end

      # @param target [String] path and query
      # @param body [String] JSON
      # @return [HttpAnswer]
      # @raise [Failure]
      def post(target, body)
        deadline = Clock.now + @timeout
        socket = connect([deadline, Clock.now + @connect_timeout].min)
        begin
          write(socket, head(target, body) << body, deadline)
          read(socket, deadline)
        ensure
          close(socket)
        end
      end

      private

      def head(target, body)
        "POST #{target} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json\r\n" \
          "content-length: #{body.bytesize}\r\nconnection: close\r\n\r\n".b
      end

      def connect(deadline)
        loop do
          socket = try_to_connect
          return socket if socket

          raise Failure.new(:slow, "it does not accept connections") if Clock.now >= deadline

          sleep(CONNECT_INTERVAL)
        end
      end

      # Returns a connected socket, or nil if the service has no room for it yet.
      def try_to_connect
        socket = Socket.new(Socket::AF_UNIX, Socket::SOCK_STREAM, 0)
        connected = socket.connect_nonblock(Socket.sockaddr_un(@path), exception: false)
        return socket unless connected == :wait_writable

        close(socket)
        nil
      rescue Errno::EAGAIN
        close(socket)
        nil
      # JRuby raises SocketError or IOError instead of SystemCallError, with messages that lack the reason.
      rescue SystemCallError, SocketError, IOError
        close(socket)
        raise Failure.new(:absent, absence)
      end

      def absence
        return "there is no such file" unless File.exist?(@path)
        return "it is not a socket" unless File.socket?(@path)
        return "this user may not write to it" unless File.writable?(@path)

        "no process listens on it"
      end

      # Stops as soon as there is an answer: a service that refuses a request does not read everything.
      def write(socket, bytes, deadline)
        offset = 0
        while offset < bytes.bytesize
          written = socket.write_nonblock(bytes.byteslice(offset, BLOCK), exception: false)
          if written == :wait_writable
            return if wait([socket], [socket], deadline).first.any?
          else
            offset += written
          end
        end
      rescue SystemCallError, IOError
        nil
      end

      def read(socket, deadline)
        answer = HttpAnswer.new(@max_answer_size)
        until answer.complete?
          bytes = read_some(socket)
          case bytes
          when :wait_readable then wait([socket], nil, deadline)
          when nil then answer.finish
          else answer << bytes
          end
        end
        answer
      rescue HttpAnswer::Malformed => e
        raise Failure.new(:invalid, e.message)
      end

      def read_some(socket)
        socket.read_nonblock(BLOCK, exception: false)
      rescue SystemCallError, IOError
        nil
      end

      # Returns the sockets that are ready.
      def wait(readable, writable, deadline)
        remaining = deadline - Clock.now
        ready = IO.select(readable, writable, nil, [remaining, @read_timeout].min) if remaining.positive?
        return ready if ready

        raise Failure.new(:slow, remaining > @read_timeout ? "nothing came of it for #{@read_timeout} s" : "it did not answer within #{@timeout} s")
      end

      def close(socket)
        socket.close if socket
      rescue SystemCallError, IOError
        nil
      end
    end
  end
end
