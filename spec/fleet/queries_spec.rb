# frozen_string_literal: true

require_relative "support"

# Queries to PuppetDB among the nodes of a run, and of saved data.
RSpec.describe "Queries to PuppetDB" do
  include FleetOfNodes

  around { |example| Dir.mktmpdir("puppetfn-queries-spec-") { |directory| (@directory = directory) && example.run } }

  attr_reader :directory

  before { FileUtils.mkdir_p(["#{directory}/code/manifests", "#{directory}/facts"]) }

  def code(text)
    File.write("#{directory}/code/manifests/site.pp", text)
  end

  def facts(nodes)
    nodes.each { |name, values| File.write("#{directory}/facts/#{name}.json", JSON.generate(values)) }
  end

  # Compiles the nodes of the facts.
  def compiled(*options, out: "out")
    puppetfn("compile", "--nodes", "#{directory}/facts", "--environment", "#{directory}/code", "--out", "#{directory}/#{out}", *options)
  end

  # Compiles one node, and returns the messages of its Notify resources, the error output and the exit code.
  def one(node, *options)
    printed, complaints, code = puppetfn("compile", node, "--environment", "#{directory}/code", *options)
    [code.zero? ? notified(printed) : nil, complaints, code]
  end

  def notified(catalog)
    JSON.parse(catalog)["resources"].select { |resource| resource["type"] == "Notify" }.to_h { |notify| [notify["title"], notify["parameters"]["message"]] }
  end

  def messages(node, out: "out")
    notified(File.read("#{directory}/#{out}/catalogs/#{node}.json"))
  end

  let(:fleet) do
    {"web1" => {"kernel" => "Linux", "os" => {"family" => "Debian"}, "cores" => 4}, "web2" => {"kernel" => "Linux", "os" => {"family" => "RedHat"}, "cores" => 8},
     "db1" => {"kernel" => "SunOS", "cores" => 2}}
  end

  it "are answered with the facts of all nodes, whatever the order and the number of processes" do
    facts(fleet)
    code(<<~PUPPET)
      $linux = puppetdb_query('inventory[certname, facts.os.family] { facts.kernel = "Linux" }')
      $sum = puppetdb_query(['from', 'facts', ['extract', [['function', 'sum', 'value']], ['=', 'name', 'cores']]])
      $own = puppetdb_query("inventory[facts.trusted.certname] { trusted.certname = '${trusted['certname']}' }")
      notify { 'linux': message => $linux } notify { 'cores': message => $sum[0]['sum'] } notify { 'self': message => $own }
    PUPPET
    printed, = compiled("--jobs", "2")
    expect(printed).to start_with("3 nodes: 3 compiled, 0 failed\n")
    linux = [{"certname" => "web1", "facts.os.family" => "Debian"}, {"certname" => "web2", "facts.os.family" => "RedHat"}]
    expect(messages("db1")).to eq("linux" => linux, "cores" => 14, "self" => [{"facts.trusted.certname" => "db1"}])
    compiled("--jobs", "1", out: "again")
    expect(%w[db1 web1 web2].map { |node| messages(node, out: "again") }).to eq(%w[db1 web1 web2].map { |node| messages(node) })
    # Facts need no catalog.
    expect(Dir.children("#{directory}/out")).not_to include("resources")
    compiled("--shard", "1/2", out: "part")
    Dir.children("#{directory}/part/catalogs").each { |file| expect(messages(file.delete_suffix(".json"), out: "part")).to eq(messages(file.delete_suffix(".json"))) }
  end

  it "see the resources of all catalogs, with the values that PuppetDB has, until no answer changes" do
    facts(fleet)
    code(<<~PUPPET)
      class backend($port = 80) { file { "/etc/${facts['kernel']}": content => Sensitive('s3cret'), mode => '0644', tag => ['B', 'a'] } }
      node /^web/ { class { 'backend': port => $facts['cores'] * 1000 } @@user { $trusted['certname']: uid => 7 } @file { '/virtual': } }
      node 'db1' {
        $backends = puppetdb_query('resources[certname, parameters.port] { type = "Class" and title = "Backend" }')
        $files = puppetdb_query('resources[title, parameters, tags, file, line] { type = "File" and certname = "web1" }')
        $users = puppetdb_query('resources[certname] { type = "User" and exported = true }')
        $count = puppetdb_query('resources[count()] { type = "Notify" }')
        notify { 'backends': message => $backends } notify { 'files': message => $files } notify { 'users': message => $users } notify { 'count': message => $count[0]['count'] }
      }
    PUPPET
    compiled
    expect(messages("db1")).to match(
      "backends" => [{"certname" => "web1", "parameters.port" => 4000}, {"certname" => "web2", "parameters.port" => 8000}],
      "files" => [{"title" => "/etc/Linux", "parameters" => {"tag" => %w[B a], "mode" => "0644"}, "tags" => %w[class __node_regexp__web backend a b file node],
                   "file" => "#{directory}/code/manifests/site.pp", "line" => 1}],
      "users" => [{"certname" => "web1"}, {"certname" => "web2"}], "count" => 4
    )
    expect(Dir.glob("#{directory}/out/resources/*").map { |path| File.read(path) }.join).not_to include("s3cret")
    # The directory has the data for queries of one node.
    expect(one("db1", "--exports", "#{directory}/out").first).to eq(messages("db1"))
    printed, = compiled("--shard", "1/1", "--jobs", "1", out: "again")
    expect([printed.lines.first, messages("db1", out: "again")]).to eq(["3 nodes: 3 compiled, 0 failed\n", messages("db1")])
  end

  it "that never settle are an error" do
    facts("a" => {}, "b" => {})
    code(<<~PUPPET)
      node 'a' { if puppetdb_query('resources { type = "Notify" and title = "b" }').empty { notify { 'a': } } }
      node 'b' { unless puppetdb_query('resources { type = "Notify" and title = "a" }').empty { notify { 'b': } } }
    PUPPET
    expect(compiled[1]).to include("answers to queries do not settle: after 10 rounds, ")
  end

  it "show in diff on the nodes that ask" do
    facts(fleet)
    code("node 'web1' { notify { 'x': } } node default { notify { 'r': message => puppetdb_query('resources[title] { certname = \"web1\" and type = \"Notify\" }') } }")
    FileUtils.cp_r("#{directory}/code", "#{directory}/new")
    File.write("#{directory}/new/manifests/site.pp", File.read("#{directory}/code/manifests/site.pp").sub("'x'", "'y'"))
    printed, _, code = puppetfn("diff", "#{directory}/code", "#{directory}/new", "--nodes", "#{directory}/facts")
    expect([code, printed[/\d of 3 nodes differ.*/], printed]).to match([2, "3 of 3 nodes differ, in 2 ways", include("title: x", "title: y").or(include("x", "y"))])
  end

  it "take saved answers, directories of facts and of answers, and archives" do
    code("notify { 'n': message => puppetdb_query('inventory[certname, environment] { facts.kernel = \"Linux\" }') } notify { 'r': message => puppetdb_query('resources[title] { type = \"File\" }') }")
    inventory = fleet.map { |name, values| {"certname" => name, "environment" => "live", "facts" => values, "trusted" => {}} }
    resources = [{"certname" => "web1", "type" => "File", "title" => "/a", "tags" => [], "exported" => false, "parameters" => {}}]
    FileUtils.mkdir("#{directory}/saved")
    File.write("#{directory}/saved/inventory.json", JSON.generate(inventory))
    File.write("#{directory}/saved/resources.json", JSON.generate(resources))
    answer = {"n" => %w[web1 web2].map { |name| {"certname" => name, "environment" => "live"} }, "r" => [{"title" => "/a"}]}
    expect(one("x", "--exports", "#{directory}/saved")).to match([answer, /\ANotice: Compiled/, 0])
    expect(one("x", "--exports", "#{directory}/saved/resources.json", "--exports", "#{directory}/saved/inventory.json").first).to eq(answer)
    facts(fleet)
    expect(one("x", "--exports", "#{directory}/saved/resources.json", "--exports", "#{directory}/facts", "--environment-name", "test").first["n"])
      .to eq(%w[web1 web2].map { |name| {"certname" => name, "environment" => "test"} })
    archive(inventory)
    expect(one("x", "--exports", "#{directory}/export.tar.gz")).to match([answer, /\ANotice: Compiled/, 0])
    compiled("--exports", "#{directory}/export.tar.gz")
    expect(messages("db1")).to eq(answer)
  end

  # Writes an archive as `puppet db export` does.
  def archive(inventory)
    root = "#{directory}/puppetdb-bak"
    FileUtils.mkdir_p(%w[facts catalogs reports].map { |part| "#{root}/#{part}" })
    File.write("#{root}/export-metadata.json", "{}")
    inventory.each do |row|
      values = row["facts"].merge("trusted" => row["trusted"])
      File.write("#{root}/facts/#{row["certname"]}.json", JSON.generate("certname" => row["certname"], "environment" => "live", "producer" => "p", "values" => values))
    end
    catalog = {"certname" => "web1", "environment" => "live", "edges" => [], "resources" => [{"type" => "File", "title" => "/a", "tags" => [], "exported" => false, "parameters" => {}}]}
    File.write("#{root}/catalogs/web1-1.json", JSON.generate(catalog))
    system("tar", "-czf", "#{directory}/export.tar.gz", "-C", directory, "puppetdb-bak", exception: true)
  end

  describe "without data" do
    {
      "nodes {}" => "there is no source of PuppetDB's data; the option --exports names one, `compile --nodes` has the data of its nodes, and specs have `let(:puppetdb_data)`"
    }.each do |query, message|
      it "end with the option that has some" do
        code("notice(puppetdb_query('#{query}'))")
        expect(one("x")[1]).to include(message)
      end
    end

    it "name the entity or field that the source lacks" do
      File.write("#{directory}/inventory.json", JSON.generate([{"certname" => "a", "facts" => {}, "trusted" => {}}]))
      File.write("#{directory}/exports.json", JSON.generate([{"certname" => "a", "type" => "Host", "title" => "a", "exported" => true}]))
      {
        "reports {}" => "the source of PuppetDB's data does not have the entity 'reports'",
        "resources {}" => "the source of PuppetDB's data does not have the entity 'resources'",
        "nodes { report_timestamp is null }" => "the source of PuppetDB's data does not have the field 'report_timestamp' of nodes",
        "inventory[environment] {}" => "the source of PuppetDB's data does not have the field 'environment' of inventory"
      }.each do |query, message|
        code("notice(puppetdb_query('#{query}'))")
        expect(one("x", "--exports", "#{directory}/inventory.json")[1]).to include(message)
      end
      code("notice(puppetdb_query('resources { type = \"Class\" }'))")
      expect(one("x", "--exports", "#{directory}/exports.json")[1]).to include("the source of PuppetDB's data has exported resources only: ")
    end

    it "of a part of the nodes name resources" do
      facts(fleet)
      code("notice(puppetdb_query('resources {}'))")
      expect(compiled("--shard", "1/2").first).to include("the source of PuppetDB's data does not have the entity 'resources'")
    end
  end
end
