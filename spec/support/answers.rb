# frozen_string_literal: true

require "io/wait"

# Blocks that might never end, or take their process with them.
module Answers
  # In seconds: enough for a machine that has other things to do.
  PATIENCE = 60

  # Runs a block in a process of its own.
  #
  # @return [Object] what the block returns, or the class and the message of what it raises
  def answer
    reader, writer = IO.pipe(binmode: true)
    process = fork { reply(reader, writer) { yield } }
    writer.close
    raise "no answer within #{PATIENCE} seconds" unless reader.wait_readable(PATIENCE)

    Marshal.load(reader.read)
  ensure
    Process.kill(:KILL, process)
    Process.wait(process)
    reader.close
  end

  private

  def reply(reader, writer)
    reader.close
    answer = begin
      yield
    rescue Exception => e # rubocop:disable Lint/RescueException
      "#{e.class}: #{e.message}"
    end
    writer.write(Marshal.dump(answer))
    writer.close
  ensure
    # Nothing of what RSpec does at the end of a process.
    exit!
  end
end
