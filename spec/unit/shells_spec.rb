# frozen_string_literal: true

require "open3"
require "pty"
require "rbconfig"
require "shellwords"
require "tmpdir"

# What shells, terminals and `man` know of the command.
RSpec.describe "exe/puppetfn" do
  exe = File.expand_path("../../exe/puppetfn", __dir__)
  command = [RbConfig.ruby, exe]

  define_method(:puppetfn) do |*args|
    out, err, status = Open3.capture3(*command, *args)
    expect([err, status.exitstatus]).to eq(["", 0])
    out
  end

  # What a shell says when it runs a script, with the command on its path.
  define_method(:shell) do |*shell, script|
    path = "#{File.dirname(exe)}:#{ENV.fetch("PATH")}"
    out, status = Open3.capture2e({"PATH" => path, "HOME" => @home}, *shell, script)
    expect(status).to be_success, out
    out
  end

  around do |example|
    Dir.mktmpdir do |directory|
      @home = directory
      example.run
    end
  end

  # The words that bash offers for the last one.
  def bash_offers(*words)
    shell("bash", "--norc", "-c", <<~BASH).split
      source <(puppetfn completions bash)
      COMP_WORDS=(#{words.shelljoin}) COMP_CWORD=#{words.size - 1}
      $(complete -p puppetfn | sed 's/.*-F \\([^ ]*\\) .*/\\1/') puppetfn #{words[-1].shellescape} #{words[-2].shellescape}
      printf '%s\\n' "${COMPREPLY[@]}"
    BASH
  end

  it "completes subcommands, options and what they take in bash" do
    expect(bash_offers("puppetfn", "c")).to eq(%w[call compile check console completions])
    expect(bash_offers("puppetfn", "check", "--f")).to eq(%w[--format --fail-on-warnings --fix])
    expect(bash_offers("puppetfn", "check", "--format", "")).to eq(%w[human json sarif junit github codeclimate])
    expect(bash_offers("puppetfn", "model", "export", "--l")).to eq(%w[--logic --limit])
    expect(bash_offers("puppetfn", "test", "--")).to include("--parallel", "--coverage", "--with-puppet")
  end

  it "completes in fish" do
    offers = lambda do |line|
      shell("fish", "-c", "puppetfn completions fish | source; complete -C #{line.shellescape}").lines.map { |offer| offer.split("\t").first.chomp }
    end

    expect(offers["puppetfn comp"]).to contain_exactly("compile", "completions")
    expect(offers["puppetfn check --format "]).to contain_exactly("human", "json", "sarif", "junit", "github", "codeclimate")
    expect(offers["puppetfn call --mod"]).to eq(%w[--modulepath])
  end

  # Zsh completes in an interactive shell only.
  it "completes in zsh" do
    Dir.mkdir(File.join(@home, "functions"))
    File.write(File.join(@home, "functions", "_puppetfn"), puppetfn("completions", "zsh"))
    File.write(File.join(@home, ".zshrc"), "fpath=(~/functions $fpath); autoload -U compinit; compinit -u -D; PS1='> '\n")
    environment = {"HOME" => @home, "ZDOTDIR" => @home, "TERM" => "dumb", "PATH" => "#{File.dirname(exe)}:#{ENV.fetch("PATH")}"}
    PTY.spawn(environment, "zsh", "-i") do |output, input, pid|
      input.write("puppetfn check --fail-on\t\n", "puppetfn check --no-such-option\n", "exit\n")
      said = +""
      begin
        loop { said << output.readpartial(4096) }
      rescue EOFError, Errno::EIO
        Process.wait(pid)
      end

      expect(said).to include("puppetfn check --fail-on-warnings")
    end
  end

  it "has a manual page for each subcommand" do
    directory = File.join(@home, "man1")
    files = puppetfn("man", directory).lines(chomp: true)
    subcommands = puppetfn("--help")[/^Commands:\n(.*?)\n\n/m, 1].scan(/^  (\w+)/).flatten - %w[help]

    expect(files.map { |file| File.basename(file, ".1") })
      .to match_array(["puppetfn", *subcommands.map { |name| "puppetfn-#{name}" },
        *%w[fleet-merge model-export model-import model-read model-write].map { |name| "puppetfn-#{name}" }])
    page, complaints = Open3.capture3({"MANWIDTH" => "80", "LC_ALL" => "C.UTF-8"}, "man", "--warnings=w", "-l", "#{directory}/puppetfn-check.1")
    expect(complaints).to eq("")
    expect(page.squeeze(" ")).to match(/^NAME\n puppetfn-check - Find errors in Puppet code/).and include("--fail-on-warnings")
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
