# frozen_string_literal: true

require "open3"
require "rbconfig"
require "socket"
require "tmpdir"
require_relative "../support/answers"

# What is no regular file is not read where nobody has named it, and nothing is waited for.
RSpec.describe Puppetfn::Runtime, "with special files" do
  include Answers

  around { |example| Dir.mktmpdir { |root| Dir.chdir(root) { example.run } } }

  let(:root) { Dir.pwd }

  def place(path)
    FileUtils.mkdir_p(File.dirname(path))
    path
  end

  def write(path, text)
    File.write(place(path), text)
  end

  def runtime
    described_class.new(modulepath: [root])
  end

  def puppetfn(*arguments)
    command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), *arguments]
    answer { Open3.capture2e(*command).then { |said, status| [said, status.exitstatus] } }
  end

  # Where modules have files, and what reads each.
  readers = {
    "m/lib/puppet/functions/m/f.rb" => ->(runtime) { runtime.call_function("m::f") },
    "m/lib/puppet/parser/functions/f.rb" => ->(runtime) { runtime.call_function("f") },
    "m/functions/f.pp" => ->(runtime) { runtime.call_function("m::f") },
    "m/types/t.pp" => ->(runtime) { runtime.type("M::T").instance?(1) },
    "m/lib/puppet/datatypes/t.rb" => ->(runtime) { runtime.evaluate_string("T.new") },
    "m/lib/puppet/type/t.rb" => ->(runtime) { runtime.evaluate_string("t { 'a': }") },
    "m/manifests/init.pp" => ->(runtime) { runtime.evaluate_string("include m") },
    "m/manifests/c.pp" => ->(runtime) { runtime.evaluate_string("m::c { 'a': }") },
    "m/templates/t.epp" => ->(runtime) { runtime.call_function("epp", "m/t.epp") },
    "m/templates/t.erb" => ->(runtime) { runtime.call_function("template", "m/t.erb") },
    "m/files/f" => ->(runtime) { runtime.call_function("file", "m/f") },
    "m/hiera.yaml" => ->(runtime) { runtime.lookup("m::x") },
    "m/data/common.yaml" => ->(runtime) { runtime.lookup("m::x") },
    "m/metadata.json" => ->(runtime) { runtime.environment.module("m").version }
  }

  readers.each do |path, read|
    it "says that #{path} is a FIFO" do
      write("m/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: common.yaml}]\n") unless path == "m/hiera.yaml"
      File.mkfifo(place(path))
      expect(answer { read.call(runtime) }).to include("#{root}/#{path} cannot be read: it is a FIFO, not a regular file")
    end
  end

  it "says it of files that functions in Ruby require" do
    File.mkfifo(place("m/lib/puppet_x/helper.rb"))
    {"require" => "puppet_x/helper", "require_relative" => "../../../puppet_x/helper"}.each do |how, feature|
      write("m/lib/puppet/functions/m/#{how}.rb",
            "#{how} '#{feature}'\nPuppet::Functions.create_function(:'m::#{how}') { def #{how} = 1 }")
      expect(answer { runtime.call_function("m::#{how}") })
        .to eq("ArgumentError: #{root}/m/lib/puppet_x/helper.rb cannot be read: it is a FIFO, not a regular file")
    end
  end

  it "says what else there is" do
    functions = place("m/lib/puppet/functions/m/f.rb")
    UNIXServer.open("#{File.dirname(functions)}/a.rb") do
      File.symlink("/dev/zero", "#{File.dirname(functions)}/b.rb")
      File.symlink("c.rb", "#{File.dirname(functions)}/c.rb")
      expect(answer { runtime.call_function("m::a") }).to end_with("a.rb cannot be read: it is a socket, not a regular file")
      expect(answer { runtime.call_function("m::b") }).to end_with("b.rb cannot be read: it is a character device, not a regular file")
      expect(answer { runtime.call_function("m::c") }).to include("c.rb cannot be read: Too many levels of symbolic links")
    end
    expect(answer { runtime.call_function("file", root) }).to end_with("#{root} cannot be read: it is a directory, not a regular file")
    expect(runtime.call_function("file", "/nothing", "/dev/null")).to eq("")
  end

  it "opens no FIFO that takes the place of a file that was there" do
    File.mkfifo("fifo")
    allow(File).to receive(:stat).and_return(File.lstat(__FILE__))
    expect(answer { Puppetfn::RegularFile.read("fifo") }).to eq("Puppetfn::OperationError: fifo cannot be read: it is a FIFO, not a regular file")
  end

  it "reads no file that is larger than the limit" do
    write("m/files/large", "")
    File.truncate("m/files/large", 1 << 40)
    write("m/lib/puppet/functions/m/f.rb", "Puppet::Functions.create_function(:'m::f') { def f = 1 }#{" " * 200}")
    expect(answer { runtime.call_function("file", "m/large") }).to eq(
      "Puppetfn::LimitError: The file #{root}/m/files/large cannot be read: it has more than 67108864 bytes " \
      "(limit 'file'; raise it with Limits, Puppetfn.limits= or --limit)"
    )
    expect(answer { (Puppetfn.limits = {file: 100}) && runtime.call_function("m::f") })
      .to start_with("Puppetfn::LimitError: #{root}/m/lib/puppet/functions/m/f.rb cannot be read: it has more than 100 bytes")
    expect(answer { (Puppetfn.limits = {file: 1000}) && runtime.call_function("m::f") }).to eq(1)
    expect(puppetfn("call", "file", "m/large", "--modulepath", root, "--limit", "file=5"))
      .to match([/it has more than 5 bytes \(limit 'file';/, 1])
  end

  it "reads files whose size says nothing, and files that grow while they are read" do
    expect(Puppetfn::RegularFile.read("/proc/self/status")).to include("VmPeak") if File.exist?("/proc/self/status")
    write("growing", "a" * 100)
    File.open("growing", "rb") do |file|
      allow(file).to receive(:size).and_return(1)
      allow(File).to receive(:open).with("growing", "rb").and_yield(file)
      expect(Puppetfn::RegularFile.read_named("growing")).to eq("a" * 100)
    end
  end

  it "collects no garbage for small files, whatever the limit" do
    before = GC.count
    200.times { Puppetfn::RegularFile.read(__FILE__) }
    expect(GC.count - before).to be < 20
  end

  it "checks, documents and validates directories that have them" do
    write("m/manifests/init.pp", "class m { }")
    write("m/lib/puppet/type/t.rb", "Puppet::Type.newtype(:t) { newparam(:name) }")
    write("m/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: common.yaml}]\n")
    %w[m/manifests/c.pp m/data/common.yaml m/lib/puppet/functions/m/f.rb m/lib/puppet/provider/t/a.rb].each { |path| File.mkfifo(place(path)) }
    expect(puppetfn("check", "m", "--modulepath", root))
      .to match([%r{error: it is a FIFO.*\n.*m/manifests/c.pp:1:1(.|\n)*error: .*it is a FIFO.*\n.*m/data/common.yaml:1:1}, 1])
    expect(puppetfn("validate", "m")).to eq(["error: m/manifests/c.pp: it is a FIFO, not a regular file\n", 1])
    expect(puppetfn("doc", "m")).to match([%r{error: m/lib/puppet/functions/m/f.rb: it is a FIFO}, 1])
    expect(puppetfn("list", "--modulepath", root)).to match([%r{error: m::f: .*f.rb cannot be read: it is a FIFO}, 1])
  end

  it "compiles no environment of them" do
    write("site.pp", "")
    %w[environment.conf manifests].each do |name|
      File.mkfifo(name)
      expect(puppetfn("compile", "web", "--environment", ".")).to eq(["error: #{root}/#{name}: it is a FIFO, not a regular file\n", 1])
      File.delete(name)
    end
  end

  it "tests no module of them" do
    write("spec/classes/m_spec.rb", "RSpec.describe('m') { }")
    ["spec/functions/f_spec.rb", ".fixtures.yml", "metadata.json"].each do |path|
      File.mkfifo(place(path))
      expect(puppetfn("test")).to match([/#{path} cannot be read: it is a FIFO, not a regular file/, 1])
      File.delete(path)
    end
  end

  it "reads pipes that a user names" do
    shell = lambda do |arguments|
      command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__)].join(" ")
      answer { Open3.capture2e("bash", "-c", "#{command} #{arguments}").first }
    end
    expect(shell.call(%q(eval --facts <(echo '{"a": "b"}') '$facts["a"]'))).to eq("b\n")
    expect(shell.call(%q(eval --facts /dev/stdin '$facts["a"]' <<< 'a: c'))).to eq("c\n")
    expect(shell.call(%q(parse <(echo '$a')))).to eq("(var \"a\")\n")
    expect(shell.call(%q(compile web --manifest <(echo 'notify { a: }') --format text))).to include("a")
    write("common.yaml", "a: 1")
    config = "version: 5\nhierarchy: [{name: a, path: #{root}/common.yaml}]"
    expect(shell.call("lookup a --hiera-config <(echo '#{config}')")).to eq("--- 1\n")
    expect(shell.call("lookup a --hiera-config /dev/zero")).to include("it has more than 67108864 bytes (limit 'file'")
    expect(shell.call("validate <(echo '1 +')")).to include("Syntax error")
  end

  it "answers at once where a directory has 100,000 entries" do
    FileUtils.mkdir_p(%w[m/lib/puppet/functions/m])
    100_000.times { |number| File.symlink("x", "m/lib/puppet/functions/m/f#{number}.rb") }
    expect(answer { runtime.call_function("m::g") }).to eq("ArgumentError: Unknown function 'm::g'")
    expect(answer { runtime.list_functions(/\Am::/).size }).to eq(100_000)
  end
end
