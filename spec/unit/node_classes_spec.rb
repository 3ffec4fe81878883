# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe "Puppetfn::Runtime#compile" do
  include ModuleTree

  modules = {"ntp/manifests/init.pp" => "class ntp($servers = ['pool']) { notify { \"ntp ${servers}\": } }",
             "ssh/manifests/init.pp" => "class ssh { notify { \"ssh ${port}\": } notice('ssh') }"}
  around { |example| with_modules(modules) { |root| (@modules = root) && example.run } }

  let(:runtime) { Puppetfn::Runtime.new(modulepath: [@modules], node: "web") }

  def notified(catalog)
    catalog.select { |resource| resource.type == "Notify" }.map(&:title)
  end

  it "includes the classes of a node classifier in the scope of the node, and declares those with parameters" do
    expect(notified(runtime.compile("node web { $port = 22 }", classes: %w[ssh ntp]))).to eq(["ssh 22", "ntp [pool]"])
    other = Puppetfn::Runtime.new(modulepath: [@modules], node: "web")
    catalog = other.compile("node web { $port = 22 }", classes: {"ssh" => nil, "ntp" => {"servers" => ["a", 1]}})
    expect(notified(catalog)).to eq(["ntp [a, 1]", "ssh 22"])
    expect(catalog.classes).to eq(%w[ssh ntp settings web ntp ssh])
  end

  it "says for which node it fails, and logs that" do
    {
      "a class that there is not" => [{classes: ["nosuch"]}, Puppet::Error, "Could not find class nosuch for web on node web"],
      "a class that is declared already" => [{classes: {"ntp" => {"servers" => []}}}, Puppet::Error,
        "Duplicate declaration: Class[Ntp] is already declared; cannot redeclare on node web"],
    }.each_value do |options, error, message|
      failing = Puppetfn::Runtime.new(modulepath: [@modules], node: "web")
      expect { failing.compile("include ntp", **options) }.to raise_error(error, message)
      expect(failing.logs.to_a).to eq([[:err, message]])
    end
    expect { runtime.compile("class {", "/site.pp") }
      .to raise_error(Puppet::ParseErrorWithIssue, "Could not parse for environment production: Syntax error at end of input (file: /site.pp) on node web")
  end

  it "has Puppet's words around an error of Ruby in such a class, which no statement declares" do
    files = {"m/lib/puppet/functions/boom.rb" => "Puppet::Functions.create_function(:boom) { def boom = raise(ArgumentError, 'boom') }",
             "m/manifests/b.pp" => "class m::b($y = 1) { $x = boom() }"}
    [["m::b"], {"m::b" => {"y" => 2}}].each do |classes|
      with_runtime(files, node: "web") do |failing|
        expect { failing.compile("", classes: classes) }.to raise_error(
          Puppet::PreformattedError,
          %r{\AEvaluation Error: Error while evaluating a Resource Statement, Evaluation Error: Error while evaluating a Function Call, boom \(file: \S+/b\.pp, line: 1, column: 27\) on node web\z}
        )
      end
    end
  end

  it "refuses parameters that have no names" do
    expect { runtime.compile("", classes: {"ntp" => {1 => 2}}) }.to raise_error(Puppet::Error, /\Ano implicit conversion of Integer into String on node web\z/)
    expect { Puppetfn::Runtime.new(node: nil).compile("") }.to raise_error(Puppetfn::UnavailableError)
  end

  it "tells destinations of the log what code messages are from" do
    messages = []
    runtime.logs.destinations << messages
    runtime.compile("notice('top') $port = 1 include ssh function f() { warning('f') } node web { f() err('node') }")
    expect(messages.map { |message| [message.source, message.level, message.to_s] }).to eq(
      [["Scope(Class[main])", :notice, "top"], ["Scope(Class[Ssh])", :notice, "ssh"],
       ["Scope(Class[main])", :warning, "f"], ["Scope(Node[web])", :err, "node"]]
    )
    expect(runtime.logs.to_a.first).to eq([:notice, "top"])
  end
end
