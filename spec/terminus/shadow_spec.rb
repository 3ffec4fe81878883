# frozen_string_literal: true

require_relative "repository"
require_relative "shared_contexts"

# `mode = shadow`: agents get Puppet's catalogs, and the log lists the differences of the service's.
RSpec.describe "the catalog terminus in shadow" do
  include_context "with a Puppet server and a compile service", TerminusSpec::Repository::FILES

  before do
    @server.configure("[main]\nsocket = #{@service.path}\nmode = shadow\nread_timeout = 0.4\ndifferences_file = #{file}\n")
    FileUtils.rm_f(file)
  end

  let(:file) { File.join(@directory, "differences.jsonl") }
  let(:facts) { {"os" => "Linux"} }
  let(:plain) { @server.plain(facts: facts) }

  def written = File.readlines(file).map { |line| JSON.parse(line) }

  # Answers with Puppet's catalog after a change.
  def answer(of = plain, &change)
    data = JSON.parse(JSON.generate(of.answer["catalog"]))
    change&.call(data, data["resources"].to_h { |resource| ["#{resource["type"]}[#{resource["title"]}]", resource] })
    @service.will_answer(200, "catalog" => data)
  end

  def notes(**options)
    found = @server.find(facts: facts, **options)
    expect(found.error).to be_nil
    found.notes.map { |text| text.sub(/\A(\w+): puppetfn: (web1: )?/, "\\1: ") }
  end

  it "tells of the same catalogs, with the time of both" do
    answer
    found = @server.find(facts: facts)
    expect([found.catalog, found.notes]).to eq([plain.catalog, ["info: puppetfn: the same catalog for web1 as Puppet's"]])
    expect(written).to match([{"time" => /\A\d{4}-.*Z\z/, "node" => "web1", "environment" => "production", "outcome" => "same", "differences" => [], "total" => 0,
                               "puppet_seconds" => a_value > 0, "puppetfn_seconds" => a_value > 0}])
    expect(File.stat(file).mode & 0o777).to eq(0o640 & ~File.umask)
  end

  it "tells of each difference by resource and parameter" do
    answer do |data, resources|
      resources["File[named]"]["parameters"].update("mode" => "0600", "owner" => "root")
      resources["File[named]"]["parameters"].delete("require")
      resources["Service[nginx]"].update("line" => 99, "tags" => resources["Service[nginx]"]["tags"] + ["more"])
      resources["Exec[true]"]["parameters"]["onlyif"] = ["a"]
      resources["Composite[pkg:yum]"]["parameters"]["value"] = 1.0
      resources["File[/exported]"].delete("virtual")
      data["resources"].delete(resources["Notify[thing a]"])
      data["resources"] << {"type" => "Notify", "title" => "new", "tags" => [], "exported" => false, "kind" => "compilable_type"}
      data["edges"].reject! { |edge| edge["target"] == "Notify[thing a]" }
      data["classes"] << "other"
    end
    found = @server.find(facts: facts)
    expect(found.catalog).to eq(plain.catalog)
    expect(found.notes.map { |text| text.delete_prefix("warning: puppetfn: web1: ") }).to contain_exactly(
      "catalog: classes: Puppet has none, puppetfn other",
      "File[named]: mode: Puppet 0644, puppetfn 0600",
      "File[named]: owner: Puppet has none, puppetfn root",
      "File[named]: require: Puppet App::Thing[a], puppetfn has none",
      "Service[nginx]: line: Puppet 6, puppetfn 99",
      "Service[nginx]: tags: Puppet has none, puppetfn more",
      'Exec[true]: onlyif: Puppet ["a",["b"]], puppetfn ["a"]',
      "Composite[pkg:yum]: value: Puppet 1, puppetfn 1.0",
      "File[/exported]: virtual: Puppet true, puppetfn has none",
      "Notify[thing a]: resource: Puppet declared, puppetfn has none",
      "Notify[new]: resource: Puppet has none, puppetfn declared",
      "catalog: edges: Puppet App::Thing[a] -> Notify[thing a], puppetfn has none"
    )
    entry = written.last
    expect([entry["outcome"], entry["total"], entry["differences"].size]).to eq(["different", 12, 12])
    expect(entry["differences"]).to include({"resource" => "Composite[pkg:yum]", "attribute" => "value", "puppet" => 1, "puppetfn" => 1.0})
  end

  it "tells of another order, and does not log differences without end" do
    answer { |data, _| data["resources"].insert(-2, data["resources"].pop) }
    expect(notes).to match([/\Awarning: catalog: order: Puppet Notify\[thing a\], puppetfn Notify\[thing b\]\z/])
    answer { |data, _| data["resources"].each { |resource| resource.update("line" => 1234, "file" => "/a.pp") } }
    logged = notes
    expect([logged.size, logged.last]).to match([21, /\Awarning: \d+ more differences\z/])
    expect(written.last["differences"].size).to eq(written.last["total"])
  end

  it "never tells a sensitive value, wherever the catalog has it" do
    answer(@server.plain(node: "secret", facts: facts)) do |_, resources|
      resources["File[/secret]"]["parameters"]["content"] = "another secret"
      resources["File[/leaked]"]["parameters"]["content"] = "password = another secret, not open sesame\n"
    end
    logged = @server.find(node: "secret", facts: facts).notes.map { |text| text.delete_prefix("warning: puppetfn: secret: ") }
    expect(logged).to contain_exactly(
      "File[/secret]: content: Puppet [value redacted], puppetfn [value redacted]",
      "File[/leaked]: content: Puppet password = [value redacted]\n, puppetfn password = [value redacted], not [value redacted]\n"
    )
    answer { |_, resources| resources["App::Rich[secret]"]["parameters"]["values"]["k"]["__pvalue"] = "other-nested" }
    expect(notes).to eq(['warning: App::Rich[secret]: values: Puppet {"k":"[value redacted]"}, puppetfn {"k":"[value redacted]"}'])
    expect(File.read(file)).not_to match(/open sesame|another secret|nested-secret|other-nested|hush/)
  end

  it "compares errors" do
    plain = @server.plain(node: "broken", facts: facts)
    @service.will_answer(422, "message" => plain.error.sub(/\A\S+: /, ""))
    found = @server.find(node: "broken", facts: facts)
    expect([found.error, found.notes]).to eq([plain.error, ["info: puppetfn: the same catalog for broken as Puppet's"]])
    @service.will_answer(422, "message" => "Evaluation Error: another")
    found = @server.find(node: "broken", facts: facts)
    expect(found.error).to eq(plain.error)
    expect(found.notes).to match([/\Awarning: puppetfn: broken: catalog: error: Puppet Evaluation Error: .*, puppetfn Evaluation Error: another\z/])
    expect(notes).to eq(["warning: catalog: error: Puppet has none, puppetfn Evaluation Error: another"])
    answer { |data, _| data["name"] = "broken" }
    expect(@server.find(node: "broken", facts: facts).notes).to match([/catalog: error: Puppet Evaluation Error: .*, puppetfn has none\z/])
  end

  it "never makes a catalog fail" do
    @service.behave { |socket, _request| sleep(2) && socket }
    slow = @server.find(facts: facts)
    @server.configure("[main]\nsocket = #{@service.path}\nmode = shadow\ndifferences_file = /nowhere/differences\n")
    @service.will_answer(501, "message" => "declined")
    declined = @server.find(facts: facts)
    @service.will_answer(200, "catalog" => plain.answer["catalog"].merge("resources" => [1, nil]))
    wrong = @server.find(facts: facts)
    expect([slow, declined, wrong].map(&:catalog)).to all(eq(plain.catalog))
    expect(slow.seconds).to be < 2
    expect(declined.notes).to eq(["warning: puppetfn: Puppet compiles the catalog of web1 in environment production: declined",
                                  "warning: puppetfn: /nowhere/differences cannot be written: No such file or directory @ rb_sysopen - /nowhere/differences"])
    expect(wrong.notes).to match([/\Awarning: puppetfn: the catalogs of web1 could not be compared: \w+ at/])
    expect(written.map { |entry| entry.values_at("outcome", "differences") }).to match([["unavailable", [hash_including("puppetfn" => /nothing came of it/)]]])
  end
end
