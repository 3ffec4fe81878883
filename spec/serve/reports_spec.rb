# frozen_string_literal: true

require "open3"
require "yaml"
require_relative "../support/agent_service"
require_relative "../support/recording_server"

RSpec.describe "Reports and facts that `puppetfn serve --listen` gets" do
  include AgentService

  let(:path) { "/puppet/v3/report/web?environment=production" }
  let(:report) do
    {
      "host" => "web", "time" => "2026-01-02T03:04:05.123456789+00:00", "configuration_version" => 17, "transaction_uuid" => "t", "report_format" => 12,
      "puppet_version" => "8.10.0", "status" => "changed", "transaction_completed" => true, "noop" => false, "noop_pending" => false, "environment" => "production",
      "logs" => [{"level" => "notice", "message" => "created: 'x'", "source" => "/Stage[main]/File[/x]/ensure", "tags" => ["notice"],
                  "time" => "2026-01-02T03:04:06+00:00", "file" => nil, "line" => 3}],
      "metrics" => {"time" => {"name" => "time", "label" => "Time", "values" => [["total", "Total", 1.5]]}},
      "resource_statuses" => {"File[/x]" => status("/x", [{"name" => "ensure", "status" => "success", "time" => "2026-01-02T03:04:06+00:00", "desired_value" => "file"}]),
                              "File[/y]" => status("/y", [])},
      "corrective_change" => false
    }
  end

  def status(title, events)
    {"title" => title, "resource" => "File[#{title}]", "resource_type" => "File", "time" => "2026-01-02T03:04:06+00:00", "skipped" => false, "events" => events}
  end

  # Runs a service beside a server that gets reports or is a PuppetDB.
  def with_server(reports: "store", conf: "", secure: true, **settings)
    started = nil
    before = lambda do |root, certificates|
      started = RecordingServer.new(secure ? certificates : nil)
      File.write("#{root}/puppetdb.conf", "[main]\nserver_urls = https://localhost:#{started.port}\n#{conf}") if secure
      settings.transform_values { |value| value.is_a?(String) ? value.sub("PORT", started.port.to_s) : value }
    end
    listen(settings: {reports: reports}, before: before) { |requests, root, _certificates, service| yield requests, started, root, service }
  ensure
    started&.close
  end

  # @return [Hash] the payload of a command that PuppetDB got
  def payload(server, command)
    received = server.take
    expect(received.target).to match(%r{\A/pdb/cmd/v1\?version=\d+&certname=web&command=#{command}&producer-timestamp=})
    expect(received.peer).to eq("/CN=server")
    JSON.parse(received.body)
  end

  it "stores reports as Ruby's YAML" do
    listen do |requests, root|
      answer = requests.put(path, report)
      expect([answer.code, answer.body]).to eq(["200", '["store"]'])
      file = Dir["#{root}/reports/web/*.yaml"].first
      expect(File.stat(file).mode & 0o777).to eq(0o640)
      expect(File.read(file)).to eq(YAML.dump(report).sub("---", "--- !ruby/object:Puppet::Transaction::Report"))
    end
  end

  it "sends reports to an address over HTTPS as Puppet does" do
    with_server(reports: "http", reporturl: "https://alice:s3cret@localhost:PORT/upload?token=t0ken") do |requests, server, _root, service|
      expect(requests.put(path, report).body).to eq('["http"]')
      received = server.take
      expect([received.method, received.target, received.peer]).to eq(["POST", "/upload?token=t0ken", "/CN=server"])
      expect(received.headers).to include("content-type" => "application/x-yaml", "authorization" => "Basic #{["alice:s3cret"].pack("m0")}")
      expect(received.body).to eq(YAML.dump(report).sub("---", "--- !ruby/object:Puppet::Transaction::Report"))
      server.answer = ["503 Service Unavailable", "no"]
      expect(requests.put(path, report).code).to eq("200")
      expect(service.log).to match(%r{ERROR Report http failed: Unable to submit report to https://localhost:\d+/upload \[503\] Service Unavailable node="web"})
      server.close
      expect(requests.put(path, report).code).to eq("200")
      expect(service.log).to match(/Report http failed: .*refused/)
      expect(service.log).not_to match(/s3cret|t0ken|alice/)
    end
  end

  it "stores reports in PuppetDB, and logs them" do
    with_server(reports: "puppetdb, log , store") do |requests, server, root, service|
      expect(requests.put(path, report).body).to eq('["puppetdb","log","store"]')
      command = payload(server, "store_report")
      expect(command).to include("certname" => "web", "producer" => "server", "configuration_version" => "17", "status" => "changed", "end_time" => "2026-01-02T03:04:06.623Z")
      expect(command["resources"].map { |resource| resource["resource_title"] }).to eq(["/x"])
      expect(service.log).to match(%r{INFO created: 'x' node="web" source="//web//Stage\[main\]/File\[/x\]/ensure"})
      server.answer = ["500 Internal Server Error", "no"]
      FileUtils.rm_rf("#{root}/reports")
      expect(requests.put(path, report).code).to eq("200")
      expect(service.log).to match(/Report puppetdb failed: Failed to submit 'store report' command for web to PuppetDB/)
      expect(Dir["#{root}/reports/web/*.yaml"].size).to eq(1)
      service.signal("TERM")
      expect([service.join.exitstatus, service.log]).to match([0, /\A((?!panic).)*\z/m])
    end
    with_server(reports: "puppetdb", conf: "include_unchanged_resources = true\n") do |requests, server|
      requests.put(path, report)
      expect(payload(server, "store_report")["resources"].size).to eq(2)
    end
  end

  it "answers requests that are no reports of the node, and goes on when the directory cannot be written" do
    listen do |requests, root, _certificates, service|
      {
        "[]" => /expected a JSON object/, JSON.generate(report.merge("host" => "db")) => /expected the report of the host 'web'/, "{" => /invalid/,
        JSON.generate(report.merge("logs" => nil)) => /logs: expected an array/, "#{"[" * 5000}#{"]" * 5000}" => /invalid/
      }.each do |body, message|
        answer = requests.put(path, body)
        expect([answer.code, JSON.parse(answer.body)["message"]]).to match(["400", /\ABad Request: The request body is invalid: /]), body[0, 100]
        expect(JSON.parse(answer.body)["message"]).to match(message)
      end
      %w[report facts].each { |kind| expect(requests.put("/puppet/v3/#{kind}/web?environment=absent", report).code).to eq("404") }
      File.write("#{root}/reports", "no directory")
      expect(requests.put(path, report).code).to eq("200")
      expect(service.log).to match(/ERROR Report store failed: /)
    end
  end

  it "does not start with a processor that it does not have" do
    {"store,tagmail" => /Puppet's setting reports is not supported: expected a list of .*, got tagmail/, "puppetdb" => %r{expected --puppetdb-conf, .* or /.*puppetdb.conf}}.each do |reports, message|
      with_modules("environments/production/manifests/site.pp" => "") do |root|
        File.write("#{root}/puppet.conf", "[main]\nconfdir = #{root}\nenvironmentpath = #{root}/environments\nreports = #{reports}\n")
        output, status = Open3.capture2e(*Puppetfn::CLI.command, "serve", "--listen", "127.0.0.1:1", "--config", "#{root}/puppet.conf")
        expect([output, status.exitstatus]).to match([message, 2])
      end
    end
  end

  it "stores the facts that agents upload" do
    facts = {"name" => "web", "values" => {"os" => {"family" => "Debian"}}, "timestamp" => "2026-01-02T03:04:05.000000000+00:00", "other" => 1}
    listen do |requests, root|
      upload = "/puppet/v3/facts/web?environment=production"
      expect(requests.put(upload, facts).code).to eq("200")
      expect(JSON.parse(File.read("#{root}/var/server_data/facts/web.json"))).to eq(facts.except("other"))
      expect(requests.put("/puppet/v3/facts/db?environment=production", facts.merge("name" => "db")).code).to eq("403")
      expect(requests.put(upload, facts.merge("name" => "db")).code).to eq("400")
      expect(requests.put(upload, facts.merge("values" => [])).code).to eq("400")
      expect(requests.put("/puppet/v3/facts/web", facts).code).to eq("400")
    end
    with_server(storeconfigs: true) do |requests, server, root|
      expect(requests.put("/puppet/v3/facts/web?environment=production", facts).code).to eq("200")
      command = payload(server, "replace_facts")
      expect(command).to include("certname" => "web", "environment" => "production", "producer" => "server")
      expect(command["values"]).to match("os" => {"family" => "Debian"}, "trusted" => a_hash_including("authenticated" => "remote", "certname" => "web"))
      expect(File.exist?("#{root}/var/server_data")).to be(false)
    end
  end

  it "stores the facts of `puppet facts upload`" do
    listen do |requests, root|
      output, status = puppet(requests, root, "facts", "upload", variables: {"FACTER_own" => "x"})
      expect(status.exitstatus).to eq(0), output
      stored = JSON.parse(File.read("#{root}/var/server_data/facts/web.json"))
      expect([stored["name"], stored["values"]["own"]]).to eq(%w[web x])
    end
  end

  it "stores the facts and the catalog of a request for a catalog in PuppetDB" do
    with_server(storeconfigs: true) do |requests, server, root|
      expect(requests.catalog("web", facts: {"role" => "x"}, transaction_uuid: "u").code).to eq("200")
      expect(payload(server, "replace_facts")["values"]).to include("role" => "x")
      expect(payload(server, "replace_catalog")).to include("transaction_uuid" => "u", "environment" => "production")
      File.write("#{root}/environments/production/manifests/site.pp", "fail('no')")
      expect(requests.catalog("web", facts: {"role" => "y"}).code).to eq("500")
      expect(payload(server, "replace_facts")["values"]).to include("role" => "y")
    end
  end

  it "compiles the catalogs of requests without facts with the stored ones" do
    code = "notify { 'role': message => $facts['role'] }"
    role = lambda do |requests|
      catalog = JSON.parse(requests.ask("GET", "/puppet/v3/catalog/web?environment=production").body)
      catalog["resources"].find { |resource| resource["title"] == "role" }["parameters"]
    end
    files = {"environments/production/manifests/site.pp" => code}
    listen(files) do |requests, root, _certificates, service|
      expect(role.call(requests)).to be_nil
      requests.catalog("web", facts: {"role" => "x"})
      expect(JSON.parse(File.read("#{root}/var/server_data/facts/web.json"))).to eq("name" => "web", "values" => {"role" => "x"})
      expect(role.call(requests)).to eq("message" => "x")
      FileUtils.rm_rf("#{root}/var")
      File.write("#{root}/var", "no directory")
      2.times { expect(requests.catalog("web", facts: {"role" => "y"}).code).to eq("200") }
      expect(service.log.scan(/WARN cannot store facts of agents/).size).to eq(1)
    end
    with_server(storeconfigs: true) do |requests, server, root|
      File.write("#{root}/environments/production/manifests/site.pp", code)
      server.answer = ["200 OK", JSON.generate([{certname: "web", name: "role", value: "z", environment: "production"}])]
      expect(role.call(requests)).to eq("message" => "z")
      query = server.take
      expect([query.target, JSON.parse(query.body)]).to eq(["/pdb/query/v4", {"query" => ["from", "facts", %w[= certname web]]}])
      expect(server.take.target).to include("command=replace_catalog")
      server.close
      answer = requests.ask("GET", "/puppet/v3/catalog/web?environment=production")
      expect([answer.code, JSON.parse(answer.body)["message"]]).to match(["500", /\AServer Error: Failed to find facts from PuppetDB at /])
    end
  end

  it "fails where PuppetDB does not answer, or logs that with soft_write_failure" do
    failed = /Failed to submit 'replace facts' command for web to PuppetDB: Failed to execute .* on at least 1 of the following 'server_urls'/
    with_server(storeconfigs: true) do |requests, server, _root, service|
      server.close
      answer = requests.catalog("web")
      expect([answer.code, JSON.parse(answer.body)["message"]]).to match(["500", failed])
      expect(requests.put("/puppet/v3/facts/web?environment=production", {name: "web", values: {}}).code).to eq("500")
      expect(service.log).to match(/WARN Error connecting to localhost on \d+/)
    end
    with_server(storeconfigs: true, conf: "soft_write_failure = true\n") do |requests, server, _root, service|
      server.close
      expect(requests.catalog("web").code).to eq("200")
      expect(requests.put("/puppet/v3/facts/web?environment=production", {name: "web", values: {}}).code).to eq("200")
      expect(service.log).to match(failed).and match(/ERROR Failed to submit 'replace catalog' command/)
    end
  end
end
