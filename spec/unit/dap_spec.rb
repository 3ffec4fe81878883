# frozen_string_literal: true

require "fileutils"
require "json"
require "rbconfig"
require "timeout"
require "tmpdir"

require_relative "../support/message_process"

# `puppetfn dap` of the gem, as an editor talks to it.
RSpec.describe "puppetfn dap" do
  command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "dap"]

  # An editor that debugs a command in a directory.
  editor = Class.new do
    attr_reader :output

    def initialize(command)
      @adapter = MessageProcess.new(command)
      @last = 0
      @events = []
      @output = +""
    end

    def request(name, **arguments)
      send_message({seq: @last += 1, type: "request", command: name, arguments: arguments})
      @last
    end

    def send_message(message) = @adapter.write(message)

    # @return [Hash] the response to a request
    def ask(name, **arguments)
      sent = request(name, **arguments)
      until (message = receive)["request_seq"] == sent; end
      message
    end

    # @return [Hash] the body of the next event of this name
    def event(name)
      until (found = @events.index { |event| event["event"] == name })
        receive
      end
      @events.delete_at(found)["body"]
    end

    def receive
      message = @adapter.read
      @events << message if message["type"] == "event"
      @output << message.dig("body", "output") if message["event"] == "output"
      message
    end

    # Starts a command, and lets it run to the first pause.
    def debug(name, args, cwd, lines: {}, functions: [], filters: [], **launch)
      ask("initialize", adapterID: "puppetfn", linesStartAt1: true)
      request("launch", command: name, args: args, cwd: cwd, **launch)
      event("initialized")
      verified = lines.flat_map do |path, breakpoints|
        ask("setBreakpoints", source: {path: path}, breakpoints: breakpoints).dig("body", "breakpoints")
      end
      ask("setFunctionBreakpoints", breakpoints: functions.map { |function| {name: function} })
      ask("setExceptionBreakpoints", filters: filters)
      ask("configurationDone")
      verified
    end

    # @return [Array<String>] the names and lines of the frames, once the code has paused
    def frames
      @stop = event("stopped")
      frames = ask("stackTrace", threadId: 1).dig("body", "stackFrames")
      frames.map { |frame| "#{frame["name"]} #{frame["line"]}" }
    end

    # @return [String] the reason for the last pause
    def reason = @stop.values_at("reason", "text").compact.join(": ")

    def value(code, frame = 0)
      response = ask("evaluate", expression: code, frameId: frame)
      response["success"] ? response.dig("body", "result") : response["message"]
    end

    # @return [Hash{String => Hash}] the variables of the scopes of a frame
    def scopes(frame = 0)
      ask("scopes", frameId: frame).dig("body", "scopes").to_h do |scope|
        variables = ask("variables", variablesReference: scope["variablesReference"]).dig("body", "variables")
        [scope["name"], variables.to_h { |variable| variable.values_at("name", "value") }]
      end
    end

    def resume(step = "continue") = ask(step, threadId: 1)

    # @return [Array<Integer>] the exit codes of the command and of the adapter
    def finish
      code = event("exited").fetch("exitCode")
      event("terminated")
      ask("disconnect")
      @adapter.close
      [code, @adapter.status]
    end
  end

  around do |example|
    Timeout.timeout(180) do
      Dir.mktmpdir do |directory|
        @root = File.realpath(directory)
        example.run
      end
    end
  end

  let(:client) { editor.new(command) }

  def file(path, text)
    path = File.join(@root, path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
    path
  end

  before do
    file "manifests/site.pp", <<~PUPPET
      node default {
        $role = 'web'
        File { mode => '0644' }
        include app
      }
    PUPPET
    @class = file "modules/app/manifests/init.pp", <<~PUPPET
      class app (Integer $port = 80) {
        $secret = Sensitive('hidden')
        $ports = app::each_port([1, 2]) |$offset| {
          $sum = $port + $offset
          app::twice($sum)
        }
        app::site { 'one':
          port => $ports[0],
        }
        notice("listens on ${ports}")
      }
    PUPPET
    @define = file "modules/app/manifests/site.pp", <<~PUPPET
      define app::site (Integer $port) {
        $text = epp('app/site.epp', { 'port' => $port })
        file { "/${title}": content => $text }
        fail('no more')
      }
    PUPPET
    @function = file "modules/app/functions/twice.pp", <<~PUPPET
      function app::twice(Integer $number) >> Integer {
        $double = $number * 2
        $double
      }
    PUPPET
    @template = file "modules/app/templates/site.epp", <<~EPP
      <%- | Integer $port | -%>
      Listen <%= $port %>
      <%- if $port > 1 { -%>
      many
      <%- } -%>
    EPP
    file "modules/app/lib/puppet/functions/app/each_port.rb", <<~RUBY
      Puppet::Functions.create_function(:'app::each_port') do
        dispatch(:each_port) do
          param "Array", :offsets
          block_param
        end

        def each_port(offsets) = offsets.map { |offset| yield(offset) }
      end
    RUBY
  end

  compile = %w[web01 --environment .]

  it "pauses at lines, and shows the calls through functions in Ruby, and their variables" do
    verified = client.debug("compile", compile, @root, lines: {@function => [{line: 3}]})
    expect(verified.map { |found| found.values_at("verified", "line") }).to eq [[true, 3]]
    expect(client.frames).to eq ["app::twice 3", "Class[App], lambda 5", "Class[App] 3", "Node[default] 4"]
    expect(client.reason).to eq "breakpoint"
    expect(client.scopes.fetch("Locals")).to eq("$number" => "81", "$double" => "162")
    expect(client.scopes(1)).to include("Locals" => {"$offset" => "1", "$sum" => "81"},
                                        "Class[App]" => include("$port" => "80", "$secret" => "Sensitive [value redacted]"),
                                        "Node" => include("$role" => "'web'"),
                                        "Resource defaults" => {"File" => "{'mode' => '0644'}"})
    expect([client.value("$sum + $port", 1), client.value("$role", 2)]).to eq %w[161 'web']
    expect(client.value("$none + 1")).to eq "Evaluation Error: Unknown variable: 'none'."
    client.resume
    expect(client.frames.last(3)).to eq ["Class[App], lambda 5", "Class[App] 3", "Node[default] 4"]
    client.ask("disconnect")
  end

  it "steps into, over and out of functions, lambdas and classes" do
    client.debug("compile", compile, @root, stopOnEntry: true)
    expect([client.frames, client.reason]).to eq [["Node[default] 2"], "entry"]
    steps = %w[next next stepIn next stepIn next stepIn stepOut next next].map do |step|
      client.resume(step)
      client.frames.first
    end
    expect(steps).to eq ["Node[default] 3", "Node[default] 4", "Class[App] 2", "Class[App] 3", "Class[App], lambda 4",
                         "Class[App], lambda 5", "app::twice 2", "Class[App], lambda 4", "Class[App], lambda 5", "Class[App] 7"]
    client.ask("disconnect")
  end

  it "pauses under conditions, at the hits that are wanted, at definitions by name, and in templates" do
    lines = {@class => [{line: 5, condition: "$sum == 82"}, {line: 10, logMessage: "ports {$ports.map |$n| { $n + 1 }}"}],
             @function => [{line: 2, hitCondition: "> 5"}],
             @template => [{line: 4}]}
    client.debug("compile", compile, @root, lines: lines, functions: ["app::site"])
    expect([client.frames.first, client.value("$offset")]).to eq ["Class[App], lambda 5", "2"]
    client.resume
    expect([client.frames, client.reason]).to eq [["App::Site[one] 1", "Class[App] 7"], "function breakpoint"]
    expect(client.output).to eq "ports [163, 165]\n"
    client.resume
    expect([client.frames.first(2), client.value("$port")]).to eq [["site.epp 4", "App::Site[one] 2"], "162"]
    client.resume
    expect(client.finish).to eq [1, 0]
  end

  it "pauses where a statement fails, once, and where code logs a warning" do
    file "manifests/site.pp", "warning('careful')\ninclude app\n"
    client.debug("compile", compile, @root, filters: %w[errors warnings])
    expect([client.frames, client.reason]).to eq [["main 1"], "exception: warning: careful"]
    client.resume
    expect(client.frames.first).to eq "App::Site[one] 4"
    expect(client.reason).to match(/\Aexception: Evaluation Error: Error while evaluating a Function Call, no more \(file: /)
    expect(client.ask("exceptionInfo", threadId: 1).dig("body", "description")).to include "no more"
    client.resume
    expect(client.finish).to eq [1, 0]
    expect(client.output).to include "Warning: Scope(Class[main]): careful"
  end

  it "sets variables of functions and classes" do
    client.debug("compile", compile, @root, lines: {@function => [{line: 3, condition: "$number == 81"}], @class => [{line: 10}]})
    client.frames
    scopes = client.ask("scopes", frameId: 0).dig("body", "scopes")
    locals = scopes.find { |scope| scope["name"] == "Locals" }.fetch("variablesReference")
    set = client.ask("setVariable", variablesReference: locals, name: "$double", value: "$number + 1")
    expect(set.dig("body", "value")).to eq "82"
    client.resume
    client.frames
    expect(client.value("$ports")).to eq "[82, 164]"
    numbers = client.ask("scopes", frameId: 0).dig("body", "scopes").to_h { |scope| scope.values_at("name", "variablesReference") }
    client.ask("setVariable", variablesReference: numbers.fetch("Class[App]"), name: "$port", value: "8080")
    expect(client.value("$app::port")).to eq "8080"
    refused = client.ask("setVariable", variablesReference: numbers.fetch("Class[App]"), name: "$none", value: "1")
    expect(refused.values_at("success", "message")).to eq [false, "there is no variable $none here"]
    client.ask("disconnect")
  end

  it "debugs an example of a spec" do
    file "spec/classes/app_spec.rb", <<~RUBY
      require "rspec-puppet"

      RSpec.configure do |config|
        config.module_path = #{File.join(@root, "modules").inspect}
        config.manifest = nil
      end

      RSpec.describe "app" do
        let(:facts) { {"os" => {"name" => "Debian"}} }

        it { is_expected.to compile.and_raise_error(/no more/) }
      end
    RUBY
    client.debug("test", ["spec/classes/app_spec.rb:11"], @root, lines: {@define => [{line: 3}]})
    expect(client.frames.first(2)).to eq ["App::Site[one] 3", "Class[App] 7"]
    expect(client.value("$facts['os']['name']")).to eq "'Debian'"
    client.resume
    expect(client.finish).to eq [0, 0]
    expect(client.output).to include "1 example, 0 failures"
  end

  it "says why it debugs nothing" do
    client.ask("initialize", adapterID: "puppetfn")
    expect(client.ask("threads").fetch("message")).to eq "no code is being debugged"
    expect(client.ask("attach").fetch("message")).to eq 'puppetfn starts the code to debug: use the request "launch"'
    expect(client.ask("launch", command: "serve").fetch("message"))
      .to eq %("command" is 'serve', and has to be one of: compile, eval, call, test)
    started = client.ask("launch", command: "compile", args: %w[web01 --no-such-option], cwd: @root)
    expect(started.fetch("message")).to eq "the command has ended before any code ran: see its output"
    expect(client.finish).to eq [2, 0]
    expect(client.output).to include "unexpected argument '--no-such-option'"
  end

  it "answers only what it can while the code runs, and ends it with the session" do
    file "manifests/site.pp", "[1].each |$n| {\n  Integer[0, 1000000000].each |$i| {\n    $x = $i\n  }\n}\n"
    client.debug("compile", compile, @root, lines: {File.join(@root, "manifests/site.pp") => [{line: 2, logMessage: "runs"}]})
    client.event("output")
    expect(client.ask("stackTrace", threadId: 1).fetch("message"))
      .to eq "the code is running, so 'stackTrace' has no answer: pause it first"
    client.ask("pause", threadId: 1)
    expect([client.frames.first, client.reason]).to eq ["main, lambda 3", "pause"]
    client.resume
    client.ask("terminate")
    expect(client.finish).to eq [1, 0]
  end

  # The messages between nvim-dap 0.7.0 in Neovim 0.7 and the adapter: a breakpoint, variables, a step, and code in its console.
  it "answers Neovim's nvim-dap as recorded" do
    root = File.join(@root, "env")
    file "env/manifests/site.pp", "include app\n"
    file "env/modules/app/manifests/init.pp", <<~PUPPET
      class app (Integer $port = 80) {
        $double = app::twice($port)
        notice($double)
      }
    PUPPET
    file "env/modules/app/functions/twice.pp", File.read(@function)
    File.foreach(File.expand_path("../editors/nvim-dap.jsonl", __dir__)) do |line|
      from, message = JSON.parse(line.gsub("ROOT", root)).values_at("from", "message")
      next client.send_message(message) if from == "editor"

      while (received = client.receive)["event"] == "output"; end
      expect(received.except("seq")).to eq(message)
    end
    client.ask("disconnect")
  end

  it "runs without pauses where that is wanted" do
    client.ask("initialize", adapterID: "puppetfn")
    client.request("launch", command: "eval", args: ["1 + 2"], cwd: @root, noDebug: true)
    expect(client.finish).to eq [0, 0]
    expect(client.output).to eq "3\n"
  end
end
