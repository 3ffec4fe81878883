# frozen_string_literal: true

require_relative "shared_contexts"

# Agents soon get Puppet's catalogs however the service fails.
RSpec.describe "a compile service that fails" do
  include_context "with a Puppet server and a compile service",
    {"enc/web1.yaml" => "{}", "environments/production/manifests/site.pp" => "notify { 'of Puppet': }"}

  before(:all) do
    @socket = @service.path
    @data = @server.plain.answer["catalog"].merge("resources" => [{"type" => "Notify", "title" => "of the service", "kind" => "compilable_type"}], "edges" => [])
  end

  before do
    @server.configure(conf)
    @service.will_answer(200, "catalog" => @data)
    @service.connections
  end

  let(:conf) { "[main]\nsocket = #{@socket}\nconnect_timeout = 0.3s\nread_timeout = 0.4s\ntimeout = 1s\nretry_after = 0\nmax_answer_size = 200KB\n" }
  let(:of_puppet) { a_collection_including("Notify[of Puppet]") }
  let(:of_service) { ["Notify[of the service]"] }

  def unusable(reason) = ["warning: puppetfn: the compile service at #{@socket} cannot be used: #{reason}. Until it can, Puppet compiles the catalogs"]

  def answer_once(text) = @service.behave { |socket, _request| socket.write(text) }

  it "is told of once, and when it answers again" do
    @service.stop
    first, second = Array.new(2) { @server.find }
    @service.listen
    third, fourth = Array.new(2) { @server.find }
    expect([first, second].map(&:references)).to all(of_puppet)
    expect([third, fourth].map(&:references)).to all(eq(of_service))
    expect([first, second, third, fourth].map(&:notes)).to eq([unusable("there is no such file"), [], ["notice: puppetfn: the compile service at #{@socket} answers again"], []])
  end

  it "is not waited for where nothing listens" do
    @service.stop
    File.write(@socket, "")
    file = @server.find
    File.delete(@socket)
    UNIXServer.new(@socket).close
    unused = @server.find
    File.delete(@socket)
    expect([file, unused].map(&:notes)).to eq([unusable("it is not a socket"), []])
    expect([file, unused].map(&:seconds)).to all(be < 0.3)
    @server.configure(conf)
    UNIXServer.new(@socket).close
    expect(@server.find.notes).to eq(unusable("no process listens on it"))
  ensure
    File.delete(@socket)
    @service.listen
  end

  # Partial, invalid and late answers, by the behaviour of the service, each with the logged reason.
  {
    "does not answer" => [->(_) { sleep(3) }, "nothing came of it for 0.4 s"],
    "answers a byte at a time" => [->(socket) { "HTTP/1.1 200 OK\r\n#{"x: y\r\n" * 100}".each_char { |char| socket.write(char) && sleep(0.1) } }, "it did not answer within 1.0 s"],
    "stops within its answer" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{") && sleep(3) }, "nothing came of it for 0.4 s"],
    "ends within its answer" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{") }, "it closed the connection within its answer"],
    "ends within a chunk" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n{") }, "it closed the connection within its answer"],
    "closes the connection" => [->(_) {}, "it closed the connection without an answer"],
    "speaks something else" => [->(socket) { socket.write("SSH-2.0-OpenSSH\r\n\r\n") }, "its answer is not HTTP"],
    "sends headers without end" => [->(socket) { 100.times { socket.write("a: #{"b" * 1000}\r\n") } }, "its answer is not HTTP"],
    "announces too much" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n") }, "its answer is larger than 204800 bytes"],
    "announces no number" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\ncontent-length: ten\r\n\r\n") }, "its answer has no valid length"],
    "sends too much" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\n\r\n#{"x" * 300_000}") }, "its answer is larger than 204800 bytes"],
    "sends no JSON" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\n\r\nhello") }, "its answer is not JSON"],
    "sends no object" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\n\r\n[1]") }, "its answer is not a JSON object"],
    "sends no UTF-8" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\n\r\n{\"catalog\": \"\xff\"}") }, "its answer is not UTF-8"],
    "nests without end" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\n\r\n#{"[" * 50_000}") }, "its answer is not JSON"],
    "sends no catalog" => [->(socket) { socket.write("HTTP/1.1 200 OK\r\n\r\n{\"catalog\": 1}") }, "its answer has no catalog"],
    "sends an error without a message" => [->(socket) { socket.write("HTTP/1.1 422 No\r\n\r\n{}") }, "its error has no message"]
  }.each do |behaviour, (action, reason)|
    it "that #{behaviour} leaves the catalog to Puppet" do
      @service.behave { |socket, _request| action.call(socket) }
      found = @server.find
      expect(found.references).to of_puppet
      expect(found.notes).to eq(unusable(reason))
      expect(found.seconds).to be < 1.5
      @service.will_answer(200, "catalog" => @data)
      expect(@server.find.references).to eq(of_service)
    end
  end

  it "that sends another catalog, log or resources than there can be leaves the catalog to Puppet" do
    reasons = [
      {"catalog" => @data.merge("name" => "web2")}, {"catalog" => @data.merge("environment" => "test")}, {"catalog" => @data, "log" => [{"level" => "loud", "message" => ""}]},
      {"catalog" => @data.merge("resources" => [1])}, {"catalog" => @data.merge("resources" => [{"title" => "x"}])},
      {"catalog" => @data.merge("resources" => @data["resources"] * 2)}, {"catalog" => @data.merge("edges" => [{"source" => "Class[a]", "target" => "Class[b]"}])}
    ].map do |body|
      @server.configure(conf)
      @service.will_answer(200, body)
      found = @server.find
      expect(found.references).to of_puppet
      found.notes.join[/(?:cannot be used|in environment production): (.*?)(?:\. Until|\z)/, 1]
    end
    expect(reasons).to match(["it answered with the catalog of web2 in production", "it answered with the catalog of web1 in test", "its log is invalid",
      "puppetfn's cannot be read: TypeError", /\Apuppetfn's cannot be read: No resource type/, /\Apuppetfn's cannot be read: Duplicate declaration/, "puppetfn's cannot be read: there is no resource Class[a] for an edge"])
  end

  it "with a status of failure is told of once for each kind" do
    notes = [[500, "the worker ended"], [500, "the worker ended"], [504, "the time limit"], [503, "too many requests wait"], [503, "too many requests wait"]].map do |status, message|
      @service.will_answer(status, "message" => message)
      @server.find.notes
    end
    expect(notes).to eq([unusable("the worker ended"), [], [], unusable("too many requests wait"), []])
    @service.will_answer(502, "<html>")
    expect(@server.find.notes).to eq(unusable("its status is 502"))
  end

  it "that declines a catalog is told of once for each reason, and is well" do
    @service.will_answer(501, "message" => "the function x is not known")
    notes = [@server.find, @server.find].map(&:notes)
    @service.will_answer(404, "message" => "there is no environment production")
    notes += [@server.find, @server.find].map(&:notes)
    told = ["the function x is not known", "there is no environment production"].map { |reason| "warning: puppetfn: Puppet compiles the catalog of web1 in environment production: #{reason}" }
    expect(notes).to eq([[told[0]], [], [told[1]], []])
  end

  context "that did not answer in time" do
    let(:conf) { super().sub("retry_after = 0\n", "retry_after = 1.5s\n") }

    it "is asked again after a while" do
      @service.behave { |_socket, _request| sleep(3) }
      slow = @server.find
      @service.will_answer(200, "catalog" => @data)
      left_alone = @server.find
      expect([slow.references, left_alone.references]).to all(of_puppet)
      expect([slow.seconds, left_alone.seconds]).to match([a_value > 0.4, a_value < 0.3])
      expect(@service.connections).to eq(1)
      sleep(1.6)
      again = @server.find
      expect([again.references, again.notes]).to eq([of_service, ["notice: puppetfn: the compile service at #{@socket} answers again"]])
    end
  end

  it "that accepts no connections is not waited for longer than is allowed" do
    @service.stop
    @service.listen(backlog: 0, accepts: false)
    waiting = UNIXSocket.new(@socket)
    found = @server.find
    expect(found.notes).to eq(unusable("it does not accept connections"))
    expect(found.seconds).to be_between(0.3, 0.8)
  ensure
    waiting.close
    @service.stop
    @service.listen
  end

  it "may answer in chunks, without a length, and before it has read everything" do
    body = JSON.generate("catalog" => @data)
    chunks = body.scan(/.{1,100}/m).map { |part| "#{part.bytesize.to_s(16)}\r\n#{part}\r\n" }.join
    answer_once("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n#{chunks}0\r\n\r\n")
    chunked = @server.find
    answer_once("HTTP/1.1 200 OK\r\n\r\n#{body}")
    expect([chunked, @server.find].map(&:references)).to all(eq(of_service))
    @service.stop
    refusing = UNIXServer.new(@socket)
    Thread.new do
      client = refusing.accept
      client.readpartial(10)
      client.write("HTTP/1.1 413 Too Large\r\ncontent-length: 23\r\n\r\n{\"message\":\"too large\"}")
      client.close_write
      sleep(1)
      client.close
    end
    expect(@server.find(facts: {"big" => "x" * 3_000_000}).notes.join).to match(/too large/)
  ensure
    refusing.close
    File.delete(@socket)
    @service.listen
  end
end
