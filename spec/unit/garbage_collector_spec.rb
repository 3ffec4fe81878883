# frozen_string_literal: true

require "open3"
require "rbconfig"
require "tmpdir"

# The command loads its files with the garbage collector off.
RSpec.describe "the garbage collector of exe/puppetfn" do
  around { |example| Dir.mktmpdir("collector") { |directory| Dir.chdir(directory) { example.run } } }

  # Returns the state of the collector when the process ends.
  def state(*arguments)
    File.write("state.rb", 'at_exit { File.write("state", GC.enable ? "off" : "on") }')
    command = [RbConfig.ruby, "-r", File.expand_path("state.rb"), File.expand_path("../../exe/puppetfn", __dir__)]
    Open3.capture2e({"XDG_CACHE_HOME" => Dir.pwd}, *command, *arguments)
    File.read("state")
  end

  it "is on again however a command ends" do
    Dir.mkdir("spec")
    File.write("spec/a_spec.rb", "RSpec.describe('a') { it { expect(1).to eq(1) } }\n")
    commands = [
      %w[--help], %w[--version], %w[-V], %w[help], [], %w[no-such-command], %w[test --help], %w[test], %w[test missing],
      %w[test --coverage=no], %w[test --roles], %w[test --roles spec], %w[test --parallel 2], %w[eval 1], %w[compile]
    ]
    expect(commands.reject { |command| state(*command) == "on" }).to eq([])
  end
end
