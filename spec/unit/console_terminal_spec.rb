# frozen_string_literal: true

require "fileutils"
require "io/console"
require "io/wait"
require "pty"
require "rbconfig"
require "tmpdir"

# `puppetfn console` in a pseudo-terminal.
RSpec.describe "puppetfn console at a terminal" do
  command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "console"]

  repository = File.expand_path("../control_repository", __dir__)

  # A person in front of a pseudo-terminal.
  conversation = Class.new do
    # The line editor turns bracketed paste on before it reads lines, and off afterwards.
    READING = "\e[?2004h"
    EVALUATING = "\e[?2004l"

    def initialize(output, input, pid)
      @output, @input, @pid = output, input, pid
      @raw, @begin = "".b, 0
    end

    # @return [String] all output, with escape sequences
    attr_reader :raw

    def type(text)
      @input.write(text)
      @input.flush
    end

    # Waits for text after the last complete output.
    def see(pattern, seconds = 60)
      wait_for(seconds, pattern) { plain(@raw[@begin..]).match?(pattern) }
    end

    # Types a line that is or becomes complete, and waits until it is evaluated.
    # @return [String] the output
    def enter(line)
      type("#{line}\r")
      output
    end

    # Waits for the output of evaluated code, up to the next prompt.
    def output
      complete = /#{Regexp.escape(EVALUATING)}(.*?)#{Regexp.escape(READING)}/mn
      wait_for(60, "output") { @raw.match?(complete, @begin) }
      found = @raw.match(complete, @begin)
      @begin = found.end(0)
      plain(found[1]).delete_prefix("\n")
    end

    # Resizes the terminal.
    def resize(rows, columns)
      @output.winsize = [rows, columns]
    end

    # @return [Integer] the exit code
    def wait
      nil while read(60)
      Process.wait2(@pid).last.exitstatus
    end

    private

    def plain(raw)
      raw.dup.force_encoding("UTF-8").scrub.gsub(/\e\[[0-9;?]*[A-Za-z]/, "").delete("\r\a")
    end

    def wait_for(seconds, wanted)
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
      until yield
        left = deadline - Process.clock_gettime(Process::CLOCK_MONOTONIC)
        raise "no #{wanted.inspect} in #{plain(@raw[@begin..]).inspect}" unless left.positive? && read(left)
      end
    end

    # @return [Boolean] whether there was output before the process ended or time was over
    def read(seconds)
      @output.wait_readable(seconds) or return false
      @raw << @output.readpartial(65_536)
      true
    rescue EOFError, Errno::EIO
      false
    end
  end

  around { |example| Dir.mktmpdir { |directory| @directory = directory; example.run } }

  define_method(:terminal) do |*arguments, environment: {}, size: [40, 100], &block|
    environment = {"RUBYOPT" => nil, "HOME" => @directory, "XDG_STATE_HOME" => nil, "NO_COLOR" => nil, "TERM" => "xterm-256color",
                   "VISUAL" => nil, "EDITOR" => nil}.merge(environment)
    PTY.spawn(environment, *command, *arguments) do |output, input, pid|
      output.winsize = size
      talk = conversation.new(output, input, pid)
      talk.see(/^puppetfn:1> \z/)
      block.call(talk)
    ensure
      # A conversation that failed leaves the process behind.
      begin
        Process.kill("KILL", pid)
        Process.wait(pid)
      rescue Errno::ESRCH, Errno::ECHILD
        nil
      end
    end
  end

  def history = File.join(@directory, ".local/state/puppetfn/console_history")

  it "prints the value of a complete statement at once, and ends with Ctrl-D" do
    terminal do |talk|
      expect(talk.enter("$x = [1, 2]")).to eq("[1, 2]\n")
      talk.type("if true {\r  $x.map |$y| {\r    $y + 1\r  }\r")
      expect(talk.enter("}")).to eq("[2, 3]\n")
      talk.see(/^puppetfn:7> \z/)
      expect(talk.enter("fail('no')")).to match(/\AError: .*no \(file: <console>, line: 7, column: 1\)\n\z/)
      talk.type("\x04")
      expect(talk.wait).to eq(0)
    end
  end

  it "edits the line, which may have any characters" do
    terminal do |talk|
      # Ctrl-A and Ctrl-E go to the beginning and the end.
      expect(talk.enter("'añ→日本 b'\x01$x = \x05\x7F c'")).to eq("'añ→日本 b c'\n")
      # Up recalls the line, Ctrl-W deletes its last word, and Ctrl-U all of it.
      talk.type("\e[A\x17")
      talk.see(/b \z/)
      expect(talk.enter("\x15$x.size")).to eq("9\n")
    end
  end

  it "keeps the history in a file that only the user can read" do
    terminal do |talk|
      talk.enter("$first = 1")
      talk.enter("if true {\r  'two lines'\r}")
      talk.enter(" $hidden = 'by a leading space'")
      talk.type(":quit\r")
      expect(talk.wait).to eq(0)
    end
    expect(File.read(history)).to include("$first = 1", "two lines").and satisfy { |text| !text.include?("hidden") }
    expect(File.stat(history).mode & 0o777).to eq(0o600)
    terminal { |talk| expect(talk.enter("\e[A\e[A")).to eq("'two lines'\n") }
    before = File.read(history)
    terminal("--no-history") do |talk|
      talk.enter("$other = 3")
      expect(talk.enter("\e[A\e[A")).to include("Cannot reassign variable '$other'")
    end
    expect(File.read(history)).to eq(before)
  end

  it "completes names with Tab, and shows the signature of a call" do
    FileUtils.mkdir_p(File.join(@directory, "m/manifests"))
    File.write(File.join(@directory, "m/manifests/init.pp"), "class m::quartz($port = 1) { }")
    terminal("--modulepath", @directory) do |talk|
      talk.enter("$twenty = 20")
      talk.enter("function quadruple(Integer $n) { $n * 4 }")
      # The modules are read in the background.
      60.times do
        talk.type("\x15quadru\t")
        break if completed?(talk, /quadruple/)
      end
      talk.type("(")
      talk.see(/# quadruple\(Integer n\)/)
      expect(talk.enter("$twe\t)")).to eq("80\n")
      expect(talk.enter(":cata\t")).to eq("no resources\n")
      talk.type("include m::qu\t")
      talk.see(/include m::quartz/)
    end
  end

  def completed?(talk, pattern)
    talk.see(pattern, 1)
    true
  rescue RuntimeError
    false
  end

  it "clears the line with Ctrl-C, and interrupts an evaluation" do
    terminal do |talk|
      talk.type("class unfinished {\r  $x = \x03")
      expect(talk.output).to eq("")
      expect(talk.enter("1 + 1")).to eq("2\n")
      talk.type("Integer[0, 100000000000].each |$i| { $i + 1 }\r")
      talk.see(/\e\[\?2004l\z|\n\z/)
      sleep 0.3
      talk.type("\x03")
      expect(talk.output).to match(/^Error: .*the evaluation was interrupted/)
      expect(talk.enter("3 + 4")).to eq("7\n")
      talk.type("\x04")
      expect(talk.wait).to eq(0)
    end
  end

  it "takes pasted statements and commands one after the other" do
    terminal do |talk|
      pasted = "$a = [\r\n  'v',\r\n]\r\n:type $a\r\n\r\nif $a[0] { 'yes' }\r\nelse { 'no' }\r\n"
      expect(talk.enter("\e[200~#{pasted}\e[201~")).to eq("['v']\nTuple[String]\n'yes'\n")
      long = "class long {\n#{"  notify { 'a': message => \"b ${1 + 1}\" }\n" * 3000}"
      talk.type("\e[200~#{long}\e[201~")
      talk.enter("}\r:type 1")
      expect(talk.output).to eq("Integer[1, 1]\n")
    end
  end

  it "edits code in the user's editor" do
    editor = File.join(@directory, "editor")
    File.write(editor, "#!/bin/sh\nsed -i 's/1/2/' \"$2\"; echo \"$1\" >> #{@directory}/options\n")
    File.chmod(0o755, editor)
    terminal(environment: {"EDITOR" => "#{editor} --wait"}) do |talk|
      talk.enter("[1]")
      expect(talk.enter(":edit")).to eq("[2]\n")
      File.write(File.join(@directory, "a.pp"), "'1 of a file'")
      expect(talk.enter(":edit #{@directory}/a.pp")).to eq("'2 of a file'\n")
    end
    expect(File.read(File.join(@directory, "options"))).to eq("--wait\n--wait\n")
    expect(File.read(File.join(@directory, "a.pp"))).to eq("'2 of a file'")
    terminal(environment: {"EDITOR" => "false"}) do |talk|
      expect(talk.enter(":edit")).to eq("Error: false: exit status: 1\n")
    end
  end

  it "colours code, unless the user wants no colours" do
    coloured = /\e\[36m\$x\e\[0m = \e\[33m12\e\[0m/
    terminal do |talk|
      talk.enter("$x = 12")
      expect(talk.raw).to match(coloured)
    end
    terminal(environment: {"NO_COLOR" => "1"}) do |talk|
      talk.enter("$x = 12")
      expect(talk.raw).not_to match(/\e\[\d+m/)
    end
  end

  it "works in small terminals that change their size" do
    terminal(size: [3, 18]) do |talk|
      expect(talk.enter("$x = ['aaaaaaaaaaaa', 'bbbbbbbbbbbbbb']")).to eq("['aaaaaaaaaaaa', 'bbbbbbbbbbbbbb']\n")
      talk.resize(5, 30)
      expect(talk.enter("sprintf('%s', 'é')")).to eq("'é'\n")
    end
  end

  it "reads plain lines from a terminal that cannot move its cursor" do
    PTY.spawn({"RUBYOPT" => nil, "TERM" => "dumb"}, *command) do |output, input, pid|
      talk = conversation.new(output, input, pid)
      talk.see(/^puppetfn> \z/)
      input.puts("$x = [1,", "2]", ":quit")
      expect(talk.wait).to eq(0)
      # The terminal shows the typed lines whenever it gets to that, before or after a prompt.
      talk.see(/(?:\.\.\.> |\n)\[1, 2\]\n/)
      expect(talk.raw).not_to include("\e")
    end
  end

  it "completes keys of data and paths of facts" do
    terminal("--environment", repository, "--facts", "#{repository}/facts/web1.example.com.json") do |talk|
      expect(talk.enter(":facts os.fam\t")).to eq("'Debian'\n")
      60.times do
        talk.type("\x15:lookup ntp::ser\t")
        break if completed?(talk, /ntp::servers/)
      end
      expect(talk.enter("")).to end_with("['pool.ntp.org']\n")
    end
  end

  it "completes local variables where code is paused" do
    terminal do |talk|
      expect(talk.enter("[7].each |$local_one| { puppetfn::break() }")).to include("=>    1 [7].each")
      talk.see(/^break:2> \z/)
      expect(talk.enter("$local_\t + 1")).to eq("8\n")
      expect(talk.enter(":continue")).to eq("[7]\n")
    end
  end
end
