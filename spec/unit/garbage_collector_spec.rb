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

  it "is on again where the command runs specs or shows help" do
    Dir.mkdir("spec")
    File.write("spec/a_spec.rb", "RSpec.describe('a') { it { expect(1).to eq(1) } }\n")
    commands = [
      %w[--help], %w[--version], %w[-V], %w[help], %w[test --help], %w[test], %w[test missing],
      %w[test --coverage=no], %w[test --roles], %w[test --roles spec], %w[test --parallel 2]
    ]
    expect(commands.reject { |command| state(*command) == "on" }).to eq([])
  end

  it "is on as soon as a command has created many objects, or large ones" do
    directory = "modules/m/lib/puppet/functions/m"
    FileUtils.mkdir_p(directory)
    {few: "1", many: "Array.new(60_000) { Object.new }.size", large: "Array.new(20) { 'x' * (1 << 20) }.size"}.each do |name, body|
      File.write("#{directory}/#{name}.rb", "Puppet::Functions.create_function(:'m::#{name}') { def #{name} = #{body} }\n")
    end
    found = %w[few many large].map { |name| state("call", "m::#{name}", "--modulepath", "modules") }
    expect(found).to eq(%w[off on on])
    expect([[], %w[no-such-command], %w[eval 1]].map { |command| state(*command) }.uniq).to eq(%w[off])
  end
end
