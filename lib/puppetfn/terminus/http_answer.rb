# frozen_string_literal: true

module Puppetfn
  module Terminus
    # The answer to a request, parsed as it arrives.
    #
    # @api private
    class HttpAnswer
      # The answer is not HTTP, not whole or too large.
      class Malformed < StandardError; end

      MAX_HEAD_SIZE = 1 << 16
      private_constant :MAX_HEAD_SIZE

      # @return [Integer] the status code
      attr_reader :status

      # @param max_size [Integer] of the body in bytes
      def initialize(max_size)
        @max_size = max_size
        @bytes = String.new(encoding: Encoding::BINARY)
        @complete = false
      end

      # @param bytes [String]
      # @return [void]
      # @raise [Malformed]
      def <<(bytes)
        @bytes << bytes
        parse_head unless @status
        return unless @status

        raise Malformed, "its answer is larger than #{@max_size} bytes" if @bytes.bytesize > @max_size

        @complete = true if @length && @bytes.bytesize >= @length
      end

      # Notes that the service has closed the connection.
      #
      # @return [void]
      # @raise [Malformed] if the answer is not whole
      def finish
        raise Malformed, @bytes.empty? ? "it closed the connection without an answer" : "its answer is not HTTP" unless @status
        raise Malformed, "it closed the connection within its answer" if @length

        @bytes = join_chunks if @chunked
        @complete = true
      end

      # @return [Boolean]
      def complete?
        @complete
      end

      # @return [String] UTF-8, which may be invalid
      def body
        @bytes.byteslice(0, @length || @bytes.bytesize).force_encoding(Encoding::UTF_8)
      end

      private

      def parse_head
        head_end = @bytes.index("\r\n\r\n")
        unless head_end
          raise Malformed, "its answer is not HTTP" if @bytes.bytesize > MAX_HEAD_SIZE

          return
        end
        parse_lines(@bytes.byteslice(0, head_end).split("\r\n"))
        @bytes = @bytes.byteslice((head_end + 4)..-1)
      end

      def parse_lines(lines)
        status = lines.shift.to_s[%r{\AHTTP/1\.[01] (\d{3})(?: |\z)}, 1]
        raise Malformed, "its answer is not HTTP" unless status

        headers = lines.each_with_object({}) do |line, all|
          name, value = line.split(":", 2)
          all[name.to_s.strip.downcase] = value.to_s.strip
        end
        @chunked = headers["transfer-encoding"].to_s.casecmp("chunked").zero?
        @length = length(headers["content-length"]) unless @chunked
        @status = status.to_i
      end

      def length(text)
        return unless text
        raise Malformed, "its answer has no valid length" unless text.match?(/\A\d{1,15}\z/)

        text.to_i.tap { |length| raise Malformed, "its answer is larger than #{@max_size} bytes" if length > @max_size }
      end

      def join_chunks
        body = String.new(encoding: Encoding::BINARY)
        offset = 0
        loop do
          line_end = @bytes.index("\r\n", offset) || malformed_chunks
          size = @bytes.byteslice(offset...line_end)[/\A\h{1,8}(?=;|\z)/] || malformed_chunks
          size = size.to_i(16)
          return body if size.zero?

          offset = line_end + 2
          malformed_chunks if offset + size + 2 > @bytes.bytesize
          body << @bytes.byteslice(offset, size)
          offset += size + 2
        end
      end

      def malformed_chunks
        raise Malformed, "it closed the connection within its answer"
      end
    end
  end
end
