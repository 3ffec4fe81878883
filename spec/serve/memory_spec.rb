# frozen_string_literal: true

require "open3"
require_relative "../support/compile_service"
require_relative "../support/module_tree"

RSpec.describe "The memory of `puppetfn serve`" do
  include ModuleTree

  def serve(*options)
    code = "if $wait { generate('/bin/sleep', '2') }"
    with_modules("production/manifests/site.pp" => code) do |root|
      CompileService.run("--environmentpath", root, "--workers", "2", *options) { |service| yield service }
    end
  end

  # Starts a request that takes a while, with a body of this size, and waits until a worker has it.
  def start(service, size)
    Thread.new { service.catalog(parameters: {wait: true, filler: "x" * size}).status }.tap do
      service.wait { service.metrics["puppetfn_busy_workers"].positive? }
    end
  end

  it "is bounded for the bodies of all requests together" do
    serve("--body-limit", "1", "--body-memory", "1") do |service|
      first = start(service, 500_000)
      refused = service.catalog(parameters: {wait: false, filler: "x" * 600_000})
      expect([refused.status, refused.headers["retry-after"]]).to eq([503, ["5"]])
      expect(refused.json).to eq("message" => "the bodies of all requests would be larger than 1 MiB, the limit --body-memory", "issue_kind" => "BUSY")
      expect(service.catalog(parameters: {wait: false}).status).to eq(200)
      # A client that only announces a body occupies nothing.
      announced = service.raw("POST /v1/catalog HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n") do
        expect(service.catalog(parameters: {wait: false, filler: "x" * 100_000}).status).to eq(200)
        break ""
      end
      expect(announced).to eq("")
      expect(first.value).to eq(200)
      expect(service.catalog(parameters: {wait: false, filler: "x" * 600_000}).status).to eq(200)
    end
  end

  it "of all requests is at least that of one" do
    output, status = Open3.capture2e(*Puppetfn::CLI.command, "serve", "--socket", "x", "--body-limit", "10", "--body-memory", "9")
    expect([output, status.exitstatus]).to match([/--body-memory: expected at least the --body-limit/, 2])
  end

  it "is measured with the workers that compile" do
    serve do |service|
      service.catalog
      waiting = start(service, 1)
      resident = [service.pid, *service.workers].sum { |pid| Integer(File.read("/proc/#{pid}/statm").split[1]) * 4096 }
      expect(service.metrics["puppetfn_memory_bytes"]).to be_within(0.1 * resident).of(resident)
      expect(waiting.value).to eq(200)
    end
  end
end
