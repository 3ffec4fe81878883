# frozen_string_literal: true

require_relative "support"

RSpec.describe "puppetfn compile --nodes" do
  include FleetOfNodes

  around { |example| with_fleet { |directory| (@directory = directory) && example.run } }

  attr_reader :directory

  let(:out) { "#{directory}/out" }

  # What all runs are to come to.
  let(:whole) do
    compile(directory, "#{directory}/whole")
    contents("#{directory}/whole")
  end

  it "compiles the catalog of each node, as `puppetfn compile NODE` does" do
    printed, complaints, code = compile(directory, out)
    expect([code, printed.lines.first]).to eq([0, "9 nodes: 9 compiled, 0 failed\n"])
    expect(complaints).to match(/\ANotice: Compiled 9 nodes in \d+\.\d s( with \d+ processes)?\n\z/)

    one, = puppetfn("compile", "web3.example.com", "--facts", "#{directory}/facts/web3.example.com.json",
                    "--environment", "#{directory}/repository", *options(directory))
    same = ->(json) { JSON.parse(json).except("catalog_uuid", "version") }
    expect(same.call(File.read("#{out}/catalogs/web3.example.com.json"))).to eq(same.call(one))
    expect(File.read("#{out}/messages/web3.example.com.txt")).to include("web server number 3")
  end

  it "counts messages, not lines that look like warnings" do
    File.write("#{directory}/repository/manifests/zzz.pp", %q[notice("one\nWarning: two") warning("three\nfour")])
    compile(directory, out)
    expect(Puppetfn::Fleet.merge(out)).to include("nodes" => 9, "warnings" => 9 + FleetOfNodes::NAMES.grep(/web/).size)
  end

  it "says which nodes have no catalog, and goes on" do
    File.write("#{directory}/repository/data/nodes/web2.example.com.yaml", "profile::base::packages: 1\n")
    printed, _, code = compile(directory, out)
    expect(code).to eq(1)
    expect(printed).to start_with("9 nodes: 8 compiled, 1 failed\n")
    expect(printed).to match(/parameter 'packages' .*expects a String value.*\n  on 1 node: web2\.example\.com\n/)
    error = JSON.parse(File.read("#{out}/errors/web2.example.com.json"))
    expect(error["message"]).not_to include("web2")
    expect(Dir.children("#{out}/catalogs").size).to eq(8)
  end

  it "comes to the same in parts" do
    whole
    3.downto(1) { |index| compile(directory, out, "--shard", "#{index}/3", "--jobs", "1") }
    expect(contents(out)).to eq(whole)
    printed, _, code = puppetfn("fleet", "merge", out)
    expect([printed.lines.first, code]).to eq(["9 nodes: 9 compiled, 0 failed\n", 0])
    expect(Dir.children(out)).to contain_exactly("catalogs", "errors", "exports", "messages", "parts")
  end

  it "takes the part that the environment names" do
    whole
    {"SLURM_ARRAY_TASK_ID" => "0", "SLURM_ARRAY_TASK_MIN" => "0", "SLURM_ARRAY_TASK_COUNT" => "2"}
      .then { |slurm| compile(directory, out, "--shard", "auto", environment: slurm) }
    _, complaints, code = puppetfn("fleet", "merge", out)
    expect([complaints, code]).to eq(["error: #{out}: shards are missing: 2/2 was not started\n", 1])
    compile(directory, out, "--shard", "auto", environment: {"CI_NODE_INDEX" => "2", "CI_NODE_TOTAL" => "2"})
    expect(contents(out)).to eq(whole)
    expect(compile(directory, out, "--shard", "auto")[1]).to start_with("error: --shard: no shard is known: ")
  end

  it "goes on after it was stopped" do
    whole
    # The classifier of the sixth node waits, and the run is stopped meanwhile.
    waiting = "#{directory}/waiting"
    script = File.read("#{directory}/repository/scripts/classifier.sh")
    File.write("#{directory}/repository/scripts/classifier.sh", script.sub("\n", <<~SH))

      if [ "$1" = web6.example.com ] && [ -e #{waiting} ]; then sleep 100; fi
    SH
    compile(directory, "#{directory}/again")
    FileUtils.touch(waiting)
    child = Process.spawn(*Puppetfn::CLI.command, "compile", "--nodes", "#{directory}/facts", "--environment", "#{directory}/repository",
                          *options(directory), "--out", out, "--jobs", "1", err: File::NULL, pgroup: true)
    sleep 0.05 until Dir.glob("#{out}/catalogs/web5*").any?
    sleep 0.2
    Process.kill(:TERM, -Process.getpgid(child))
    Process.wait(child)
    expect(puppetfn("fleet", "merge", out)[1]).to match(%r{shards are missing: 1/1 was stopped after \d of 9 nodes})

    FileUtils.rm(waiting)
    expect(compile(directory, out)[1]).to eq("error: #{out} has a run that was stopped: resume it with --resume, or name another folder\n")
    _, complaints, code = compile(directory, out, "--resume")
    expect(code).to eq(0)
    expect(complaints).to match(/Compiled \d nodes .*; \d compiled by earlier runs/)
    expect(contents(out)).to eq(contents("#{directory}/again"))
    # Facts and catalogs are neither code nor data, though they may be beside these.
    FileUtils.mv([out, "#{directory}/facts"], "#{directory}/repository")
    _, complaints, = puppetfn("compile", "--nodes", "facts", "--environment", ".", *options(directory), "--out", "out", "--resume",
                              chdir: "#{directory}/repository")
    expect(complaints).to include("Compiled 0 nodes").and include("9 compiled by earlier runs")
    FileUtils.mv(["#{directory}/repository/out", "#{directory}/repository/facts"], directory)
    File.write("#{directory}/repository/data/common.yaml", "#\n", mode: "a")
    expect(compile(directory, out, "--resume")[1]).to include("has a run with other code, data or options")
  end

  it "loses one node with a process that ends" do
    File.write("#{directory}/repository/modules/crash.rb", "")
    FileUtils.mkdir_p("#{directory}/repository/modules/crash/lib/puppet/functions")
    File.write("#{directory}/repository/modules/crash/lib/puppet/functions/crash.rb",
               "Puppet::Functions.create_function(:crash) do\n  def crash = Process.kill(:KILL, Process.pid)\nend\n")
    File.write("#{directory}/repository/manifests/zzz.pp", "if $facts['networking']['fqdn'] == 'web4.example.com' { crash() }\n")
    printed, _, code = compile(directory, out)
    expect(code).to eq(1)
    expect(printed).to start_with("9 nodes: 8 compiled, 1 failed\n")
    expect(printed).to match(/ended \(signal: 9 \(SIGKILL\)\): no answer\n  on 1 node: web4/)
  end

  it "reads exports of PuppetDB, and lists of names" do
    whole
    rows = FleetOfNodes::NAMES.grep(/web/).map do |name|
      {"certname" => name, "environment" => "production", "facts" => JSON.parse(File.read("#{directory}/facts/#{name}.json"))}
    end
    rows.each { |row| row["facts"] = row["facts"].fetch("values", row["facts"]) }
    File.write("#{directory}/export.json", JSON.generate(rows))
    File.write("#{directory}/names.txt", "# Those of Berlin.\nweb1.example.com\n\nweb2.example.com # the second\n")
    common = ["--environment", "#{directory}/repository", *options(directory)]
    expect(puppetfn("compile", "--nodes", "#{directory}/export.json", "--out", out, *common)[0]).to start_with("8 nodes: 8 compiled")
    printed, = puppetfn("compile", "--nodes", "#{directory}/names.txt", "--facts-for", "#{directory}/facts/{}.json",
                        "--out", "#{directory}/listed", *common)
    expect(printed).to start_with("2 nodes: 2 compiled")
    expect(whole).to include(contents("#{directory}/listed"))
  end

  it "says what is wrong with the arguments once" do
    expect(compile(directory, out, "--shard", "4/3")[1]).to eq("error: --shard: there is no shard 4 of 3: shards are numbered from 1 to 3\n")
    File.write("#{directory}/facts/web1.example.com.yaml", "{}")
    expect(compile(directory, out)[1]).to match(/duplicate node web1\.example\.com: .*web1.* and .*web1/)
    empty = Dir.mkdir("#{directory}/empty") && "#{directory}/empty"
    expect(puppetfn("compile", "--nodes", empty, "--out", out, "--environment", "#{directory}/repository")[1]).to include("there are no nodes")
    expect(puppetfn("fleet", "merge", empty)[1]).to include("it has no folder `parts`")
  end
end
