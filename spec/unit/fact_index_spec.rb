# frozen_string_literal: true

require "json"
require "open3"
require "tmpdir"

RSpec.describe "the index of facts" do
  around { |example| Dir.mktmpdir("facts") { |directory| Dir.chdir(directory) { example.run } } }

  let(:index) { "cache/puppetfn/facts.json" }

  def write(version, name: "Debian", **others)
    FileUtils.mkdir_p("facts/#{version}")
    facts = {"facterversion" => "#{version}.1", "os" => {"name" => name, "family" => name, "hardware" => "x86_64", "release" => {"full" => "12.1", "major" => "12"}}}
    File.write("facts/#{version}/debian-12-x86_64.facts", JSON.generate(facts.merge(others)))
  end

  # Prints the value of a fact of Debian 12 for Facter 4.5, and the files that were read.
  def run(fact = :kernel)
    FileUtils.mkdir_p("spec")
    File.write("spec/facts_spec.rb", <<~RUBY)
      require "rspec-puppet-facts"
      include RspecPuppetFacts
      read = []
      Puppetfn::RegularFile.singleton_class.prepend(Module.new do
        define_method(:read) do |path, *options|
          read << path if path.end_with?(".facts")
          super(path, *options)
        end
      end)
      describe "facts" do
        supported = [{"operatingsystem" => "Debian", "operatingsystemrelease" => ["12"]}]
        value = on_supported_os(supported_os: supported, facterversion: "4.5").values.first&.fetch(:#{fact}, nil)
        it { $stdout.puts("FOUND \#{[value, read.uniq.map { |path| path[%r{4[.]\\d}] }].inspect}") }
      end
    RUBY
    environment = {"FACTERDB_SEARCH_PATHS" => "facts", "FACTERDB_SKIP_DEFAULTDB" => "1", "XDG_CACHE_HOME" => File.join(Dir.pwd, "cache")}
    output, = Open3.capture2e(environment, *Puppetfn::CLI.command, "test")
    output[/FOUND (.*)/, 1] || output
  end

  before do
    write("4.4", kernel: "old")
    write("4.5", kernel: "right")
    write("4.6", kernel: "new")
  end

  it "has one file of a system read from the second run on" do
    expect([run, run]).to eq(['["right", ["4.4", "4.5", "4.6"]]', '["right", ["4.5"]]'])
  end

  it "notices files that have changed, were added or are gone" do
    run
    write("4.5", name: "Devuan", kernel: "other")
    expect(run).to eq('["old", ["4.5", "4.4"]]')
    write("4.5", kernel: "back")
    expect(run).to eq('["back", ["4.5"]]')
    File.delete("facts/4.5/debian-12-x86_64.facts")
    expect(run).to eq('["old", ["4.4"]]')
  end

  it "is written again if it cannot be read" do
    run
    ["", "[]", '{"facts": 1}', "no JSON"].each do |content|
      File.write(index, content)
      expect([content, run]).to eq([content, '["right", ["4.4", "4.5", "4.6"]]'])
    end
    expect(JSON.parse(File.read(index)).size).to eq(3)
  end
end
