# frozen_string_literal: true

require "uri"
require_relative "../support/certificates"
require_relative "../support/compile_service"
require_relative "../support/module_tree"

# Real authorities are asked by `script/verify serve-agents`.
RSpec.describe "the certificate authority of `puppetfn serve --listen --ca-url`" do
  include ModuleTree

  # A server with TLS that notes requests and answers with the results of a block: status, body and headers.
  class FakeAuthority
    # `client` is the name in the certificate of the client, if it shows one.
    Request = Struct.new(:client, :method, :path, :headers, :body)

    attr_reader :requests, :url

    def initialize(options, &answer)
      @requests, @answer = [], answer
      context = OpenSSL::SSL::SSLContext.new
      context.set_params(cert: options[:cert], key: options[:key], ca_file: options[:ca_file], verify_mode: OpenSSL::SSL::VERIFY_PEER)
      plain = TCPServer.open("127.0.0.1", 0)
      @url = "https://localhost:#{plain.addr[1]}"
      @server = OpenSSL::SSL::SSLServer.new(plain, context)
      @thread = Thread.new { loop { serve } }
    end

    def stop
      @thread.kill
      @server.close
    end

    private

    def serve
      connection = @server.accept
      method, path = connection.gets.split
      headers = {}
      while (line = connection.gets.chomp) != ""
        name, value = line.split(": ", 2)
        headers[name.downcase] = value
      end
      body = connection.read(headers.fetch("content-length", 0).to_i)
      @requests << Request.new(connection.peer_cert&.subject&.to_a&.dig(0, 1), method, path, headers, body)
      status, answer, *others = @answer.call(@requests.last)
      lines = ["HTTP/1.1 #{status} x", "Content-Type: text/plain", *others]
      connection.write("#{lines.join("\r\n")}\r\nContent-Length: #{answer.bytesize}\r\nConnection: close\r\n\r\n#{answer}")
      connection.close
    rescue OpenSSL::SSL::SSLError, SystemCallError
      nil # of a client that refuses the certificate
    end
  end

  def listen(answer)
    with_modules("environments/production/manifests/site.pp" => "") do |root|
      @certificates = Certificates.new("#{root}/ssl")
      %w[server authority].each { |name| @certificates.issue(name, alternatives: ["DNS:localhost"]) }
      @old = issue("web")
      authority = FakeAuthority.new(@certificates.client("authority"), &answer)
      File.write("#{root}/puppet.conf", "[main]\nssldir = #{root}/ssl\ncertname = server\nenvironmentpath = #{root}/environments\nconfdir = #{root}\n")
      @port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
      options = ["--listen", "127.0.0.1:#{@port}", "--config", "#{root}/puppet.conf", "--workers", "1", "--ca-url", authority.url]
      CompileService.run(*options, socket: false) { |service| yield authority, service }
    ensure
      authority&.stop
    end
  end

  def ask(method, path, client: nil, body: nil, headers: {})
    Net::HTTP.start("localhost", @port, **@certificates.client(client)) { |http| http.send_request(method, "/puppet-ca/v1/#{path}", body, headers) }
  end

  # A certificate without the private key, which Ruby's own object may hold.
  def issue(name, **options) = OpenSSL::X509::Certificate.new(@certificates.issue(name, **options).to_der)

  # A certificate of the same authority, with the name and the key of another.
  def renewal(old, key: old.public_key) = issue(old.subject.to_a.dig(0, 1), key: key)

  it "passes requests on without the client's certificate, and without its own" do
    listen(->(request) { [request.headers["if-modified-since"] ? 304 : 200, ""] }) do |authority|
      time = "Wed, 25 Nov 2026 10:00:00 GMT"
      expect(ask("PUT", "certificate_request/db", body: "a request", headers: {"Content-Type" => "text/plain", "X-Client-Cert" => "forged"}).code).to eq("200")
      expect(ask("GET", "certificate_revocation_list/ca", client: "web", headers: {"If-Modified-Since" => time}).code).to eq("304")
      expect(authority.requests.map { |request| [request.client, request.method, request.path, request.body] }).to eq([
        [nil, "PUT", "/puppet-ca/v1/certificate_request/db", "a request"], [nil, "GET", "/puppet-ca/v1/certificate_revocation_list/ca", ""]
      ])
      expect(authority.requests.map { |request| request.headers.values_at("content-type", "x-client-cert", "if-modified-since") }).to eq([
        ["text/plain", nil, nil], [nil, nil, time]
      ])
    end
  end

  it "has the certificates of clients renewed with the service's own" do
    listen(->(_) { [200, renewal(@old).to_pem] }) do |authority|
      forged = {"X-Client-Cert" => "forged", "Content-Type" => "text/plain"}
      answer = ask("POST", "certificate_renewal", client: "web", body: "", headers: forged)
      expect(answer.code).to eq("200")
      expect(OpenSSL::X509::Certificate.new(answer.body).public_key.to_der).to eq(@old.public_key.to_der)
      request = authority.requests.fetch(0)
      expect([request.client, request.method, request.path]).to eq(["server", "POST", "/puppet-ca/v1/certificate_renewal"])
      expect(OpenSSL::X509::Certificate.new(URI.decode_www_form_component(request.headers["x-client-cert"]))).to eq(@old)
      expect(ask("POST", "certificate_renewal", body: "").code).to eq("403")
      expect(authority.requests.size).to eq(1)
    end
  end

  it "gives clients no other certificates, and the authority's refusals" do
    key = OpenSSL::PKey::EC.generate("prime256v1")
    answers = {
      -> { [200, issue("server", alternatives: ["DNS:localhost"]).to_pem] } => ["502", /renews no certificates for other servers/],
      -> { [200, renewal(@old, key: key).to_pem] } => ["502", /renews no certificates for other servers/],
      -> { [200, "no certificate"] } => ["502", /renews no certificates for other servers/],
      -> { [400, "No valid certificate found in renewal request"] } => ["400", /\ANo valid certificate/],
      -> { [404, "Not Found"] } => ["404", /\ANot Found/]
    }
    listen(->(_) { @answer.call }) do |_authority, service|
      answers.each do |answer, (status, body)|
        @answer = answer
        found = ask("POST", "certificate_renewal", client: "web", body: "")
        expect([found.code, found.body]).to match([status, body])
      end
      expect(service.log).to include("only if its infra_inventory.txt has the service's name")
    end
  end

  it "refuses an authority whose certificate is revoked, until the list changes" do
    listen(->(_) { [200, "an answer"] }) do |authority, service|
      @certificates.revoke(OpenSSL::X509::Certificate.new(File.read(@certificates.path("certs/authority.pem"))))
      expect(ask("GET", "certificate/ca").code).to eq("502")
      expect(service.log).to match(/ERROR the certificate authority problem=.*revoked/i)
      expect(authority.requests).to eq([])
      @certificates.revoke
      expect(ask("GET", "certificate/ca").body).to eq("an answer")
    end
  end

  it "does not follow the authority to another server" do
    listen(->(_) { [307, "", "Location: https://localhost:1/"] }) do |authority|
      expect(ask("GET", "certificate/ca").code).to eq("307")
      expect(authority.requests.size).to eq(1)
    end
  end
end
