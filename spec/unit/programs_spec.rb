# frozen_string_literal: true

require "tmpdir"
require_relative "../support/module_tree"

# Programs that functions run, if they are allowed to. All answers are Puppet 8.11's.
RSpec.describe "Programs that functions run" do
  include ModuleTree

  around do |example|
    Dir.mktmpdir("puppetfn-programs-") do |directory|
      @directory = directory
      {"shell" => "echo shell $1", "fails" => "#!/bin/sh\necho out; echo err >&2; exit 4",
       "lost" => "#!/nonexistent/interpreter\n"}.each do |name, text|
        File.write("#{directory}/#{name}", text)
        File.chmod(0o755, "#{directory}/#{name}")
      end
      File.write("#{directory}/data", "")
      example.run
    end
  end

  files = {
    "own/lib/puppet/functions/own/run.rb" => <<~RUBY
      Puppet::Functions.create_function(:'own::run') do
        def run(command, options = nil)
          options = options&.to_h { |name, value| [name.to_sym, value] }
          output = options ? Puppet::Util::Execution.execute(command, options) : Puppet::Util::Execution.execute(command)
          [output.to_s, output.exitstatus]
        rescue StandardError => e
          "\#{e.class}: \#{e.message}"
        end
      end
    RUBY
  }.freeze

  # The messages of the code, or its error, with `DIR` for the directory of the programs.
  define_method(:answer) do |code|
    with_runtime(files, node: "web1", allow: [:exec]) do |runtime|
      runtime.compile("notice(#{code.gsub("DIR", @directory)})")
      runtime.logs.to_a.map { |entry| entry.last.chomp.gsub(@directory, "DIR") }
    rescue Puppet::Error => e
      e.message.gsub(@directory, "DIR")[/Function Call, (.*) \(line/m, 1]
    end
  end

  unstarted = "Error: Could not execute posix command:"

  {
    "'/bin/echo', ['a', ['b', undef]], [], 'c'" => ["a b  c"],
    "'/bin/sh', '-c', 'pwd; echo $LANG $LC_ALL $LC_TIME$LANGUAGE$HOME$USER$LOGNAME.'" => [%r{\A(/usr)?/bin\nC C \.\z}],
    "'DIR/shell', 'word'" => ["shell word"],
    "'DIR/fails', 1" => "Failed to execute generator DIR/fails: Execution of 'DIR/fails 1' returned 4: out\nerr",
    "'/bin/sh', '-c', 'kill -9 $$'" => "Failed to execute generator /bin/sh: Execution of '/bin/sh -c kill -9 $$' returned : ",
    "'DIR/none', 1" => "Failed to execute generator DIR/none: Execution of 'DIR/none 1' returned 1: " \
                       "#{unstarted} No such file or directory - DIR/none",
    "'DIR/lost'" => "Failed to execute generator DIR/lost: Execution of 'DIR/lost' returned 1: " \
                    "#{unstarted} No such file or directory - DIR/lost",
    "'DIR/data'" => "Failed to execute generator DIR/data: Execution of 'DIR/data' returned 1: " \
                    "#{unstarted} Permission denied - DIR/data",
    "'DIR/shell/'" => "Failed to execute generator DIR/shell/: Execution of 'DIR/shell/' returned 1: " \
                      "#{unstarted} Not a directory - DIR/shell/",
    "'DIR/none/x'" => "Working directory DIR/none does not exist!",
    "'DIR/data/x'" => "Working directory DIR/data does not exist!"
  }.each do |arguments, expected|
    it "give generate(#{arguments}) #{expected.inspect}" do
      expect(answer("generate(#{arguments})")).to match(expected)
    end
  end

  it "have names that are texts" do
    with_runtime(files, node: "web1", allow: [:exec]) do |runtime|
      expect { runtime.compile("generate(['/bin/echo'])") }.to raise_error(Puppet::Error, /Generators must be fully qualified/)
      expect(runtime.logs.to_a.first.last)
        .to eq("Cannot check if [\"/bin/echo\"] is an absolute path because it is a 'Array' and not a String'")
    end
  end

  {
    "['/bin/echo', ['a', ['b']], 3]" => ["[a b 3\n, 0]"],
    "'/nonexistent'" => ["Puppet::ExecutionFailure: Execution of '/nonexistent' returned 1: " \
                         "#{unstarted} No such file or directory - /nonexistent"],
    "['/nonexistent', 'a'], {}" => ["[, 1]"],
    "['/nonexistent', 'a'], {failonfail => true}" => ["Puppet::ExecutionFailure: Execution of '/nonexistent a' returned 1: "],
    "'exit 3', {failonfail => true, sensitive => true}" => ["Puppet::ExecutionFailure: Execution of '[redacted]' returned 3: "],
    "'echo hi', {squelch => true}" => ["[, 0]"],
    "'kill -9 $$', {}" => ["[, ]"],
    "'kill -9 $$'" => ["Puppet::ExecutionFailure: Execution of 'kill -9 $$' returned : "],
    "'/bin/pwd', {cwd => '/nonexistent'}" => ["ArgumentError: Working directory /nonexistent does not exist!"],
    "'echo $LANG $LC_ALL $HOME$USER.'" => ["[C C .\n, 0]"],
    "'echo $LANG $LC_ALL $HOME$USER.', {custom_environment => {'HOME' => '/x', 'LC_ALL' => 'y'}}" => ["[C y /x.\n, 0]"]
  }.each do |arguments, expected|
    it "give Puppet::Util::Execution.execute(#{arguments}) #{expected.inspect}" do
      expect(answer("own::run(#{arguments})")).to eq(expected)
    end
  end
end
