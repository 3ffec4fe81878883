# frozen_string_literal: true

require "open3"
require_relative "../support/compile_service"
require_relative "../support/control_repository"
require_relative "../support/module_tree"

RSpec.describe "`puppetfn serve`, asked for catalogs" do
  include ModuleTree

  # Runs a service for environments.
  def serve(files, *options)
    with_modules(files) { |root| CompileService.run("--environmentpath", root, "--workers", "1", *options) { |service| yield service, root } }
  end

  # A catalog without its UUID and version, which each compilation makes anew.
  def stable(catalog)
    JSON.generate(catalog.except("catalog_uuid", "version"))
  end

  it "answers with the catalogs of `puppetfn compile`, byte for byte" do
    repository = ControlRepository::DIRECTORY
    classifier = "#{repository}/scripts/classifier.sh"
    CompileService.run("--environment", repository, "--workers", "1") do |service|
      ControlRepository::NODES.each do |node|
        command = [*Puppetfn::CLI.command, "compile", node, "--environment", repository, "--environment-name", "production"]
        compiled, = Open3.capture3(*command, "--facts", ControlRepository.facts_file(node), "--enc", classifier)
        classified = YAML.safe_load(Open3.capture2(classifier, node).first)
        facts = ControlRepository.facts(node)
        identifiers = Array.new(2) do
          # Puppet merges facts into the parameters of a node.
          answer = service.catalog(node, facts: facts, parameters: facts.merge(classified.fetch("parameters")), classes: classified["classes"])
          expect(answer.status).to eq(200), answer.body
          expect(answer.headers["content-type"]).to eq(["application/json"])
          expect(stable(answer.json.fetch("catalog"))).to eq(stable(JSON.parse(compiled)))
          answer.json.dig("catalog", "catalog_uuid")
        end
        expect(identifiers.uniq.size).to eq(2)
      end
    end
  end

  it "gives code the facts, trusted facts, server facts, classes and parameters of the request" do
    code = <<~PUPPET
      class a($p = 0, $q = 'default') { notice("a ${p} ${q}") }
      class b { notice('b') }
      node default {
        notice("${facts['os']['family']} ${facts['role']} ${role} ${trusted['extensions']['pp_role']} ${server_facts['servername']} ${environment}")
        notify { 'virtual': }
      }
    PUPPET
    serve("production/manifests/site.pp" => code) do |service|
      members = {
        facts: {os: {family: "Debian"}, role: "fact"}, trusted: {authenticated: "remote", extensions: {pp_role: "web"}},
        server_facts: {servername: "puppet.example.com"}, parameters: {role: "enc"}, code_id: "abc", transaction_uuid: "x"
      }
      answer = service.catalog(**members, classes: {a: {p: 1}, b: nil})
      expect(answer.json["log"]).to eq(
        [
          {"level" => "notice", "source" => "Scope(Node[default])", "message" => "Debian fact enc web puppet.example.com production"},
          {"level" => "notice", "source" => "Scope(Class[A])", "message" => "a 1 default"},
          {"level" => "notice", "source" => "Scope(Class[B])", "message" => "b"}
        ]
      )
      catalog = answer.json.fetch("catalog")
      expect(catalog.values_at("name", "environment", "code_id")).to eq(["web1", "production", "abc"])
      expect(catalog["classes"]).to include("a", "b")

      expect(service.catalog(**members, classes: %w[b a]).messages.grep_v(/Debian/)).to eq(["b", "a 0 default"])
      expect(service.catalog(**members, classes: nil).messages).to eq(["Debian fact enc web puppet.example.com production"])
      expect(service.catalog(**members, classes: ["nosuch"]).json["message"]).to eq(
        "Could not find class nosuch for web1 on node web1"
      )
    end
  end

  it "words errors as Puppet does, and sends the log before them" do
    files = {
      "production/manifests/site.pp" => "warning('careful')\ninclude broken\n",
      "production/modules/broken/manifests/init.pp" => "class broken {\n  notice('in it')\n  file { '/a': ensure => nosuch }\n  fail('no')\n}\n",
      "syntax/manifests/site.pp" => "class {\n",
      "unset/manifests/site.pp" => "notice($nosuch)\n"
    }
    serve(files) do |service, root|
      answer = service.catalog
      expect(answer.status).to eq(422)
      expect(answer.json).to eq(
        "message" => "Evaluation Error: Error while evaluating a Function Call, no (file: #{root}/production/modules/broken/manifests/init.pp, " \
                     "line: 4, column: 3) on node web1",
        "issue_kind" => "COMPILATION_FAILED",
        "log" => [
          {"level" => "warning", "source" => "Scope(Class[main])", "message" => "careful"},
          {"level" => "notice", "source" => "Scope(Class[Broken])", "message" => "in it"}
        ]
      )
      expect(service.catalog(environment: "syntax").json["message"]).to eq(
        "Could not parse for environment syntax: Syntax error at end of input (file: #{root}/syntax/manifests/site.pp) on node web1"
      )
      expect(service.catalog(environment: "unset").json["message"]).to eq(
        "Evaluation Error: Unknown variable: 'nosuch'. (file: #{root}/unset/manifests/site.pp, line: 1, column: 8) on node web1"
      )
    end
  end

  it "declines code that Puppet may compile: beyond limits, and Ruby that does not run here" do
    function = ->(name, body) { "Puppet::Functions.create_function(:'m::#{name}') do\n  def #{name}\n    #{body}\n  end\nend\n" }
    files = {
      "limit/manifests/site.pp" => "Integer[1, 100000].each |$i| { $i }", "function/manifests/site.pp" => "m::f()",
      "template/manifests/site.pp" => "notice(template('m/t.erb'))", "library/manifests/site.pp" => "m::l()",
      **%w[function template library].to_h { |name| ["#{name}/environment.conf", "modulepath = ../modules\n"] },
      "modules/m/lib/puppet/functions/m/f.rb" => function.call("f", "1"), "modules/m/templates/t.erb" => "<%= Kernel.format('%d', 1) %>",
      "modules/m/lib/puppet/functions/m/l.rb" => function.call("l", "require 'nosuch_library'")
    }
    declined = lambda do |service, environment|
      answer = service.catalog(environment: environment)
      expect([answer.status, answer.json["issue_kind"]]).to eq([501, "DECLINED"]), answer.body
    end
    serve(files, "--limit", "fuel=1000") { |service| %w[limit library].each { |environment| declined.call(service, environment) } }
    serve(files, "--no-ruby") { |service| %w[function template].each { |environment| declined.call(service, environment) } }
  end

  it "marks exported and virtual resources for a server that stores them" do
    code = "@@notify { 'exported': }\n@notify { 'virtual': }\nnotify { 'real': }"
    serve("production/manifests/site.pp" => code) do |service|
      expect(service.catalog.references).to include("Notify[real]")
      expect(service.catalog.references).not_to include("Notify[exported]")
      expect(service.catalog.references).not_to include("Notify[virtual]")
      resources = service.catalog(with_exports: true).json.dig("catalog", "resources").to_h { |resource| [resource["title"], resource] }
      expect(%w[exported virtual real].map { |title| resources.fetch(title).slice("exported", "virtual") }).to eq(
        [{"exported" => true, "virtual" => true}, {"exported" => false, "virtual" => true}, {"exported" => false}]
      )
    end
  end

  it "refuses requests that are none" do
    serve("production/manifests/site.pp" => "") do |service|
      refused = {
        "" => /not JSON/, "{" => /not JSON/, "[1]" => /expected a JSON object, got Array/, "\xFF" => /not UTF-8/, "{} {}" => /not JSON/,
        '{"environment": "production"}' => /node: expected the name of a node/, '{"node": "web1"}' => /environment: expected/,
        '{"node": 1, "environment": "production"}' => /node: expected a string/,
        '{"node": "web1", "environment": "production", "facts": []}' => /facts: expected a JSON object/,
        '{"node": "web1", "environment": "production", "trusted": "x"}' => /trusted: expected a JSON object/,
        '{"node": "web1", "environment": "production", "classes": 1}' => /classes/,
        '{"node": "web1", "environment": "production", "parameters": [1]}' => /parameters/,
        '{"node": "web1", "environment": "production", "with_exports": "yes"}' => /with_exports: expected true or false/,
        '{"node": "web1", "environment": "production", "factz": {}}' => /unknown member "factz"/
      }
      refused.each do |body, problem|
        answer = service.request("POST", "/v1/catalog", body)
        expect([answer.status, answer.json["issue_kind"]]).to eq([400, "BAD_REQUEST"]), "#{body}: #{answer.body}"
        expect(answer.json["message"]).to match(problem)
      end
      ["", "a/b", "../x", "..", "a\0b", "a\nb", "ä", "a\\b", "c:x"].each do |node|
        answer = service.catalog(node)
        expect([answer.status, answer.json["issue_kind"]]).to eq([400, "BAD_REQUEST"]), "#{node.inspect}: #{answer.body}"
      end
      ["", "../x", "..", "a/b", "a-b", "production\0", "production/../production", "%2e%2e"].each do |environment|
        answer = service.catalog(environment: environment)
        expect([answer.status, answer.json["issue_kind"]]).to eq([400, "BAD_REQUEST"]), "#{environment.inspect}: #{answer.body}"
      end
      expect(service.catalog(environment: "nosuch").then { |answer| [answer.status, answer.json.slice("message", "issue_kind")] }).to eq(
        [404, {"message" => "Could not find environment 'nosuch'", "issue_kind" => "ENVIRONMENT_NOT_FOUND"}]
      )
      expect(service.catalog.status).to eq(200)
    end
  end

  it "answers other paths and methods with JSON" do
    serve({"production/manifests/site.pp" => ""}, "--body-limit", "1") do |service|
      {["GET", "/v1/catalog"] => 405, ["POST", "/v1/status"] => 405, ["GET", "/"] => 404, ["GET", "/v1/../etc/passwd"] => 404}.each do |line, status|
        answer = service.request(*line)
        expect([answer.status, answer.json.keys]).to eq([status, %w[message issue_kind]])
      end
      answer = service.request("POST", "/v1/catalog", " " * (1024 * 1024 + 1))
      expect([answer.status, answer.json["message"]]).to eq([413, "the body is larger than 1048576 bytes, the limit --body-limit"])
      expect(service.request("GET", "/v1/status").json).to eq("state" => "running", "version" => Puppetfn::VERSION)
    end
  end

  it "reads environments anew when told to" do
    serve("production/manifests/site.pp" => "notice('one')", "other/manifests/site.pp" => "") do |service|
      service.catalog
      ["", "?environment=production", "?environment=nosuch", "?environment=../production"].each do |query|
        answer = service.request("DELETE", "/v1/environment-cache#{query}")
        expect([answer.status, answer.body.to_s]).to eq([204, ""])
        expect(service.catalog.messages).to eq(["one"])
      end
      answer = service.request("DELETE", "/v1/environment-cache?environment=a&environment=b")
      expect([answer.status, answer.json["issue_kind"]]).to eq([400, "BAD_REQUEST"])
    end
  end

  it "counts requests and compilations for Prometheus" do
    serve("production/manifests/site.pp" => "notice('one')") do |service|
      service.catalog
      service.catalog(environment: "nosuch")
      answer = service.request("GET", "/metrics")
      expect(answer.headers["content-type"].first).to start_with("application/openmetrics-text; version=1.0.0")
      expect(answer.body).to end_with("# EOF\n")
      metrics = service.metrics
      expect(metrics).to include(
        'puppetfn_requests_total{endpoint="catalog",status="200"}' => 1.0, 'puppetfn_requests_total{endpoint="catalog",status="404"}' => 1.0,
        "puppetfn_busy_workers" => 0.0
      )
      expect(metrics["puppetfn_compilation_seconds_count"]).to be >= 1
      expect(metrics["puppetfn_memory_bytes"]).to be > 1_000_000
    end
  end
end
