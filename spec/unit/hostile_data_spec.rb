# frozen_string_literal: true

require "open3"
require "rbconfig"
require "timeout"
require "tmpdir"
require_relative "../support/answers"
require_relative "../support/module_tree"

# Data that stands for more than there is room for, and patterns that lead anywhere.
RSpec.describe Puppetfn::Runtime, "with hostile data" do
  include Answers

  around { |example| Dir.mktmpdir { |root| Dir.chdir(root) { example.run } } }

  # Each level has so many of the level before.
  def laughs(levels, width = 10)
    (1...levels).reduce("a0: &a0 [ha]\n") { |text, n| text + "a#{n}: &a#{n} [#{["*a#{n - 1}"].cycle(width).to_a.join(", ")}]\n" }
  end

  def environment(hierarchy, files = {})
    {"hiera.yaml" => "version: 5\nhierarchy: [{name: x, #{hierarchy}}]\n", **files}.each do |path, text|
      FileUtils.mkdir_p(File.dirname(path))
      File.write(path, text)
    end
    described_class.new(environment: Dir.pwd)
  end

  def puppetfn(*arguments)
    command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), *arguments]
    answer { Open3.capture2e(*command).then { |said, status| [said, status.exitstatus] } }
  end

  let(:too_much) { "a collection of more than 10000000 elements (limit 'elements'; raise it with Limits, Puppetfn.limits= or --limit)" }

  it "refuses aliases that multiply, wherever YAML is read" do
    runtime = environment("path: common.yaml", "data/common.yaml" => laughs(9), "laughs.yaml" => laughs(9))
    file = "#{Dir.pwd}/data/common.yaml"
    expect(answer { runtime.lookup("a0") }).to eq("Puppetfn::LimitError: Unable to parse (#{file}): #{too_much}")
    expect(puppetfn("lookup", "a0", "--environment", ".")).to eq(["error: Unable to parse (#{file}): #{too_much}\n", 1])
    expect(puppetfn("check", ".", "--environment", ".")).to match([/#{Regexp.escape(too_much)}/, 1])
    expect(puppetfn("eval", "1", "--facts", "laughs.yaml")).to eq(["error: --facts: laughs.yaml: #{too_much}\n", 2])
    expect(puppetfn("eval", "1", "--trusted", "laughs.yaml")).to eq(["error: --trusted: laughs.yaml: #{too_much}\n", 2])
    expect(puppetfn("compile", "web", "--enc", "laughs.yaml")).to eq(["error: --enc: laughs.yaml: #{too_much}\n", 1])
    File.rename("laughs.yaml", "hiera.yaml")
    expect(answer { described_class.new(environment: Dir.pwd).lookup("a0") })
      .to eq("Puppetfn::LimitError: (#{Dir.pwd}/hiera.yaml): #{too_much}")
    expect(puppetfn("check", ".", "--environment", ".")).to match([/#{Regexp.escape(too_much)}/, 1])
  end

  it "refuses those that Ruby has read" do
    require "yaml"
    data = YAML.load(laughs(9), aliases: true)
    expect(answer { described_class.new(facts: data) }).to start_with("Puppetfn::LimitError: ")
    runtime = environment("data_hash: d::h", "lib/puppet/functions/environment/h.rb" => <<~RUBY)
      Puppet::Functions.create_function(:'environment::h') do
        def h(*) = YAML.load(#{laughs(9).dump}, aliases: true)
      end
    RUBY
    expect(answer { runtime.call_function("environment::h").then { |value| runtime.call_function("flatten", value.values) } })
      .to start_with("Puppetfn::LimitError: ")
  end

  it "tests a module with a configuration of fixtures that has them" do
    environment("path: common.yaml", "spec/classes/m_spec.rb" => "RSpec.describe('m') { }", "metadata.json" => ModuleTree.metadata("a-m"),
                ".fixtures.yml" => laughs(9) + "fixtures: {symlinks: *a8}")
    expect(puppetfn("test").last).to eq(0)
  end

  it "refuses aliases that nest" do
    chain = (1..100_000).reduce(+"- &a0 []\n") { |text, n| text << "- &a#{n} [*a#{n - 1}]\n" }
    runtime = environment("path: common.yaml", "data/common.yaml" => "a:\n#{chain}")
    expect(answer { runtime.lookup("a") }).to include("nested more than 200 levels deep")
  end

  it "takes what is within the limits" do
    runtime = environment("path: common.yaml", "data/common.yaml" => laughs(6))
    expect(answer { runtime.lookup("a5").flatten.size }).to eq(100_000)
    expect(answer { (Puppetfn.limits = {elements: 1_000}) && environment("path: common.yaml").lookup("a5") })
      .to include("a collection of more than 1000 elements")
  end

  it "passes over what is no regular file where a pattern leads to it" do
    reader, writer = IO.pipe
    pipe = "/proc/self/fd/#{reader.fileno}"
    expect(File.exist?(pipe)).to be(true)
    # Others may be regular files.
    pattern = pipe.sub(/\d\z/, '[\0]')
    runtime = environment("globs: [\"#{pattern}\", \"/dev/zer?\", \"*.yaml\"]", "data/a.yaml" => "a: 1")
    File.mkfifo("data/b.yaml")
    expect(answer { runtime.lookup("a") }).to eq(1)
    expect(answer { runtime.lookup("b") }).to include("did not find a value for the name 'b'")
  ensure
    [reader, writer].each(&:close)
  end

  it "counts what patterns look at" do
    files = (1..30).to_h { |n| ["data/#{n % 3}/#{n}.yaml", "a: 1"] }
    runtime = environment('glob: "**/x*.yaml"', files)
    expect(answer { runtime.lookup("a", default: 2) }).to eq(2)
    expect(answer { (Puppetfn.limits = {size: 30}) && environment('glob: "**/x*.yaml"').lookup("a", default: 2) })
      .to eq("Puppetfn::LimitError: the pattern '#{Dir.pwd}/data/**/x*.yaml': would have more than 30 elements or bytes " \
             "(limit 'size'; raise it with Limits, Puppetfn.limits= or --limit)")
  end

  it "ends a search that is interrupted", :time do
    # Directories that lead to one another: too many for any patience.
    FileUtils.mkdir("data")
    10.times { |n| File.symlink(".", "data/#{n}") }
    environment("glob: '#{"*/" * 40}x.yaml'")
    patience = answer do
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      begin
        (Puppetfn.limits = {size: 1 << 40}) && Timeout.timeout(0.5) { described_class.new(environment: Dir.pwd).lookup("a") }
      rescue Timeout::Error
        Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
      end
    end
    expect(patience).to be_between(0.5, 2)
    expect(answer { described_class.new(environment: Dir.pwd).lookup("a") }).to include("limit 'size'")
  end
end
