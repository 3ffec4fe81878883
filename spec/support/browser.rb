# frozen_string_literal: true

require "io/nonblock"
require "json"
require "open3"
require "timeout"
require "tmpdir"

# A browser without a window, one at a time and for a limited time.
module Browser
  COMMAND = %w[chromium chromium-browser google-chrome].find do |name|
    ENV.fetch("PATH").split(":").any? { |directory| File.executable?(File.join(directory, name)) }
  end
  FLAGS = %w[--headless --no-sandbox --disable-gpu --disable-quic --disable-dev-shm-usage --no-first-run --disable-background-networking
             --disable-component-update --disable-sync --enable-logging=stderr --v=0].freeze
  SECONDS = 60

  # What a browser makes of a page.
  #
  # @attr [String] dom the document after its scripts have run
  # @attr [Array<String>] messages what stands in the console
  Seen = Struct.new(:dom, :messages)

  # @param file [String] the page
  # @param query [String, nil]
  # @return [Seen]
  def look(file, query = nil)
    skip "there is no Chromium" unless COMMAND
    # A browser that does not even start says nothing of the page.
    2.times do
      Dir.mktmpdir("browser-") do |profile|
        address = "file://#{file}#{"?#{query}" if query}"
        dom, told, status = Open3.capture3("timeout", "-s", "KILL", SECONDS.to_s, COMMAND, *FLAGS, "--user-data-dir=#{profile}", "--dump-dom", address)
        return Seen.new(dom.force_encoding("UTF-8"), told.scrub.lines.grep(/CONSOLE/)) if status.success? && dom.include?("</html>")
      end
    end
    raise "the browser did not show #{file}"
  end

  # A page that can be asked and used, by the DevTools Protocol over pipes.
  class Session
    # @return [Array<String>] errors of scripts, what stands in the console, and what the page's policy has forbidden
    attr_reader :complaints

    # @param commands [IO] where commands are written to
    # @param answers [IO] where answers and events come from
    def initialize(commands, answers)
      @commands = commands
      @answers = answers
      @complaints = []
      @sent = 0
      @loads = 0
      target = send_command("Target.createTarget", url: "about:blank")
      @session = send_command("Target.attachToTarget", targetId: target.fetch("targetId"), flatten: true).fetch("sessionId")
      %w[Page Runtime Log].each { |domain| send_command("#{domain}.enable") }
    end

    # Opens a page anew.
    #
    # @param address [String]
    def open(address)
      # A page that differs in the fragment alone would not be loaded again.
      ["about:blank", address].each do |one|
        loads = @loads
        send_command("Page.navigate", url: one)
        receive until @loads > loads
      end
    end

    # @param script [String] an expression, or several statements of which the last counts; a promise is waited for
    # @return [Object] its value, as JSON has it
    def run(script)
      found = send_command("Runtime.evaluate", expression: script, awaitPromise: true, returnByValue: true, userGesture: true)
      raise found.fetch("exceptionDetails").inspect if found.key?("exceptionDetails")

      found.fetch("result")["value"]
    end

    # Turns scripts off, or on again, for pages that are opened from now on.
    #
    # @param are_on [Boolean]
    def scripts(are_on)
      send_command("Emulation.setScriptExecutionDisabled", value: !are_on)
    end

    private

    def send_command(name, **parameters)
      @sent += 1
      message = {id: @sent, method: name, params: parameters, sessionId: @session}.compact
      @commands.write("#{message.to_json}\0")
      nil until (answer = receive)["id"] == @sent
      answer["result"] || raise(answer.fetch("error").inspect)
    end

    def receive
      message = JSON.parse(@answers.gets("\0", chomp: true) || raise("the browser has ended"))
      case message["method"]
      when "Page.loadEventFired" then @loads += 1
      when "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded" then @complaints << message["params"].to_json
      end
      message
    end
  end

  # @yieldparam session [Session] which ends with the block
  # @return [Object] what the block returns
  def browse(&block)
    skip "there is no Chromium" unless COMMAND
    Dir.mktmpdir("browser-") do |profile|
      for_browser, commands = IO.pipe
      answers, from_browser = IO.pipe
      # The browser takes it for the end where there is nothing yet.
      [for_browser, from_browser].each { |pipe| pipe.nonblock = false }
      browser = Process.spawn(COMMAND, *FLAGS, "--user-data-dir=#{profile}", "--remote-debugging-pipe", "about:blank",
                              3 => for_browser, 4 => from_browser, %i[out err] => [File::NULL, "w"])
      [for_browser, from_browser].each(&:close)
      begin
        Timeout.timeout(SECONDS) { block.call(Session.new(commands, answers)) }
      ensure
        commands.close
        leave(browser)
        answers.close
      end
    end
  end

  private

  # Waits for a browser that nobody is connected with any more: it ends by itself, and so do the processes that write to its profile.
  def leave(browser)
    Timeout.timeout(SECONDS) { Process.wait(browser) }
  rescue Timeout::Error
    Process.kill(:KILL, browser)
    Process.wait(browser)
  end
end
