# frozen_string_literal: true

require_relative "repository"
require_relative "shared_contexts"

# The terminus returns the same catalogs, errors and logs as Puppet's own compiler.
RSpec.describe "the answers of the catalog terminus" do
  include_context "with a Puppet server and a compile service", TerminusSpec::Repository::FILES

  before { @server.configure("[main]\nsocket = #{@service.path}\n") }

  let(:facts) { {"os" => "Linux", "memory" => 1.5, "list" => [1, {"a" => true}], "ünï" => "cödé"} }
  let(:plain) { @server.plain(facts: facts) }

  # The service's JSON for Puppet's own catalog.
  def catalog(of = plain) = of.answer["catalog"]

  def answer(catalog, log = []) = @service.will_answer(200, "catalog" => catalog, "log" => log)

  def without_identity(text) = text.gsub(/redacted\]:\d+/, "redacted]")

  it "are Puppet's catalogs, with exported resources for storage and without them for agents" do
    answer(catalog)
    found = @server.find(facts: facts)
    expect([found.catalog, found.filtered]).to eq([plain.catalog, plain.filtered])
    expect(found.references).to include("Notify[realized]", "App::Thing[a]")
    expect(found.references).not_to include("File[/exported]", "Notify[virtual]")
    expect(found.catalog["resources"]).to include(hash_including("title" => "/exported", "exported" => true, "virtual" => true))
    expect(found.notes).to eq([])
  end

  it "have the types, titles, keys and values that PuppetDB's terminus asks for" do
    answer(catalog)
    found = @server.find(facts: facts)
    stringified = [found, plain].map { |result| without_identity(JSON.generate(result.answer["stringified"].except("catalog_uuid", "version"))) }
    expect(stringified.uniq.size).to eq(1)
    # References are texts, and a class is not virtual rather than neither.
    described = [found, plain].map do |result|
      result.answer["resources"].map { |*fields, values| [fields.map { |field| field || false }, values.map { |name, kind, _| [name, kind.sub(/Puppet::Resource|String/, "text")] }] }
    end
    expect(described[0]).to eq(described[1])
  end

  it "come from the node as its classifier, facts and certificate describe it" do
    answer(catalog)
    @server.find(facts: facts, transaction_uuid: "11111111-2222-3333-4444-555555555555", code_id: "urn:1")
    request = @service.requests.last
    expect(request).to include("line" => "POST /v1/catalog HTTP/1.1", "node" => "web1", "environment" => "production", "classes" => {"app" => {"greeting" => "hello"}},
      "code_id" => "urn:1", "transaction_uuid" => "11111111-2222-3333-4444-555555555555", "with_exports" => true)
    expect(request["facts"]).to eq(facts)
    expect(request["trusted"].keys).to contain_exactly("authenticated", "certname", "extensions", "hostname", "domain", "external")
    expect(request["server_facts"]).to include("serverversion" => /\A\d+\./, "environment" => "production")
    expect(request["parameters"]).to include("tier" => "one", "nested" => {"a" => [1, 2.5, nil, true]}, "os" => "Linux", "serverversion" => /\A\d+\./)
  end

  it "log the service's messages, and the time as Puppet does" do
    entries = [{"level" => "warning", "message" => "be careful", "source" => "Scope(Class[main])"},
               {"level" => "notice", "message" => "seen (file: /a.pp, line: 3)", "source" => "Puppet", "file" => "/a.pp", "line" => 3}, {"level" => "debug", "message" => "detail"}]
    answer(catalog, entries)
    found = @server.find(facts: facts)
    expect(found.log).to include(["warning", "be careful", "Scope(Class[main])", nil, nil], ["notice", "seen (file: /a.pp, line: 3)", "Puppet", "/a.pp", 3], ["debug", "detail", "Puppet", nil, nil])
    time = /\Anotice: Compiled catalog for web1 in environment production in \d+\.\d+ seconds\z/
    expect([found.messages.last, plain.messages.last]).to all(match(time))
  end

  it "are Puppet's errors, raised and logged as often as Puppet does" do
    plain = @server.plain(node: "broken", facts: facts)
    message = plain.error.delete_prefix("Puppet::PreformattedError: ")
    expect(message).to match(/\AEvaluation Error: .*no such luck \(file: .*, line: 1, column: \d+\) on node broken\z/)
    @service.will_answer(422, "message" => message, "issue_kind" => "COMPILATION_FAILED",
      "log" => [{"level" => "warning", "message" => "before", "source" => "Scope(Class[Broken])"}, {"level" => "err", "message" => message, "source" => "Puppet"}])
    found = @server.find(node: "broken", facts: facts)
    expect(found.error).to eq("Puppet::Error: #{message}")
    expect(found.messages).to eq(plain.messages.grep_v(/be careful|exported resources/))
    expect(found.messages).to eq(["warning: before", *["err: #{message}"] * 2])
  end

  it "are static catalogs where agents ask for these" do
    options = {facts: facts, static_catalog: true, code_id: "urn:1", checksum_type: "sha256.md5"}
    answer(catalog)
    found = @server.find(**options)
    plain = @server.plain(**options)
    expect(found.error).to be_nil
    expect(found.answer["metadata"]).to eq("/etc/app/from" => "puppet:///modules/app/files/from")
    expect(found.answer["metadata"]).to eq(plain.answer["metadata"])
    logged = [found, plain].map { |result| result.messages.grep(/static catalog/).map { |text| text.sub(/[\d.]+ seconds/, "") } }
    expect(logged).to all(eq(["Inlined resource metadata into", "Compiled"].map { |verb| "notice: #{verb} static catalog for web1 in environment production in " }))
    expect(@server.find(**options, checksum_type: "unknown").error).to match(/Unable to find a common checksum type/)
  end

  it "have generated types where environments are isolated" do
    files = TerminusSpec::Repository::FILES.select { |path, _| path.include?("/lib/") }.transform_keys { |path| path.sub("production", "isolated") }
    @server.write("environments/isolated/manifests/site.pp" => "composite { 'pkg:yum': value => 1 }\nfile { '/x': }", "enc/isolated1.yaml" => "{}", **files)
    output, status = Open3.capture2e(*Differential::RUBY, "-S", "puppet", "generate", "types", "--environment", "isolated",
      *%w[conf var].flat_map { |name| ["--#{name}dir", "#{@directory}/generate/#{name}"] }, "--environmentpath", "#{@directory}/environments")
    expect([status.success?, File.exist?("#{@directory}/environments/isolated/.resource_types/composite.pp")]).to eq([true, true]), output
    plain = @server.plain(node: "isolated1", environment: "isolated", facts: facts)
    answer(catalog(plain))
    found = @server.find(node: "isolated1", environment: "isolated", facts: facts)
    expect([found.catalog, found.filtered, found.notes]).to eq([plain.catalog, plain.filtered, []])
    kinds = [found, plain].map { |result| result.answer["resources"].to_h { |reference, _, kind, *| [reference, kind] } }
    expect(kinds[0]).to eq(kinds[1])
    expect(kinds[0]).to include('"Composite[pkg:yum]"' => "Puppet::Pops::Resource::ResourceTypeImpl")
  end

  it "leave a catalog to Puppet that Puppet would not read as it was written" do
    plain = @server.plain(node: "typed", facts: facts)
    answer(catalog(plain))
    found = @server.find(node: "typed", facts: facts)
    expect(found.catalog).to eq(plain.catalog)
    expect(found.notes).to eq(["warning: puppetfn: Puppet compiles the catalog of typed in environment production: puppetfn's cannot be read: a parameter's value is a type"])
  end

  it "leave a node to Puppet whose values JSON cannot express" do
    @service.connections
    plain = @server.plain(node: "dated", facts: facts)
    expect(@server.find(node: "dated", facts: facts).catalog).to eq(plain.catalog)
    expect(@server.find(facts: facts.merge("__ptype" => "Sensitive")).notes).to eq(
      ["warning: puppetfn: Puppet compiles the catalog of web1 in environment production: facts has a key __ptype"]
    )
    deep = 300.times.reduce("x") { |value, _| [value] }
    expect(@server.find(facts: {"deep" => deep}).notes).to eq(["warning: puppetfn: Puppet compiles the catalog of web1 in environment production: facts is nested too deeply"])
    expect(@service.connections).to eq(0)
  end

  it "are Puppet's where code is given, and in environments that are not covered" do
    answer(catalog)
    @service.connections
    @server.configure("[main]\nsocket = #{@service.path}\nenvironments = staging, test\n")
    expect(@server.find(facts: facts).catalog).to eq(plain.catalog)
    @server.configure("[main]\nsocket = #{@service.path}\nmode = off\n")
    expect(@server.find(facts: facts).catalog).to eq(plain.catalog)
    @server.configure("[main]\nsocket = #{@service.path}\nenvironments = production\n")
    expect(@server.find(facts: facts, settings: {"code" => "notify { 'of code': }"}).references).to include("Notify[of code]")
    expect([@service.connections, @server.find(facts: facts).error, @service.connections]).to eq([0, nil, 1])
  end
end
