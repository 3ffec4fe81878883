# frozen_string_literal: true

require "rbconfig"
require "timeout"
require "tmpdir"

require_relative "../support/message_process"

# `puppetfn lsp` of the gem, as a process.
RSpec.describe "exe/puppetfn" do
  command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "lsp"]

  # An editor that has started it in a directory.
  editor = Class.new do
    def initialize(command, root)
      @process = MessageProcess.new(command)
      @last = 0
      ask("initialize", processId: Process.pid, capabilities: {}, rootUri: "file://#{root}")
      tell("initialized", {})
    end

    def server = @process.pid

    def send_message(**message) = @process.write({jsonrpc: "2.0", **message})

    def tell(method, params) = send_message(method: method, params: params)

    def ask(method, params)
      send_message(id: @last += 1, method: method, params: params)
      until (message = receive)["id"] == @last; end
      message.fetch("result")
    end

    def receive = @process.read

    # What is said of a file, the next time that something is.
    def diagnostics(uri)
      until (message = receive).dig("params", "uri") == uri; end
      message["params"]["diagnostics"]
    end

    def hang_up = @process.close

    # The exit code, or the signal that was the end.
    def end = @process.status
  end

  around do |example|
    Timeout.timeout(120) do
      Dir.mktmpdir do |directory|
        @root = File.join(File.realpath(directory), "app")
        FileUtils.mkdir_p([File.join(@root, "manifests"), File.join(@root, "lib/puppet/functions/app")])
        File.write(File.join(@root, "lib/puppet/functions/app/twice.rb"), <<~RUBY)
          # Doubles a number.
          Puppet::Functions.create_function(:'app::twice') do
            dispatch(:twice) { param "Integer", :number }

            def twice(number) = number * 2
          end
        RUBY
        example.run
      end
    end
  end

  let(:uri) { "file://#{@root}/manifests/init.pp" }
  let(:started) { editor.new(command, @root) }

  def open(text)
    started.tell("textDocument/didOpen", textDocument: {uri: uri, languageId: "puppet", version: 1, text: text})
  end

  it "is a language server that knows functions in Ruby" do
    open("class app {\n  app::twice('x')\n}\n")
    expect(started.diagnostics(uri).map { |found| found["code"] }).to eq(["argument-mismatch"])

    change = {range: {start: {line: 1, character: 13}, end: {line: 1, character: 16}}, text: "2"}
    started.tell("textDocument/didChange", textDocument: {uri: uri, version: 2}, contentChanges: [change])
    expect(started.diagnostics(uri)).to eq([])
    hover = started.ask("textDocument/hover", textDocument: {uri: uri}, position: {line: 1, character: 5})
    expect(hover["contents"]["value"]).to include("Doubles a number.")

    expect(started.ask("shutdown", nil)).to be_nil
    started.tell("exit", nil)
    expect(started.end).to eq(0)
  end

  it "answers hierarchies of classes, and of calls through functions in Ruby" do
    twice = File.join(@root, "lib/puppet/functions/app/twice.rb")
    File.write(twice, File.read(twice).sub("number * 2", "call_function('app::add', number, number)"))
    FileUtils.mkdir_p(File.join(@root, "functions"))
    File.write(File.join(@root, "functions/add.pp"), "function app::add($a, $b) {\n  $a + $b\n}\n")
    open("class app inherits app::base {\n  $x = Deferred('app::twice', [1])\n}\nclass app::base { }\n")
    at = ->(line, character) { {textDocument: {uri: uri}, position: {line: line, character: character}} }

    derived = started.ask("textDocument/prepareTypeHierarchy", at.call(0, 6))
    bases = started.ask("typeHierarchy/supertypes", item: derived.first)
    expect(bases.map { |item| item["name"] }).to eq(["app::base"])
    expect(started.ask("typeHierarchy/subtypes", item: bases.first)).to eq(derived)

    function = started.ask("textDocument/prepareCallHierarchy", at.call(1, 20)).first
    expect(function.values_at("name", "uri")).to eq(["app::twice", "file://#{twice}"])
    callers = started.ask("callHierarchy/incomingCalls", item: function)
    callees = started.ask("callHierarchy/outgoingCalls", item: function)
    expect([callers.map { |call| call["from"]["name"] }, callees.map { |call| call["to"]["name"] }]).to eq([["app"], ["app::add"]])
  end

  it "does not wait for an editor that writes before it reads" do
    open("class app {\n#{"  notify { 'x': message => 'y' }\n" * 500}}\n")
    count = 200
    count.times { |id| started.send_message(id: "many-#{id}", method: "textDocument/semanticTokens/full", params: {textDocument: {uri: uri}}) }
    count.times do |id|
      until (message = started.receive)["id"] == "many-#{id}"; end
      expect(message["result"]["data"].size).to be > 5000
    end
    expect(started.ask("shutdown", nil)).to be_nil
    started.tell("exit", nil)
    expect(started.end).to eq(0)
  end

  it "ends with its input, or when it is told to" do
    started.hang_up
    expect(started.end).to eq(1)
    told = editor.new(command, @root)
    Process.kill(:TERM, told.server)
    expect(told.end).to eq(Signal.list["TERM"])
  end
end
