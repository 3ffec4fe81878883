# frozen_string_literal: true

require "tmpdir"
require "puppetfn/cache_directory"

RSpec.describe Puppetfn::CacheDirectory do
  around { |example| Dir.mktmpdir("cache") { |directory| Dir.chdir(directory) { example.run } } }

  let(:path) { File.join(Dir.pwd, "puppetfn", "test", "times.json") }

  def modes
    [path, File.dirname(path), File.dirname(path, 2)].map { |place| (File.stat(place).mode & 0o777).to_s(8) }
  end

  it "is in the user's directory of caches, unless there is none" do
    stub_const("ENV", {"XDG_CACHE_HOME" => "/caches"})
    expect(described_class.path).to eq("/caches/puppetfn")
    stub_const("ENV", {"XDG_CACHE_HOME" => ""})
    allow(Dir).to receive(:home).and_return("/home/ada")
    expect(described_class.path).to eq("/home/ada/.cache/puppetfn")
    allow(Dir).to receive(:home).and_raise(ArgumentError)
    expect(described_class.path).to be_nil
  end

  it "has files and directories for the user alone, whatever the umask" do
    old = File.umask(0)
    described_class.replace(path) { |file| file.write("old") }
    expect(modes).to eq(%w[600 700 700])
    File.chmod(0o666, path)
    described_class.replace(path) { |file| file.write("new") }
    expect([File.read(path), *modes]).to eq(%w[new 600 700 700])
  ensure
    File.umask(old)
  end

  it "replaces files at once" do
    described_class.replace(path) { |file| file.write("old") }
    reader = File.open(path)
    described_class.replace(path) do |file|
      file.write("half")
      file.flush
      expect(File.read(path)).to eq("old")
      file.write(" and half")
    end
    expect([reader.read, File.read(path), Dir.children(File.dirname(path))]).to eq(["old", "half and half", ["times.json"]])
  end

  it "leaves the file as it was when it cannot be written" do
    described_class.replace(path) { |file| file.write("old") }
    [Errno::ENOSPC, IOError].each do |error|
      expect { described_class.replace(path) { |file| file.write("half") && raise(error) } }.to raise_error(error)
    end
    expect([File.read(path), Dir.children(File.dirname(path))]).to eq(["old", ["times.json"]])
  end

  it "replaces a symbolic link, not its target" do
    FileUtils.mkdir_p(File.dirname(path))
    File.write("target", "mine")
    File.symlink(File.expand_path("target"), path)
    described_class.replace(path) { |file| file.write("new") }
    expect([File.read("target"), File.read(path), File.symlink?(path)]).to eq(["mine", "new", false])
  end
end
