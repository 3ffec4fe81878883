# frozen_string_literal: true

require_relative "support"

RSpec.describe Puppetfn::Fleet do
  include FleetOfNodes

  around { |example| with_fleet { |directory| (@directory = directory) && example.run } }

  attr_reader :directory

  let(:given) { {nodes: "#{directory}/facts", enc: "#{directory}/repository/scripts/classifier.sh", environment_name: "production"} }

  def with_variables(variables)
    before = ENV.to_h.slice(*variables.keys)
    ENV.update(variables)
    yield
  ensure
    variables.each_key { |name| ENV[name] = before[name] }
  end

  it "compiles nodes, in parts too" do
    out = "#{directory}/out"
    environment = "#{directory}/repository"
    expect(described_class.compile(**given, out: out, environment: environment, shard: "1/2")).to be_nil
    expect { described_class.merge(out) }.to raise_error(Puppetfn::Error, "#{out}: shards are missing: 2/2 was not started")
    described_class.compile(**given, out: out, environment: environment, shard: "2/2")
    expect(described_class.merge(out)).to include("nodes" => 9, "compiled" => 9, "failed" => 0, "problems" => [])
    expect { described_class.compile(**given, out: out, environment: "/none") }.to raise_error(ArgumentError, %r{\Aenvironment: /none: No such file})
  end

  it "takes the shard from the variables of a scheduler" do
    out = "#{directory}/out"
    (1..2).each do |index|
      with_variables("PARALLEL_SEQ" => index.to_s, "PUPPETFN_SHARDS" => "2") do
        described_class.compile(**given, out: out, environment: "#{directory}/repository", shard: "auto")
      end
    end
    expect(described_class.merge(out)).to include("nodes" => 9, "compiled" => 9)
    expect { described_class.compile(**given, out: out, environment: "/none", shard: "3/2") }
      .to raise_error(ArgumentError, "shard: there is no shard 3 of 2: shards are numbered from 1 to 2")
  end

  it "stops its processes when the thread is interrupted" do
    waiting = "#{directory}/waiting"
    FileUtils.touch(waiting)
    File.write("#{directory}/classifier", "#!/bin/sh\ntouch #{directory}/started\nwhile [ -e #{waiting} ]; do sleep 0.1; done\n", perm: 0o755)
    work = Thread.new do
      described_class.compile(**given, enc: "#{directory}/classifier", out: "#{directory}/out", environment: "#{directory}/repository")
    end
    work.report_on_exception = false
    # Other threads run meanwhile.
    sleep 0.01 until File.exist?("#{directory}/started")
    work.raise(Interrupt, "enough")
    # The classifier would wait for longer.
    expect { expect(work.join(60)).to be(work) }.to raise_error(Interrupt, "enough")
    expect { described_class.merge("#{directory}/out") }.to raise_error(Puppetfn::Error, /shards are missing: 1\/1 was stopped after 0 of 9 nodes/)
  ensure
    FileUtils.rm_f(waiting)
  end

  it "says why nodes have no catalog" do
    File.write("#{directory}/repository/manifests/zzz.pp", "fail('no')\n")
    summary = described_class.compile(**given, out: "#{directory}/out", environment: "#{directory}/repository")
    expect(summary).to include("compiled" => 0, "failed" => 9)
    expect(summary["problems"].first).to include("message" => /no \(file: .*zzz.pp, line: 1/, "nodes" => FleetOfNodes::NAMES.sort)
  end

  it "compares catalogs" do
    FileUtils.cp_r("#{directory}/repository", "#{directory}/changed")
    File.write("#{directory}/changed/manifests/zzz.pp", "file { '/tmp/new': }\n")
    report = described_class.diff("#{directory}/repository", "#{directory}/changed", **given)
    expect(report["summary"]).to eq("nodes" => 9, "changed" => 9, "unchanged" => 0, "failed" => 0)
    ignored = described_class.diff("#{directory}/repository", "#{directory}/changed", **given, ignore: ["File[/tmp/*]"], no_containment: true)
    expect(ignored["groups"]).to eq([])
    expect { described_class.diff("a", "b", **given) }.to raise_error(Puppetfn::Error, /OLD: a is not a directory, a file or a Git reference/)
  end
end
