# frozen_string_literal: true

require_relative "../support/compile_service"
require_relative "../support/module_tree"

RSpec.describe "`puppetfn serve`, when code, workers or clients fail" do
  include ModuleTree

  # A function in Ruby of the module `bad`.
  def self.function(name, body)
    {"production/modules/bad/lib/puppet/functions/bad/#{name}.rb" => "Puppet::Functions.create_function(:'bad::#{name}') do\n  def #{name}\n#{body}\n  end\nend\n"}
  end

  files = [
    {"production/manifests/site.pp" => <<~PUPPET},
      case $role {
        'sleep': { generate('/bin/sleep', '1000') }
        'memory': { bad::try_memory() }
        'exit': { bad::try_exit() }
        'abort': { bad::try_abort() }
        'fork': { bad::try_fork() }
        'orphan': { bad::try_orphan() }
        'print': { bad::try_print() }
        'loop': { bad::try_loop() }
        'wait': { generate('/bin/sleep', '1') notice('waited') }
        default: { notice('fine') }
      }
    PUPPET
    function("try_memory", "    text = []\n    loop { text << 'x' * 10_000_000 }"),
    function("try_exit", "    exit!(3)"), function("try_abort", "    abort('enough')"), function("try_loop", "    loop { }"),
    function("try_fork", "    Process.wait(fork { exit!(0) })\n    fork { nil }\n    'forked'"),
    function("try_orphan", "    fork { $0 = 'orphan of a worker'; sleep(1000) }\n    exit!(0)"),
    function("try_print", "    puts 'HTTP/1.1 200 OK'\n    $stdout.write(\"\\0\\0\\0\\1\")\n    STDOUT.flush\n    system('echo of a child')\n" \
                      "    Puppet.notice(\"read \#{$stdin.read.inspect}\")\n    STDIN.close")
  ].reduce(:merge)

  # Runs a service for the files.
  define_method(:serve) do |*options, workers: 1, **settings, &block|
    with_modules(files) do |root|
      CompileService.run("--environmentpath", root, "--workers", workers.to_s, *options, **settings) { |service| block.call(service, root) }
    end
  end

  def fine(service)
    answer = role(service, "")
    expect([answer.status, answer.messages]).to eq([200, ["fine"]])
  end

  def busy?(service) = service.metrics["puppetfn_busy_workers"].positive?

  def role(service, name) = service.catalog(parameters: {role: name})

  it "kills a hanging worker with its children at the time limit" do
    serve("--timeout", "1") do |service|
      worker = service.workers.first
      request = Thread.new { role(service, "sleep") }
      child = service.wait { CompileService.children(worker).first }
      answer = request.value
      expect([answer.status, answer.json]).to eq([504, {"message" => "the request took longer than 1 seconds, the limit --timeout", "issue_kind" => "TIMED_OUT"}])
      expect(service.log).to match(/ERROR the request took longer than 1 seconds, the limit --timeout node="web1" environment="production"/)
      service.wait { [worker, child].none? { |pid| CompileService.running?(pid) } }
      fine(service)
      expect(role(service, "loop").status).to eq(504)
      fine(service)
      expect(service.metrics).to include('puppetfn_replaced_workers_total{reason="TimedOut"}' => 2.0)
    end
  end

  it "kills a worker that takes too much memory" do
    serve("--worker-memory", "150") do |service|
      fine(service)
      answer = role(service, "memory")
      expect([answer.status, answer.json["issue_kind"]]).to eq([500, "WORKER_ENDED"])
      expect(answer.json["message"]).to match(/\Athe worker process was killed at \d+ MiB, twice its limit --worker-memory of 150 MiB\z/)
      fine(service)
    end
  end

  it "survives code that ends its process, forks, or uses the standard streams" do
    serve do |service|
      answer = role(service, "exit")
      expect([answer.status, answer.json]).to eq([500, {"message" => "the worker process ended (exit status: 3)", "issue_kind" => "WORKER_ENDED"}])
      fine(service)
      answer = role(service, "abort")
      expect([answer.status, answer.json]).to eq([422, {"message" => "SystemExit: enough", "issue_kind" => "COMPILATION_FAILED", "log" => []}])
      fine(service)
      expect(role(service, "fork").status).to eq(200)
      fine(service)
      answer = role(service, "print")
      expect([answer.status, answer.messages]).to eq([200, ['read ""']])
      expect(service.log).to include("HTTP/1.1 200 OK", "of a child")
      fine(service)
      expect(role(service, "orphan").status).to eq(500)
      fine(service)
      service.wait { Dir.glob("/proc/[0-9]*/cmdline").none? { |file| File.read(file).start_with?("orphan of a worker") rescue false } }
    end
  end

  it "loses no request with a worker that is killed" do
    serve(workers: 2) do |service|
      service.workers.each { |pid| Process.kill("KILL", pid) }
      3.times { fine(service) }
      request = Thread.new { role(service, "wait") }
      service.wait { service.workers.find { |pid| CompileService.children(pid).any? } }.then { |pid| Process.kill("KILL", pid) }
      expect([request.value.status, request.value.messages]).to eq([200, ["waited"]])
      fine(service)
      expect(service.metrics.keys.grep(/Ended/)).not_to be_empty
    end
  end

  it "replaces workers after a number of catalogs" do
    serve("--worker-catalogs", "2") do |service|
      first = service.workers
      2.times { fine(service) }
      service.wait { service.workers.size == 1 && (service.workers & first).empty? }
      3.times { fine(service) }
      expect(service.metrics).to include('puppetfn_replaced_workers_total{reason="Age"}' => 2.0)
    end
  end

  it "refuses requests when too many wait" do
    serve("--queue", "1", "--timeout", "3") do |service|
      waiting = Array.new(2) { Thread.new { role(service, "wait") } }
      service.wait { busy?(service) && sleep(0.2) }
      answer = role(service, "wait")
      expect([answer.status, answer.json["issue_kind"], answer.headers["retry-after"]]).to eq([503, "BUSY", ["5"]])
      expect(waiting.map { |thread| thread.value.status }).to eq([200, 200])
    end
  end

  it "lets running requests end when it is stopped, and refuses others at once" do
    serve do |service|
      request = Thread.new { role(service, "wait") }
      service.wait { service.workers.find { |pid| CompileService.children(pid).any? } }
      workers = service.workers
      service.signal("TERM")
      service.wait { !File.exist?(service.socket) }
      expect(request.value.messages).to eq(["waited"])
      expect(service.join.exitstatus).to eq(0)
      service.wait { workers.none? { |pid| CompileService.running?(pid) } }
    end
  end

  it "leaves no worker behind when it is killed" do
    serve(workers: 2) do |service|
      Thread.new { role(service, "loop") rescue nil }
      service.wait { busy?(service) }
      workers = service.workers
      service.signal("KILL")
      service.join
      service.wait { workers.none? { |pid| CompileService.running?(pid) } }
    end
  end

  it "stops working for clients that have gone" do
    serve do |service|
      body = JSON.generate(node: "web1", environment: "production", parameters: {role: "loop"})
      socket = UNIXSocket.new(service.socket)
      socket.write("POST /v1/catalog HTTP/1.1\r\nHost: x\r\nContent-Length: #{body.bytesize}\r\n\r\n#{body}")
      service.wait { busy?(service) }
      socket.close
      service.wait { !busy?(service) }
      fine(service)
    end
  end

  describe "with data of any size" do
    it "refuses facts that are too deep, and compiles with a hundred thousand of them" do
      serve do |service|
        deep = "#{"[" * 10_000}#{"]" * 10_000}"
        answer = service.request("POST", "/v1/catalog", %({"node": "web1", "environment": "production", "facts": {"deep": #{deep}}}))
        expect(answer.status).to eq(400), answer.body
        many = Array.new(100_000) { |number| %("k#{number}":1) }.join(",")
        answer = service.request("POST", "/v1/catalog", %({"node": "web1", "environment": "production", "parameters": {"role": ""}, "facts": {"many": {#{many}}}}))
        expect(answer.status).to eq(200), answer.body[0, 300]
        fine(service)
      end
    end

    it "refuses a body above the limit without reading it" do
      serve do |service|
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        answer = service.raw("POST /v1/catalog HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100000000\r\n\r\n")
        expect(answer).to start_with("HTTP/1.1 413 ")
        answer = service.raw("POST /v1/catalog HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n", *["100000\r\n#{"x" * 0x100000}\r\n"] * 66)
        expect(answer).to start_with("HTTP/1.1 413 ").or eq("")
        expect(Process.clock_gettime(Process::CLOCK_MONOTONIC) - started).to be < 5
        fine(service)
      end
    end
  end

  it "reads one request where headers could mean two" do
    serve do |service|
      body = JSON.generate(node: "web1", environment: "production", parameters: {role: ""})
      hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n"
      length = "Content-Length: #{body.bytesize}\r\n"
      {
        "Content-Length: #{body.bytesize}\r\nContent-Length: 5\r\n" => 400, "Content-Length: +5\r\n" => 400, "Content-Length: 5, 6\r\n" => 400,
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n" => 400, "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n" => 400,
        "Transfer-Encoding: gzip\r\n" => 400, "Content-Length: -1\r\n" => 400, "Content-Length : 5\r\n" => 400, " Content-Length: 5\r\n" => 400,
        "X: a\0b\r\n#{length}" => 400
      }.each do |headers, status|
        answer = service.raw("POST /v1/catalog HTTP/1.1\r\nHost: x\r\n#{headers}Connection: close\r\n\r\n#{body}#{hidden}")
        expect(answer.scan(/^HTTP\S+ (\d+)/).flatten).to eq([status.to_s]), "#{headers.inspect[0, 200]}: #{answer.inspect[0, 300]}"
      end
      expect(service.raw("POST /v1/catalog HTTP/1.1\r\nX: #{"a" * 300_000}\r\n#{length}\r\n#{body}")).to start_with("HTTP/1.1 431 ").or eq("")
      answer = service.raw("POST /v1/catalog HTTP/1.1\r\nHost: x\r\n#{length}\r\n#{body}GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      expect(answer.scan(/HTTP\S+ (\d+)/).flatten).to eq(%w[200 200])
      expect(service.log).not_to match(/panic/)
    end
  end
end
