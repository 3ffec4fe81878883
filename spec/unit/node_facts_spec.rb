# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require_relative "../support/module_tree"

# Facts of a node in `puppetfn compile`. The values and messages are Puppet 8.11's.
RSpec.describe "facts of nodes" do
  include ModuleTree

  def compile(code, facts: nil, enc: nil)
    with_modules("env/manifests/site.pp" => code) do |root|
      arguments = ["compile", "web.example.com", "--environment", "#{root}/env", "--format", "summary"]
      {facts: facts, enc: enc}.compact.each do |name, content|
        File.write("#{root}/#{name}.json", JSON.generate(content))
        arguments.push("--#{name}", "#{root}/#{name}.json")
      end
      said, = Open3.capture2e(RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), *arguments)
      said.scan(/^(?:Notice: Scope\(Class\[main\]\): |(?:Warning|Error): ).*$/).map { |line| line.delete_prefix("Notice: Scope(Class[main]): ") }
    end
  end

  it "makes empty texts of facts without a value" do
    facts = {u: nil, list: [1, nil], nested: {a: {b: nil}}}
    code = "notice($u =~ String[0, 0], $list, $facts['nested']['a']['b'] == '', lookup('none', {default_value => $facts['u']}) == '')"
    expect(compile(code, facts: facts)).to eq(["true [1, ] true true"])
  end

  code = "notice($clientcert, $clientversion, $clientnoop, $facts['clientcert'])"
  {
    "no facts" => [nil, "web.example.com 8.11.0 false "],
    "facts that somebody has written" => [{kernel: "Linux"}, "web.example.com 8.11.0 false "],
    "the output of Facter" => [{facterversion: "4.5.0", kernel: "Linux"}, "web.example.com 8.11.0 false web.example.com"],
    "the output of Facter with Puppet's facts" => [{facterversion: "4.5.0", puppetversion: "8.6.0"}, "web.example.com 8.6.0 false web.example.com"],
    "facts that an agent has sent" => [{name: "web.example.com", values: {clientcert: "c", clientversion: "8.1.0", clientnoop: true}}, "c 8.1.0 true c"]
  }.each do |what, (facts, said)|
    it "knows the agent from #{what}" do
      expect(compile(code, facts: facts)).to eq([said])
    end
  end

  already = "Warning: The node parameter 'environment' for node 'web.example.com' was already set to 'env'. It could not be set to 'x'"
  reserved = ->(name) { "Error: Attempt to assign to a reserved variable name: '#{name}' on node web.example.com" }
  again = ->(name) { "Error: Cannot reassign variable '$#{name}' on node web.example.com" }
  {
    {facts: "x"} => [reserved["facts"]], {server_facts: 1} => [reserved["server_facts"]], {trusted: false} => [reserved["trusted"]],
    {trusted: "x"} => ["compiled"], {environment: "x"} => [already, "compiled"], {environment: "x", facts: 1} => [already, reserved["facts"]],
    {title: 1} => [again["title"]], {name: 1, title: 1} => [again["title"]], {name: 1, module_name: 1} => [again["module_name"]],
    {title: 1, facts: 1} => [reserved["facts"]], {caller_module_name: 1, settings: 2} => ["compiled"],
    {"12" => "x"} => ["Error: Cannot assign to a numeric match result variable '$12' on node web.example.com"]
  }.each do |facts, said|
    it "says what Puppet does of #{facts}" do
      expect(compile("notice('compiled')", facts: facts)).to eq(said)
    end
  end

  it "says the same of parameters of the classifier" do
    expect(compile("notice('compiled')", enc: {parameters: {facts: 1}})).to eq([reserved["facts"]])
    expect(compile("notice($trusted['certname'])", enc: {parameters: {trusted: 1}})).to eq(["web.example.com"])
  end

  it "refuses reserved names in Ruby, too" do
    expect { Puppetfn::Runtime.new(facts: {"facts" => 1}) }
      .to raise_error(Puppet::ParseError, "Attempt to assign to a reserved variable name: 'facts'")
    expect(Puppetfn::Runtime.new(facts: {"a" => nil, "b" => [nil]}).evaluate_string("[$a, $b, $facts]")).to eq(["", [""], {"a" => "", "b" => [""]}])
  end
end
