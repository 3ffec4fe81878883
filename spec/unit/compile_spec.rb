# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require "yaml"
require_relative "../support/control_repository"
require_relative "../support/module_tree"

# `PUPPETFN_RECORD=1 rspec spec/unit/compile_spec.rb` writes what the command prints to spec/unit/compiled.
RSpec.describe "puppetfn compile" do
  include ModuleTree

  # What the command writes to standard output and standard error, and its exit code.
  def compile(*args)
    command = File.expand_path("../../exe/puppetfn", __dir__)
    out, err, status = Open3.capture3(RbConfig.ruby, command, "compile", *args, chdir: "/")
    [out, err, status.exitstatus]
  end

  # Arguments for a node of the control repository.
  def repository(node)
    [node, "--environment", ControlRepository::DIRECTORY, "--environment-name", "production",
     "--facts", ControlRepository.facts_file(node), "--enc", File.join(ControlRepository::DIRECTORY, "scripts", "classifier.sh")]
  end

  # What is the same each time, and everywhere.
  def lasting(text)
    text.gsub(ControlRepository::DIRECTORY, "<REPOSITORY>")
      .sub(/("catalog_uuid": )"\h{8}-\h{4}-4\h{3}-[89ab]\h{3}-\h{12}"/, '\1"<UUID>"')
      .gsub(/\d+\.\d+ s(econds)?$/, '<TIME> s\1')
  end

  ControlRepository::NODES.product(%w[json text dot summary]).each do |node, format|
    it "prints the catalog of #{node}: #{format}" do
      out, _, code = compile(*repository(node), "--format", format)
      recorded = File.join(__dir__, "compiled", "#{node}.#{format}")
      File.write(recorded, lasting(out)) if ENV["PUPPETFN_RECORD"]

      expect(code).to eq(0)
      expect(lasting(out)).to eq(File.read(recorded))
    end
  end

  it "prints YAML that is the same data as the JSON" do
    ControlRepository::NODES.each do |node|
      json, yaml = %w[json yaml].map { |format| compile(*repository(node), "--format", format).first }
      expect(yaml).to start_with("---\ntags:\n- ").and include("name: #{node}\nversion: production-2024.1\ncode_id:\n")
      expect(YAML.safe_load(yaml).except("catalog_uuid")).to eq(JSON.parse(json).except("catalog_uuid"))
    end
  end

  it "shows code that declares the same resources" do
    text, = compile(*repository("db1.example.com"), "--format", "text")
    expect(text).to include("content => Sensitive('redacted'),").and include("command     => Deferred(")
    expect { Puppetfn::Runtime.new.parse_string(text) }.not_to raise_error
  end

  it "logs on standard error as Puppet does" do
    _, err, = compile(*repository("web1.example.com"))
    expect(lasting(err)).to eq(<<~LOG)
      Notice: Scope(Node[__node_regexp__webd.]): web server number 1
      Warning: Scope(Class[Profile::Monitoring]): the web server is watched
      Notice: Compiled catalog for web1.example.com in environment production in <TIME> seconds
    LOG
  end

  it "compiles classes of modules without an environment" do
    files = {"a/manifests/init.pp" => "class a($x = 1) { notify { \"a ${x} ${trusted['certname']}\": } }",
             "b/manifests/init.pp" => "class b { notify { $environment: } }"}
    with_modules(files) do |modules|
      out, _, code = compile("web", "--modulepath", modules, "--classes", "a,b", "--format", "text")
      expect(code).to eq(0)
      expect(out.scan(/^(?:class|notify) .*/)).to eq(["class { 'a':", "class { 'b': }", "notify { 'a 1 web': }", "notify { 'production': }"])
    end
  end

  it "takes the environment that the classifier names, and the manifest and modules of options" do
    files = {"here/manifests/site.pp" => "notify { 'here': }", "other/manifests/site.pp" => "notify { $environment: } include m",
             "other/modules/m/manifests/init.pp" => "class m { notify { 'own': } }", "enc.yaml" => "environment: other",
             "given.pp" => "include m", "given/m/manifests/init.pp" => "class m { notify { 'given': } }"}
    with_modules(files) do |root|
      notified = ->(*args) { compile("web", "--environment", "#{root}/here", "--format", "text", *args).first.scan(/^notify { '(.*)'/).flatten }
      expect(notified.call).to eq(["here"])
      expect(notified.call("--enc", "#{root}/enc.yaml")).to eq(["other", "own"])
      expect(notified.call("--enc", "#{root}/enc.yaml", "--modulepath", "#{root}/given")).to eq(["other", "given"])
      expect(notified.call("--manifest", "#{root}/given.pp", "--modulepath", "#{root}/given")).to eq(["given"])
    end
  end

  it "reads what is certain of the node from a file, with facts of PuppetDB, or makes it of the name" do
    manifest = {"site.pp" => "notify { \"${trusted['certname']} ${trusted['authenticated']} ${facts['kernel']}\": }",
                "trusted.yaml" => "certname: given\nauthenticated: remote\n",
                "facts.json" => JSON.generate([{certname: "web.x", facts: {kernel: "Linux"},
                                                trusted: {certname: "web.x", authenticated: "remote", extensions: {}}},
                                               {certname: "db.x", facts: {kernel: "BSD"}}])}
    with_modules(manifest) do |root|
      notified = ->(node, *args) { compile(node, "--manifest", "#{root}/site.pp", "--facts", "#{root}/facts.json", "--format", "text", *args).first[/^notify { '(.*)'/, 1] }
      expect(notified.call("web.x")).to eq("web.x remote Linux")
      expect(notified.call("db.x")).to eq("db.x local BSD")
      expect(notified.call("web.x", "--trusted", "#{root}/trusted.yaml")).to eq("given remote Linux")
    end
  end

  describe "what is wrong" do
    def told(files, *args)
      with_modules(files) do |root|
        args = args.map { |arg| arg.gsub("ROOT", root) }
        out, err, code = compile("web", *args)
        expect(out).to eq("")
        [err.gsub(root, "ROOT").gsub(File.dirname(root), "TMP").lines.first.chomp, code]
      end
    end

    {
      "nothing to compile" =>
        [[], "error: nothing to compile: expected --environment, --manifest, --classes or --enc", 2],
      "an environment that there is not" =>
        [%w[--environment ROOT/nosuch], "error: --environment: ROOT/nosuch: No such file or directory (os error 2)", 2],
      "a manifest that there is not" =>
        [%w[--manifest ROOT/nosuch.pp], "error: --manifest: ROOT/nosuch.pp: No such file or directory (os error 2)", 2],
      "facts that are none" =>
        [%w[--classes a --facts ROOT/list.json], "error: --facts: ROOT/list.json: expected a JSON object, or rows of PuppetDB with a certname", 2],
      "facts of a directory" =>
        [%w[--classes a --facts ROOT], "error: --facts: ROOT is a directory, expected the file of one node; `puppetfn compile --nodes ROOT` takes directories", 2],
      "facts that are no data" =>
        [%w[--classes a --facts ROOT/bad.yaml], "error: --facts: ROOT/bad.yaml: not YAML: (<unknown>): did not find expected node content while parsing a flow node at line 2 column 1", 2],
      "a classifier that there is not" =>
        [%w[--enc ROOT/nosuch], "error: --enc: ROOT/nosuch: No such file or directory (os error 2)", 2],
      "a classifier that says nothing of use" =>
        [%w[--enc ROOT/list.json], "error: --enc: ROOT/list.json: expected a hash with classes, parameters and environment", 1],
      "a classifier that says nothing" =>
        [%w[--enc ROOT/empty.yaml], "error: --enc: ROOT/empty.yaml: it does not know the node web: its output is empty", 1],
      "an environment of the classifier that there is not" =>
        [%w[--environment ROOT --environment-name here --enc ROOT/enc.yaml],
          "error: --enc: the node is in the environment other, and there is no TMP/other; --environment-name other makes ROOT that environment", 2],
      "a format that there is not" =>
        [%w[--classes a --format html], "error: invalid value 'html' for '--format <FORMAT>'", 2],
      "a class that there is not" =>
        [%w[--classes nosuch], "Error: Could not find class nosuch for web on node web", 1],
      "a node without a definition" =>
        [%w[--manifest ROOT/node.pp], "Error: Could not find node statement with name 'default' or 'web' on node web", 1],
      "code that fails" =>
        [%w[--manifest ROOT/fail.pp], "Error: Evaluation Error: Error while evaluating a Function Call, no (file: ROOT/fail.pp, line: 1, column: 1) on node web", 1],
      "code that is none" =>
        [%w[--manifest ROOT/bad.pp], "Error: Could not parse for environment production: Syntax error at end of input (file: ROOT/bad.pp) on node web", 1]
    }.each do |what, (args, message, code)|
      it "is said: #{what}" do
        files = {"list.json" => "[1]", "bad.yaml" => "a: [", "empty.yaml" => "\n", "enc.yaml" => "environment: other",
                 "bad.pp" => "class {", "node.pp" => "node 'db' { }", "fail.pp" => "fail('no')"}
        expect(told(files, *args)).to eq([message, code])
      end
    end

    it "is said of programs: those that classify, and that tell the version" do
      with_modules("enc" => "#!/bin/sh\necho \"no $1 $2\" >&2\nexit 3\n", "environment.conf" => "config_version = version.sh $environment\n",
        "version.sh" => "#!/bin/sh\necho $1 >&2\nexit 4\n") do |root|
        File.chmod(0o755, "#{root}/enc", "#{root}/version.sh")
        expect(compile("web", "--enc", "#{root}/enc")).to eq(["", "error: --enc: #{root}/enc: it ended with the exit status 3: no web\n", 1])
        expect(compile("web", "--enc", "#{root}/enc x")).to eq(["", "error: --enc: #{root}/enc x: it ended with the exit status 3: no x web\n", 1])
        command = "#{root}/version.sh #{File.basename(root)}"
        failure = "Error: Execution of config_version command `#{command}` failed: it ended with the exit status 4: #{File.basename(root)} on node web\n"
        advice = "help: `--no-config-version` compiles without the command\n"
        expect(compile("web", "--environment", root)).to eq(["", failure + advice, 1])
      end
    end

    it "warns of facts of another node" do
      with_modules("facts.json" => '{"name": "db", "values": {"a": 1}}', "site.pp" => "notify { \"a ${facts['a']}\": }") do |root|
        out, err, code = compile("web", "--manifest", "#{root}/site.pp", "--facts", "#{root}/facts.json", "--format", "text")
        expect([out.lines.last, code]).to eq(["notify { 'a 1': }\n", 0])
        expect(err).to start_with("Warning: These are the facts of db, not of web\n")
      end
    end
  end
end
