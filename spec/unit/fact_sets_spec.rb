# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "tmpdir"

# Selection of sets of facts by `on_supported_os`, as in rspec-puppet-facts.
RSpec.describe "facts of supported systems" do
  facts = lambda do |name, full, major, hardware|
    {"facterversion" => "4.11.0", "os" => {"name" => name, "family" => name, "hardware" => hardware, "release" => {"full" => full, "major" => major}}}
  end
  sets = {
    "windows-2012 r2-x86_64.facts" => facts.call("windows", "2012 R2", "2012 R2", "x86_64"),
    "windows-2012-x86_64.facts" => facts.call("windows", "2012", "2012", "x86_64"),
    "aix-7200-powerpc.facts" => facts.call("AIX", "7200-05-03-2148", "7200", "IBM,9009-22A"),
    "amazon-2-x86_64.facts" => facts.call("Amazon", "2", "2", "x86_64"),
    "amazon-2023-x86_64.facts" => facts.call("Amazon", "2023.1.20230725", "2023", "x86_64"),
    "freebsd-14-amd64.facts" => facts.call("FreeBSD", "14.0-RELEASE", "14", "amd64")
  }.freeze
  supported = {
    "Windows" => [["Server 2012 R2"], "windows-2012 R2-x86_64"], "windows" => [["2012"], "windows-2012-x86_64"],
    "AIX" => [["7.2"], "aix-7200-IBM,9009-22A"], "Amazon" => [["2"], "amazon-2-x86_64"], "FreeBSD" => [["14"], "freebsd-14-amd64"]
  }.freeze

  def run(sets, spec)
    Dir.mktmpdir do |directory|
      FileUtils.mkdir_p(["#{directory}/spec/unit", "#{directory}/facts"])
      File.write("#{directory}/spec/unit/facts_spec.rb", spec)
      sets.each { |name, set| File.write("#{directory}/facts/#{name}", JSON.generate(set)) }
      environment = {"FACTERDB_SEARCH_PATHS" => "#{directory}/facts", "XDG_CACHE_HOME" => directory}.merge(sets.empty? ? {} : {"FACTERDB_SKIP_DEFAULTDB" => "1"})
      Open3.capture2e(environment, *Puppetfn::CLI.command, "test", chdir: directory).first
    end
  end

  it "are those whose release begins as metadata.json says" do
    expectations = supported.map do |name, (releases, id)|
      "it { expect(on_supported_os(supported_os: [{'operatingsystem' => '#{name}', 'operatingsystemrelease' => #{releases}}]).keys).to eq(['#{id}']) }"
    end
    output = run(sets, "require 'rspec-puppet-facts'\ninclude RspecPuppetFacts\ndescribe('facts') do\n#{expectations.join("\n")}\nend")
    expect(output).to include("5 examples, 0 failures")
  end

  it "are others for each call" do
    output = run(sets, <<~RUBY)
      require 'rspec-puppet-facts'
      include RspecPuppetFacts
      describe 'facts' do
        supported = [{'operatingsystem' => 'FreeBSD', 'operatingsystemrelease' => ['14']}]
        first = on_supported_os(supported_os: supported).each_value { |facts| facts[:os]['name'] << 'x' }
        it { expect(first.each_value.map { |facts| facts[:os]['name'] }).to eq(['FreeBSDx']) }
        it { expect(on_supported_os(supported_os: supported).each_value.map { |facts| facts[:os]['name'] }).to eq(['FreeBSD']) }
      end
    RUBY
    expect(output).to include("2 examples, 0 failures")
  end

  it "have the name of a release where they are made up" do
    output = run({}, <<~RUBY)
      require 'rspec-puppet-facts'
      include RspecPuppetFacts
      describe 'facts' do
        found = on_supported_os(supported_os: [{'operatingsystem' => 'Debian', 'operatingsystemrelease' => ['12']}])
        it { expect(found.each_value.map { |facts| facts[:os]['distro']['codename'] }).to eq(['bookworm']) }
      end
    RUBY
    expect(output).to include("1 example, 0 failures")
  end

  it "are also in files with names of nodes, but not in those of other systems" do
    debian = facts.call("Debian", "12.5", "12", "x86_64")
    broken = Class.new { def to_json(*) = "no JSON" }.new
    expectation = "it { expect(on_supported_os(supported_os: [{'operatingsystem' => 'Debian', 'operatingsystemrelease' => ['12']}]).keys).to eq(['debian-12-x86_64']) }"
    output = run({"web1.example.com.facts" => debian, "centos-9-x86_64.facts" => broken}, "require 'rspec-puppet-facts'\ninclude RspecPuppetFacts\ndescribe('facts') { #{expectation} }")
    expect(output).to include("1 example, 0 failures")
  end

  it "are missed aloud where there are none of a system" do
    asked = "on_supported_os(supported_os: [{'operatingsystem' => 'Amazon', 'operatingsystemrelease' => ['2']}, " \
            "{'operatingsystem' => 'SLES', 'operatingsystemrelease' => ['15', '12']}, {'operatingsystem' => 'Gentoo'}])"
    output = run(sets, "require 'rspec-puppet-facts'\ninclude RspecPuppetFacts\ndescribe('facts') { #{asked}.each { |id, _| it(id) { } } }")
    expect(output).to include("1 example, 0 failures", "puppetfn test: there are no facts of SLES 15, SLES 12, Gentoo, so there are no examples")
  end
end
