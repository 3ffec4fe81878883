# frozen_string_literal: true

require "socket"
require "uri"

# The client of HTTP that `Puppet.runtime` has. All answers are Puppet 8.11's.
RSpec.describe "Puppet.runtime[:http]" do
  around { |example| Puppetfn::Runtime.new.activate { example.run } }

  let(:client) { Puppet.runtime[:http] }

  def answer(status, body = "hi", **headers)
    lines = headers.map { |name, value| "#{name.to_s.tr("_", "-")}: #{value}" }
    ["HTTP/1.1 #{status}", *lines, "Content-Length: #{body.bytesize}", "Connection: close", "", body].join("\r\n")
  end

  # Gives each request the next answer, and yields the address and the requests that came.
  def serve(*answers)
    server = TCPServer.new("127.0.0.1", 0)
    requests = []
    thread = Thread.new do
      answers.each do |text|
        socket = server.accept
        head = socket.gets("\r\n\r\n")
        requests << (head + socket.read(head[/^content-length: (\d+)/i, 1].to_i))
        socket.write(text)
        socket.close
      end
    end
    yield URI("http://127.0.0.1:#{server.addr[1]}/a"), requests
  ensure
    thread&.kill
    server&.close
  end

  it "sends requests with parameters, headers and a body" do
    serve(answer("200 OK", X_A: 1), answer("404 Not Found"), answer("200 OK")) do |url, requests|
      found = client.get(url, headers: {"X-B" => "2"}, params: {"q" => "a b&c", none: nil, list: [1, true]})
      expect([found.code, found.reason, found.body, found.success?, found["x-a"]]).to eq([200, "OK", "hi", true, "1"])
      expect(client.delete(url).success?).to be(false)
      client.put(url, "text", headers: {"Content-Type" => "text/plain"}, options: {basic_auth: {user: "u", password: "p"}})

      expect(requests.map { |text| text.lines.first.split.first(2) }).to eq([%w[GET /a?q=a%20b%26c&list=1&list=true], %w[DELETE /a], %w[PUT /a]])
      expect(requests[0]).to include("X-B: 2", "X-Puppet-Version: 8.11.0")
      expect(requests[2]).to include("Authorization: Basic dTpw").and end_with("\r\n\r\ntext")
    end
  end

  it "gives a block the answer before its body is read" do
    serve(answer("200 OK", "body")) do |url, _|
      chunks = []
      client.get(url) { |response| response.read_body { |chunk| chunks << chunk } }
      expect(chunks).to eq(["body"])
    end
  end

  it "follows answers to other places, without secrets" do
    serve(answer("302 Found", Location: "/b"), answer("503 Later", Retry_After: 0), answer("200 OK")) do |url, requests|
      expect(client.get(url, headers: {"Authorization" => "x"}).code).to eq(200)
      expect(requests.map { |text| [text[/\S+ (\S+)/, 1], text.include?("Authorization")] }).to eq([["/a", true], ["/b", false], ["/b", false]])
    end
  end

  {
    ["302 Found"] => ["ProtocolError", "Location response header is missing"],
    ["302 Found", {Location: "b ad"}] => ["ProtocolError", 'Location URI is invalid: bad URI(is not URI?): "b ad"'],
    ["503 Later", {Retry_After: "x"}] => ["ProtocolError", "Failed to parse Retry-After header 'x' as an integer or RFC 2822 date"]
  }.each do |(status, headers), (error, message)|
    it "refuses #{status} with #{headers}" do
      serve(answer(status, **headers.to_h)) do |url, _|
        expect { client.get(url) }.to raise_error(Puppet::HTTP.const_get(error), message)
      end
    end
  end

  it "says why there was no answer" do
    serve("") do |url, _|
      expect { client.get(url) }.to raise_error(Puppet::HTTP::HTTPError, /\ARequest to #{url} interrupted after [\d.]+ seconds\z/)
    end
    expect { client.get(URI("http://127.0.0.1:1/")) }
      .to raise_error(Puppet::HTTP::ConnectionError, %r{\ARequest to http://127.0.0.1:1/ failed after [\d.]+ seconds: Failed to open TCP connection})
    expect { client.post(URI("http://a/"), "") }.to raise_error(ArgumentError, "'post' requires a 'content-type' header")
    expect { client.post(URI("http://a/"), nil) }.to raise_error(ArgumentError, "'post' requires a string 'body' argument")
    expect { client.get(URI("http://a/"), params: {a: {}}) }
      .to raise_error(Puppet::HTTP::SerializationError, "HTTP REST queries cannot handle values of type 'Hash'")
  end

  it "has no certificates of an agent" do
    expect { client.get(URI("https://127.0.0.1:1/")) }.to raise_error(Puppetfn::UnavailableError, /an agent's certificates/)
    expect { client.get(URI("https://127.0.0.1:1/"), options: {include_system_store: true}) }.to raise_error(Puppet::HTTP::ConnectionError)
  end

  it "is one of the services, which can be replaced" do
    expect(client).to equal(Puppet.runtime[:http])
    expect(Puppet.runtime[:facter].value("kernel")).to be_a(String)
    Puppet.runtime[:http] = :other
    expect([client, Puppet.runtime[:http]]).to include(:other)
    expect { Puppet.runtime[:none] }.to raise_error(ArgumentError, "Unknown service none")
  ensure
    Puppet.runtime.clear
  end
end
