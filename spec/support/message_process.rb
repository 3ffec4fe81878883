# frozen_string_literal: true

require "json"

# A process that exchanges JSON messages over its standard input and output, each after a header with its length, as servers for
# editors do.
class MessageProcess
  # @return [Integer] its number
  attr_reader :pid

  # @param command [Array<String>] the command line
  def initialize(command)
    input, @write = IO.pipe(binmode: true)
    @read, output = IO.pipe(binmode: true)
    @pid = Process.spawn(*command, in: input, out: output, close_others: true)
    [input, output].each(&:close)
  end

  # @param message [Hash]
  # @return [void]
  def write(message)
    text = JSON.generate(message)
    @write.write("Content-Length: #{text.bytesize}\r\n\r\n#{text}")
  end

  # @return [Hash] the next message
  def read
    length = nil
    while (line = @read.gets.strip) != ""
      length = Integer(line.delete_prefix("Content-Length: "))
    end
    JSON.parse(@read.read(length))
  end

  # Ends its input.
  #
  # @return [void]
  def close = @write.close

  # Waits for its end.
  #
  # @return [Integer] the exit code, or the signal that was the end
  def status
    status = Process.wait2(pid).last
    status.exitstatus || status.termsig
  end
end
