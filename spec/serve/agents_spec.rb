# frozen_string_literal: true

require "uri"
require "yaml"
require_relative "../support/agent_service"

RSpec.describe "`puppetfn serve --listen`, asked by agents" do
  include AgentService

  let(:environment) { "?environment=production" }

  it "serves a real agent: plugins, the catalog, files and the report, and changes nothing the second time" do
    code = <<~PUPPET
      file { $facts['target']: ensure => file, mode => '0600', source => 'puppet:///modules/m/text' }
      file { "${facts['target']}.text": content => "${trusted['certname']} ${facts['marker']}" }
    PUPPET
    files = {
      "environments/production/manifests/site.pp" => code,
      "environments/production/modules/m/files/text" => "served\n",
      "environments/production/modules/m/lib/facter/marker.rb" => "Facter.add(:marker) { setcode { 'of a plugin' } }"
    }
    listen(files) do |requests, root|
      agent = "#{root}/agent"
      results = Array.new(2) { puppet(requests, root, "agent", "-t", "--color=false", variables: {"FACTER_target" => "#{agent}/target"}) }
      expect(results.map { |_, status| status.exitstatus }).to eq([2, 0]), results.map(&:first).join("\n")
      expect(File.read("#{agent}/target")).to eq("served\n")
      expect(File.stat("#{agent}/target").mode & 0o777).to eq(0o600)
      expect(File.read("#{agent}/target.text")).to eq("web of a plugin")
      text = File.read(Dir["#{root}/reports/web/*.yaml"].first)
      expect(text).to start_with("--- !ruby/object:Puppet::Transaction::Report\nhost: web\n")
      report = YAML.safe_load(text.sub(/ !ruby\S+/, ""))
      expect(report).to include("host" => "web", "environment" => "production")
      expect(report["resource_statuses"].keys).to include("File[#{agent}/target]")
    end
  end

  it "authorizes requests by certificates" do
    listen do |requests, root, certificates, service|
      certificates.issue("old", until_time: Time.now - 60)
      gone = certificates.issue("gone")
      other = Certificates.new("#{root}/other", "Puppet CA: other")
      other.issue("web")
      expect(requests.ask("GET", "/status/v1/simple", client: nil)).to have_attributes(code: "200", body: "running")
      expect(requests.ask("GET", "/puppet/v3/environments", client: nil)).to have_attributes(code: "403")
      expect(requests.ask("GET", "/puppet/v3/environments").code).to eq("200")
      forbidden = requests.ask("GET", "/puppet/v3/catalog/db#{environment}")
      expect(forbidden).to have_attributes(
        code: "403", body: "Forbidden request: /puppet/v3/catalog/db (method :get). Please see the server logs for details."
      )
      expect(requests.ask("PUT", "/puppet/v3/report/db#{environment}", body: "{}").code).to eq("403")
      expect(requests.ask("GET", "/puppet/v3/node/db#{environment}").code).to eq("403")
      expect(requests.shake_hands("old")).to eq("refused")
      expect(requests.shake_hands("web", authority: other)).to eq("refused")
      expect(requests.shake_hands("gone")).to eq("200")
      certificates.revoke(gone)
      expect(requests.shake_hands("gone")).to eq("refused")
      expect(requests.shake_hands("web")).to eq("200")
      expect(service.log).to match(/INFO a connection was refused error=client 127\.0\.0\.1: .*revoked/i)
    end
  end

  it "refuses paths that could mean others, and answers errors as Puppet does" do
    listen({"environments/production/modules/m/files/text" => "served"}) do |requests|
      answers = {
        "/puppet/v3/file_content/modules/m/text#{environment}" => ["200", "served"],
        "/puppet/v3/file_content/modules/m/%74ext#{environment}" => ["200", "served"],
        "/puppet/v3/file_content/modules/m/../../../manifests/site.pp#{environment}" => ["400", /segment \. or \.\./],
        "/puppet/v3/file_content/modules/m/%2e%2e/lib#{environment}" => ["400", /segment \. or \.\./],
        "/puppet/v3/file_content/modules/m%2ftext#{environment}" => ["400", /encoded separator/],
        "/puppet/v3/file_content/modules/m/%00#{environment}" => ["400", /null character/],
        "/puppet/v3/file_content/modules/m/%ff#{environment}" => ["400", /not UTF-8/],
        "/puppet/v3/file_content//etc/passwd#{environment}" => ["500", /Invalid mount ''/],
        "/puppet/v3/file_metadata/modules/m/none#{environment}" =>
          ["404", '{"message":"Not Found: Could not find file_metadata modules/m/none","issue_kind":"RESOURCE_NOT_FOUND"}'],
        "/puppet/v3/file_metadata/modules/m/text" => ["400", /An environment parameter must be specified/],
        "/puppet/v3/file_metadata/modules/m/text?environment=../x" => ["400", %r{must be purely alphanumeric, not '\.\./x'}],
        "/puppet/v3/file_metadata/modules/m/text?environment=absent" => ["404", /Could not find environment 'absent'/],
        "/puppet-ca/v1/certificate/ca" => ["404", /--ca-url/],
        "/puppet/v3/none/web" => ["403", /Forbidden/]
      }
      answers.each do |path, (status, body)|
        answer = requests.ask("GET", path)
        expect([answer.code, answer.body]).to match([status, body]), "#{path}: #{answer.code} #{answer.body}"
        expect(answer["X-Puppet-Version"]).to match(/\A8\./)
      end
      wrong = requests.ask("PUT", "/puppet/v3/report/web#{environment}", body: '{"a":', headers: {"Content-Type" => "application/json"})
      expect([wrong.code, wrong.body]).to match(["400", /The request body is invalid/])
      other = requests.catalog("web", facts: {}, client: "web").tap { |answer| expect(answer.code).to eq("200") }
      expect(other["Content-Type"]).to eq("application/vnd.puppet.rich+json")
      expect(other["X-Puppet-Compiler-Name"]).to eq("server")
      expect(requests.ask("GET", "/puppet/v3/catalog/web#{environment}")["X-Puppet-Compiler-Name"]).to be_nil
    end
  end

  it "gives code $trusted of the certificate, with the names of extensions" do
    code = "notify { 'trusted': message => $trusted }"
    oids = {"oid_mapping" => {"1.3.6.1.4.1.34380.1.2.1.1" => {"shortname" => "site", "longname" => "Site"}}}
    listen({"environments/production/manifests/site.pp" => code, "oids.yaml" => YAML.dump(oids)}) do |requests, _root, certificates|
      extensions = {"1.3.6.1.4.1.34380.1.1.13" => "web server", "1.3.6.1.4.1.34380.1.2.1.1" => "Zürich", "1.3.6.1.4.1.34380.1.2.7" => "x"}
      certificates.issue("db.example.com", extensions: extensions)
      catalog = JSON.parse(requests.catalog("db.example.com").body)
      message = catalog["resources"].find { |resource| resource["title"] == "trusted" }["parameters"]["message"]
      expect(message).to eq(
        "authenticated" => "remote", "certname" => "db.example.com", "hostname" => "db", "domain" => "example.com", "external" => {},
        "extensions" => {"pp_role" => "web server", "site" => "Zürich", "1.3.6.1.4.1.34380.1.2.7" => "x"}
      )
    end
  end

  it "asks the classifier for classes, parameters and the environment" do
    files = {
      "environments/production/manifests/site.pp" => "notify { 'production': }",
      "environments/next/manifests/site.pp" => "class role($size) { notify { \"${size} ${place} ${environment}\": } }",
      "enc.yaml" => YAML.dump("environment" => "next", "classes" => {"role" => {"size" => 3}}, "parameters" => {"place" => "Oslo"})
    }
    with_modules("enc.yaml" => files.delete("enc.yaml")) do |directory|
      listen(files, "--enc", "#{directory}/enc.yaml") do |requests|
        node = JSON.parse(requests.ask("GET", "/puppet/v3/node/web#{environment}").body)
        expect(node).to eq("name" => "web", "environment" => "next", "classes" => {"role" => {"size" => 3}}, "parameters" => {"place" => "Oslo"})
        catalog = JSON.parse(requests.catalog("web", facts: {}).body)
        expect(catalog["environment"]).to eq("next")
        expect(catalog["resources"].map { |resource| resource["title"] }).to include("3 Oslo next")
        empty = JSON.parse(requests.catalog("web", check_environment: "true").body)
        expect(empty).to include("environment" => "next", "resources" => [])
      end
    end
  end

  it "answers errors of code and of requests as a Puppet server does" do
    listen({"environments/production/manifests/site.pp" => "fail('no')"}) do |requests|
      failed = requests.catalog("web")
      expect(failed.code).to eq("500")
      expect(JSON.parse(failed.body)["message"]).to match(
        /\AServer Error: Evaluation Error: Error while evaluating a Function Call, no \(file: .*site\.pp, line: 1, column: 1\) on node web\z/
      )
      form = {environment: "production", facts_format: "application/json", facts: URI.encode_www_form_component('{"name":"db","values":{}}')}
      wrong = requests.ask("POST", "/puppet/v3/catalog/web", body: URI.encode_www_form(form), headers: {"Content-Type" => "application/x-www-form-urlencoded"})
      expect([wrong.code, JSON.parse(wrong.body)["message"]]).to eq(
        ["500", 'Server Error: Catalog for "web" was requested with fact definition for the wrong node ("db").']
      )
    end
  end

  it "serves the current directory for trying, with an authority of its own" do
    with_modules("manifests/site.pp" => "notice($trusted['certname'])", "modules/m/files/text" => "served") do |root|
      FileUtils.mkdir("#{root}/cache")
      CompileService.run("--workers", "1", socket: false, environment: {"XDG_CACHE_HOME" => "#{root}/cache"}, chdir: root) do |service|
        directory = "#{root}/cache/puppetfn/serve"
        expect(service.log).to match(/^  puppet agent -t --noop --server localhost --serverport 8140 .*--ssldir #{directory}/)
        expect(File.stat("#{directory}/authority").mode & 0o777).to eq(0o700)
        key = OpenSSL::PKey::RSA.new(2048)
        Net::HTTP.start("localhost", 8140, use_ssl: true, ca_file: "#{directory}/authority/ca.pem") do |http|
          expect(http.get("/puppet-ca/v1/certificate/ca").body).to eq(File.read("#{directory}/authority/ca.pem"))
          expect(OpenSSL::X509::CRL.new(http.get("/puppet-ca/v1/certificate_revocation_list/ca").body).revoked).to eq([])
          expect(http.get("/puppet-ca/v1/certificate/web").code).to eq("404")
          statuses = %w[db web].map { |name| http.put("/puppet-ca/v1/certificate_request/#{name}", request(key, "web")).code }
          expect(statuses).to eq(%w[400 200])
          @certificate = OpenSSL::X509::Certificate.new(http.get("/puppet-ca/v1/certificate/web").body)
        end
        options = {use_ssl: true, ca_file: "#{directory}/authority/ca.pem", cert: @certificate, key: key}
        Net::HTTP.start("localhost", 8140, **options) do |http|
          expect(http.get("/puppet/v3/file_content/modules/m/text#{environment}").body).to eq("served")
          expect(http.get("/puppet/v3/catalog/web#{environment}").code).to eq("200")
          expect(http.get("/puppet/v3/catalog/db#{environment}").code).to eq("403")
        end
      end
    end
  end

  # @return [String] a request for a certificate, in PEM
  def request(key, name)
    OpenSSL::X509::Request.new.tap do |request|
      request.subject = OpenSSL::X509::Name.new([["CN", name]])
      request.public_key = key.public_key
      request.sign(key, "SHA256")
    end.to_pem
  end
end
