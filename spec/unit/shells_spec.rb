# frozen_string_literal: true

require "open3"
require "pty"
require "rbconfig"
require "tmpdir"

# What terminals show of the command.
RSpec.describe "exe/puppetfn" do
  exe = File.expand_path("../../exe/puppetfn", __dir__)
  command = [RbConfig.ruby, exe]

  around do |example|
    Dir.mktmpdir do |directory|
      @home = directory
      example.run
    end
  end

  # The bytes that reach a terminal.
  define_method(:on_terminal) do |environment, *args|
    PTY.spawn({"NO_COLOR" => nil, "TERM" => "xterm"}.merge(environment), *command, *args) do |output, _, pid|
      said = +""
      begin
        loop { said << output.readpartial(4096) }
      rescue EOFError, Errno::EIO
        Process.wait(pid)
      end
      return said
    end
  end

  it "is coloured on terminals only, and where that is wanted" do
    code = File.join(@home, "x.pp")
    File.write(code, "$x = ]")

    [["--help"], ["frob"], ["help", "check"], ["validate", code], ["check", code]].each do |args|
      expect(on_terminal({}, *args)).to include("\e[")
      expect(on_terminal({"NO_COLOR" => "1"}, *args)).not_to include("\e[")
      expect(on_terminal({"TERM" => "dumb"}, *args)).not_to include("\e[")
      expect(Open3.capture2e(*command, *args).first).not_to include("\e[")
    end
  end

  it "shows how far it is on terminals only" do
    300.times { |number| File.write(File.join(@home, "#{number}.pp"), "$x = 1") }

    expect(on_terminal({}, "validate", @home)).to include("/300 files")
    expect(Open3.capture2e(*command, "validate", @home).first).to eq("")
  end
end
