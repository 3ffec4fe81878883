# frozen_string_literal: true

require_relative "support"

# Exported resources among the nodes of a run. The expectations are the answers of Puppet 8.11 with PuppetDB's termini.
RSpec.describe "Exported resources" do
  include FleetOfNodes

  around { |example| Dir.mktmpdir("puppetfn-exports-spec-") { |directory| (@directory = directory) && example.run } }

  attr_reader :directory

  let(:web) do
    <<~PUPPET
      define conf($secret = 'none', $at = undef) { notify { "conf ${title}": message => "${secret} ${at}" } }
      node /^web/ {
        $host = $trusted['hostname']
        @@notify { $host: message => [Integer[1, 2], default, {b => 1, aa => undef, a => Binary('aGk=')}, 1.0], tag => ['Web', 'b', 'a'] }
        @@file { "conf of ${host}": path => "/etc/${host}", content => Sensitive('s3cret'), mode => '0644' }
        @@conf { $host: secret => Sensitive('s3cret'), at => Timestamp(0) }
      }
    PUPPET
  end

  # Compiles nodes, and returns the output, the error output and the exit code of the command.
  def compiled(code, *nodes, out: "out", options: [])
    FileUtils.mkdir_p("#{directory}/code/manifests")
    File.write("#{directory}/code/manifests/site.pp", code)
    File.write("#{directory}/nodes", nodes.map { |node| "#{node}.example.com\n" }.join)
    puppetfn("compile", "--nodes", "#{directory}/nodes", "--environment", "#{directory}/code", "--out", "#{directory}/#{out}", *options)
  end

  def catalog(node, out: "out")
    JSON.parse(File.read("#{directory}/#{out}/catalogs/#{node}.example.com.json"))
  end

  # Resources of a node by their references.
  def resources(node, out: "out")
    catalog(node, out: out)["resources"].to_h { |resource| ["#{resource["type"]}[#{resource["title"]}]", resource] }
  end

  it "are collected by other nodes, with the values that PuppetDB has" do
    compiled("#{web} class lb { Notify <<| tag == 'WEB' |>> Conf <<| |>> } node 'lb.example.com' { include lb File { owner => 'root' } File <<| |>> }",
             "web1", "web2", "lb")
    expect(resources("lb")).to include(
      "Notify[web2]" => {"type" => "Notify", "title" => "web2", "tags" => %w[web a b notify web2 class lb node lb.example.com],
                         "exported" => false, "kind" => "compilable_type",
                         "parameters" => {"tag" => %w[Web a b], "message" => ["Integer[1, 2]", "default", {"a" => "aGk=", "b" => 1, "aa" => nil}, 1.0]}},
      "File[conf of web1]" => a_hash_including("parameters" => {"mode" => "0644", "path" => "/etc/web1", "alias" => ["/etc/web1"], "owner" => "root"}),
      "Conf[web1]" => a_hash_including("parameters" => {"at" => "1970-01-01T00:00:00.000000000 UTC", "secret" => "none"}),
      "Notify[conf web1]" => a_hash_including("parameters" => {"message" => "none 1970-01-01T00:00:00.000000000 UTC"})
    )
    expect(resources("web1").keys.grep(/web1/)).to eq([])
    expect(catalog("lb")["edges"]).to include({"source" => "Class[Lb]", "target" => "Notify[web1]"}, {"source" => "Node[lb.example.com]", "target" => "File[conf of web1]"})
    expect(Dir.glob("#{directory}/out/**/*").select { |path| File.file?(path) && File.read(path).include?("s3cret") }).to eq([])
  end

  it "of the node itself keep their values, and are compared as code compares" do
    compiled(<<~PUPPET, "web1", "web2")
      node /^web(.)/ { @@notify { "n${1}": message => Timespan(1), tag => 'x' } Notify <<| title == 'N1' or tag == 'X' |>> }
    PUPPET
    own = {"message" => {"__ptype" => "Timespan", "__pvalue" => "0-00:00:01.0"}, "tag" => "x"}
    expect(resources("web1")["Notify[n1]"]).to include("exported" => true, "parameters" => own)
    expect(resources("web1")["Notify[n2]"]).to include("exported" => false, "parameters" => {"tag" => "x", "message" => "0-00:00:01.0"})
  end

  {
    "tag == 'DB'" => %w[db], "tag != 'db'" => %w[Web], "title == 'web'" => [], "title == 'Web'" => %w[Web],
    "message == 'A'" => [], "message == 'a'" => %w[Web], "noop == true" => %w[db], "noop != true" => %w[Web],
    "(tag == 'db' and noop == true) or message == 'a'" => %w[Web db], "" => %w[Web db]
  }.each do |condition, titles|
    it "are selected by <<| #{condition} |>>, in the order of the nodes" do
      compiled(<<~PUPPET, "a", "b", "c")
        node 'a.example.com' { @@notify { 'Web': message => 'a' } }
        node 'b.example.com' { @@notify { 'db': noop => true } }
        node 'c.example.com' { Notify <<| #{condition} |>> { withpath => true } -> notify { 'last': } }
      PUPPET
      collected = resources("c").keys.grep(/Notify/) - ["Notify[last]"]
      expect(collected).to eq(titles.map { |title| "Notify[#{title}]" })
      expect(resources("c").values_at(*collected).map { |notify| notify["parameters"].slice("withpath", "before") })
        .to all(eq("withpath" => true, "before" => ["Notify[last]"]))
    end
  end

  it "of two nodes with the same title are an error, as is one that the catalog has" do
    message = "A duplicate resource was found while collecting exported resources, with the type and title Notify[x]"
    printed, = compiled("node /^web/ { @@notify { 'x': } } node 'a.example.com' { Notify <<| |>> } node 'b.example.com' { notify { 'x': } Notify <<| |>> }",
                        "web1", "web2", "a", "b")
    expect(printed).to include("#{message}\n  on 2 nodes: a.example.com, b.example.com\n")
  end

  it "settle where nodes export what they have made of those of others" do
    compiled(<<~PUPPET, *%w[a b c d])
      define link($next) { @@notify { "from ${title}": message => $next } }
      node 'a.example.com' { @@link { 'one': next => 'b' } }
      node 'b.example.com' { Link <<| |>> }
      node 'c.example.com' { Notify <<| |>> @@file { '/c': } }
      node 'd.example.com' { Notify <<| |>> File <<| |>> }
    PUPPET
    expect([resources("b"), resources("c"), resources("d")].map { |all| all.keys.grep(/Notify|File|Link/) })
      .to eq([["Link[one]"], ["Notify[from one]"], ["Notify[from one]", "File[/c]"]])
  end

  it "that never settle are an error" do
    _, complaints, code = compiled(<<~PUPPET, *%w[a b])
      define request() { @@answer { 'a': } }
      define answer() { fail('nobody asked') }
      node 'a.example.com' { Request <<| |>> }
      node 'b.example.com' { @@request { 'b': } Answer <<| |>> }
    PUPPET
    # A node without a catalog exports nothing.
    expect([complaints, code]).to match([/exported resources do not settle: after 10 rounds, .* 1 of 2 nodes: [ab]\.example\.com\n/, 2])
  end

  it "come from a directory of catalogs, or from an answer of PuppetDB" do
    compiled(web, "web1")
    File.write("#{directory}/rows.json", JSON.generate(JSON.parse(File.read("#{directory}/out/exports/web1.example.com.json"))))
    File.write("#{directory}/code/manifests/site.pp", "Notify <<| |>>")
    %w[out rows.json].each do |source|
      printed, complaints, = puppetfn("compile", "lb.example.com", "--environment", "#{directory}/code", "--exports", "#{directory}/#{source}")
      expect([JSON.parse(printed)["resources"].last["title"], complaints]).to match(["web1", /\ANotice: Compiled/])
    end
    _, complaints, code = puppetfn("compile", "lb.example.com", "--environment", "#{directory}/code", "--exports", "#{directory}/code/manifests/site.pp")
    expect([complaints, code]).to match([%r{site\.pp: not an answer of PuppetDB to /pdb/query/v4/resources: }, 1])
  end

  it "are not collected where `storeconfigs` is off, or only a part of the nodes is compiled" do
    [["--setting=storeconfigs=false"], ["--shard=1/2"], ["--shard=2/2"]].each_with_index do |options, index|
      compiled("#{web} node 'lb.example.com' { Notify <<| |>> }", "web1", "lb", out: "out#{[index, 1].min}", options: options)
    end
    messages = %w[out0 out1].map { |out| File.read("#{directory}/#{out}/messages/lb.example.com.txt") }
    expect(messages).to all(include("the collection will be ignored"))
  end

  it "make the same catalogs in any number of processes, and after an interruption" do
    code = "#{web} node 'lb.example.com' { Notify <<| |>> File <<| |>> } node 'db.example.com' { @@notify { 'db': } Conf <<| |>> }"
    nodes = %w[web1 web2 web3 lb db]
    compiled(code, *nodes)
    compiled(code, *nodes, out: "one", options: ["--jobs=1"])
    compiled(code, *nodes, out: "resumed")
    journal = "#{directory}/resumed/parts/1-of-1.jsonl"
    File.write(journal, File.readlines(journal).first(3).join)
    FileUtils.rm(Dir.glob("#{directory}/resumed/{catalogs,exports}/{lb,web2}*"))
    compiled(code, *nodes, out: "resumed", options: ["--resume"])
    expect([contents("#{directory}/one"), contents("#{directory}/resumed")]).to all(eq(contents("#{directory}/out")))
  end

  it "are compared, on the node that exports and on those that collect" do
    change = "#{web.sub("mode => '0644'", "mode => '0600'")} node 'lb.example.com' { File <<| |>> }"
    compiled("#{web} node 'lb.example.com' { File <<| |>> }", "web1", "lb", out: "old")
    compiled(change, "web1", "lb", out: "new")
    printed, _, code = puppetfn("diff", "#{directory}/old", "#{directory}/new")
    expect([printed, code]).to match([/2 nodes: lb\.example\.com, web1\.example\.com .*\n.*File\[conf of web1\].*\n.*mode.*'0644'.*'0600'/, 2])
  end
end
