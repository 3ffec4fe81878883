# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "socket"
require "uri"
require_relative "../support/module_tree"

# Exported resources from a live PuppetDB: here a server that speaks as much HTTP as is needed. Certificates are tried in the tests of
# crates/puppetdb.
RSpec.describe "Exported resources of a live PuppetDB" do
  include ModuleTree

  let(:row) { {certname: "web1", type: "Notify", title: "up", exported: true, tags: ["up"], parameters: {message: "m"}} }

  # Answers requests with a status and a body until the block ends, which is given the address and the queries so far.
  def serving(status, body)
    server, queries = TCPServer.new("127.0.0.1", 0), Queue.new
    thread = Thread.new do
      while (client = server.accept)
        line, length = client.gets.to_s, 0
        while (header = client.gets.to_s.strip) && !header.empty?
          length = header[/\Acontent-length: (\d+)/i, 1].to_i if header.match?(/\Acontent-length/i)
        end
        queries << (length.zero? ? URI.decode_www_form_component(line[/query=(\S+)/, 1].to_s) : client.read(length))
        client.write("HTTP/1.1 #{status}\r\ncontent-length: #{body.bytesize}\r\nconnection: close\r\n\r\n#{body}")
        client.close
      end
    end
    yield "http://127.0.0.1:#{server.addr[1]}", queries
  ensure
    thread&.kill
    server&.close
  end

  def compile(code, *options)
    with_modules("manifests/site.pp" => code) do |directory|
      File.write("#{directory}/puppetdb.conf", "[main]\nserver_urls = https://127.0.0.1:1\nserver_url_timeout = 1\n")
      options = options.map { |option| option.sub("CONF", "#{directory}/puppetdb.conf") }
      output, log, status = Open3.capture3(*Puppetfn::CLI.command, "compile", "lb", "--environment", directory, *options)
      [status.success? ? JSON.parse(output)["resources"].last.values_at("type", "title", "parameters") : nil, log, status.exitstatus]
    end
  end

  it "are what it answers to the collector's query" do
    serving("200 OK", JSON.generate([row])) do |url, queries|
      found, log, = compile("Notify <<| tag == 'Up' and message != 'x y' |>> { withpath => true }", "--puppetdb-url=#{url}")
      expect(found).to eq(["Notify", "up", {"message" => "m", "withpath" => true}])
      expect(log).not_to include("Warning")
      expect(JSON.parse(queries.pop)).to eq(
        ["and", %w[= type Notify], ["=", "exported", true], ["not", %w[= certname lb]],
         ["and", %w[= tag up], ["not", ["=", %w[parameter message], "x y"]]]]
      )
    end
  end

  it "come from the next server where one does not answer" do
    serving("503 Service Unavailable", "starting") do |starting, _|
      serving("200 OK", JSON.generate([row])) do |url, _|
        found, log, = compile("Notify <<| |>>", "--puppetdb-url=#{starting},#{url}")
        expect(found&.at(1)).to eq("up")
        expect(log).to match(/^Warning: Error connecting to 127.0.0.1 on \d+ at route .*, error message received was 'Service Unavailable'\. Failing over/)
      end
    end
  end

  it "are an error where none answers" do
    serving("400 Bad Request", "no such query") do |url, _|
      _, log, code = compile("Notify <<| |>>", "--puppetdb-url=#{url}")
      expect([log, code]).to match([/Error: Could not retrieve resources from the PuppetDB at #{url}: \[400 Bad Request\] no such query on node lb/, 1])
    end
    _, log, = compile("Notify <<| |>>", "--puppetdb-conf=CONF")
    expect(log).to match(%r{Failed to execute '/pdb/query/v4/resources\?query=.*' on at least 1 of the following 'server_urls': https://127\.0\.0\.1:1 })
  end

  it "is asked by puppetdb_query, too" do
    serving("200 OK", JSON.generate([{certname: "web1"}])) do |url, queries|
      found, = compile("puppetdb_query('nodes[certname] { }').each |$node| { notify { $node['certname']: } }", "--puppetdb-url=#{url}")
      expect(found&.at(1)).to eq("web1")
      expect(JSON.parse(queries.pop)).to eq("query" => "nodes[certname] { }")
      compile("puppetdb_query(['from', 'nodes', ['=', 'certname', 'web1']])", "--puppetdb-url=#{url}")
      expect(JSON.parse(queries.pop)).to eq("query" => ["from", "nodes", %w[= certname web1]])
    end
  end

  it "are stored by no run that goes on with one that did not" do
    with_modules("manifests/site.pp" => "notify { 'own': }", "names" => "lb\n") do |directory|
      compile = lambda do |*options|
        Open3.capture2e(*Puppetfn::CLI.command, "compile", "--nodes", "names", "--environment", ".", "--out", "../#{File.basename(directory)}-out",
          "--puppetdb-url=http://127.0.0.1:1", *options, chdir: directory).first
      end
      expect(compile.call).to include("1 compiled, 0 failed")
      expect(compile.call("--resume", "--store")).to include("has a run with other code, data or options")
    ensure
      FileUtils.rm_rf("#{directory}-out")
    end
  end

  it "are not asked for without a collector" do
    serving("200 OK", "[]") do |url, queries|
      expect(compile("notify { 'own': }", "--puppetdb-url=#{url}").first&.at(1)).to eq("own")
      expect(queries).to be_empty
    end
  end

  {
    ["--puppetdb-url=ftp://x"] => /Error parsing URL 'ftp:\/\/x' in PuppetDB 'server_urls', error message was 'expected https:\/\/HOST:PORT'/,
    ["--puppetdb-url=https://x/y"] => /PuppetDB 'server_urls' cannot contain URL paths, found 'https:\/\/x\/y'/,
    ["--puppetdb-conf=/none/puppetdb.conf"] => /--puppetdb-conf: \/none\/puppetdb.conf: No such file or directory/,
    ["--puppetdb-url=https://x", "--exports=/tmp"] => /cannot be used with/
  }.each do |options, message|
    it "are refused with #{options.join(" ")}" do
      _, log, code = compile("", *options)
      expect([log, code]).to match([message, be_positive])
    end
  end
end
