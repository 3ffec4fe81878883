# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "timeout"
require "tmpdir"
require_relative "../support/module_tree"

# A run that goes on: which specs are run again after a change.
RSpec.describe "puppetfn test --watch" do
  root = File.expand_path("../..", __dir__)
  command = [RbConfig.ruby, File.join(root, "exe", "puppetfn"), "test"]

  files = {
    "metadata.json" => ModuleTree.metadata("a-tea"),
    "manifests/init.pp" => "class tea { include tea::cup }\n",
    "manifests/cup.pp" => "class tea::cup { notify { 'cup': } }\n",
    "manifests/pot.pp" => "class tea::pot { notify { 'pot': } }\n",
    "types/size.pp" => "type Tea::Size = Integer\n",
    "spec/spec_helper.rb" => "require 'rspec-puppet'\n",
    "spec/classes/tea_spec.rb" => "require 'spec_helper'\ndescribe('tea') { it { is_expected.to contain_notify('cup') } }\n",
    "spec/classes/pot_spec.rb" => "require 'spec_helper'\ndescribe('tea::pot') { it { is_expected.to contain_notify('pot') } }\n"
  }

  around { |example| Dir.mktmpdir { |directory| Dir.chdir(directory) { example.run } } }

  before { files.each { |path, text| write(path, text) } }

  def write(path, text)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  def comment(path) = File.write(path, "# A comment\n", mode: "a")

  # Runs the command for the length of a block.
  define_method(:watching) do |*arguments, &block|
    environment = {"XDG_CACHE_HOME" => File.join(Dir.pwd, "tmp/cache")}
    Open3.popen2e(environment, *command, "--watch", *arguments) do |input, output, thread|
      input.close
      block.call(output)
    ensure
      Process.kill(:KILL, thread.pid)
    end
  end

  # The number of spec files (0 for the first run) and the summary of their examples.
  def next_run(output)
    lines = []
    Timeout.timeout(120) { lines << output.readline(chomp: true) until lines.last == "Waiting for changes" }
    [lines.filter_map { |line| line[/\ARunning (\d+) of \d+ spec files\z/, 1]&.to_i }.sum, lines.grep(/\A\d+ examples?, /).last]
  end

  [[], ["--parallel", "2"]].each do |options|
    it "runs the specs that have evaluated a changed file#{", in several processes" if options.any?}" do
      watching(*options) do |output|
        expect(next_run(output)).to eq([0, "2 examples, 0 failures"])
        write("manifests/cup.pp", "class tea::cup { notify { 'mug': } }\n")
        expect(next_run(output)).to eq([1, "1 example, 1 failure"])
        # Failed examples can depend on any file.
        write("manifests/pot.pp", "class tea::pot { notify { ['pot', 'can']: } }\n")
        expect(next_run(output)).to eq([2, "2 examples, 1 failure"])
        write("manifests/cup.pp", files["manifests/cup.pp"])
        expect(next_run(output)).to eq([1, "1 example, 0 failures"])
        write("manifests/pot.pp", files["manifests/pot.pp"])
        expect(next_run(output)).to eq([1, "1 example, 0 failures"])
      end
    end
  end

  it "runs a changed or new spec file, and all specs where the change can matter to all" do
    watching do |output|
      next_run(output)
      comment("spec/classes/pot_spec.rb")
      expect(next_run(output)).to eq([1, "1 example, 0 failures"])
      write("spec/classes/cup_spec.rb", files["spec/classes/tea_spec.rb"].sub("'tea'", "'tea::cup'"))
      expect(next_run(output)).to eq([1, "1 example, 0 failures"])
      write("types/size.pp", "type Tea::Size = Float\n")
      expect(next_run(output)).to eq([3, "3 examples, 0 failures"])
      write("manifests/saucer.pp", "class tea::saucer { }\n")
      expect(next_run(output)).to eq([3, "3 examples, 0 failures"])
    end
  end

  it "does not start again because of files that the run writes" do
    write("spec/spec_helper.rb", "#{files["spec/spec_helper.rb"]}RSpec.configure { |c| c.example_status_persistence_file_path = 'spec/status' }\n")
    watching("--format", "progress", "--format", "json", "--out", "result.json") do |output|
      next_run(output)
      expect(File).to exist("spec/status").and exist("result.json")
      comment("spec/classes/pot_spec.rb")
      expect(next_run(output)).to eq([1, "1 example, 0 failures"])
      write("manifests/pot.pp", "class tea::pot { }\n")
      expect(next_run(output)).to eq([1, "1 example, 1 failure"])
    end
  end

  it "is refused where nothing is run again" do
    output, status = Open3.capture2e(*command, "--watch", "--coverage")
    expect([output, status.exitstatus]).to eq(["error: --watch cannot be combined with --coverage\n", 2])
  end
end
