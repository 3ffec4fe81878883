# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rexml/document"
require "tmpdir"
require_relative "../support/without_facterdb"

# `puppetfn test --roles` in a control repository. `roles/verdicts.json` has the verdicts and messages of rspec-puppet 5 with Puppet 8.11
# for `compile.with_all_deps` of the same classes, facts, nodes and trusted data.
RSpec.describe "puppetfn test --roles" do
  fixture = File.join(__dir__, "roles")

  around do |example|
    Dir.mktmpdir do |directory|
      @root = File.realpath(directory)
      FileUtils.cp_r("#{fixture}/.", @root)
      write("site-modules/role/manifests/broken.pp", "class role::broken {\n  notify { 'a' }\n}\n")
      example.run
    end
  end

  def write(path, text)
    path = File.join(@root, path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  def remove(*paths)
    FileUtils.rm_r(paths.map { |path| File.join(@root, path) })
  end

  # Returns the output, the messages and the exit code.
  def run(*arguments, roles: "--roles", environment: {})
    environment = {**WithoutFacterDB::ENVIRONMENT, "XDG_CACHE_HOME" => @root, **environment}
    output, errors, status = Open3.capture3(environment, *Puppetfn::CLI.command, "test", roles, *arguments, chdir: @root)
    [output, errors, status.exitstatus]
  end

  # Returns the messages of failed examples, and nil for others, by their descriptions.
  def verdicts(*arguments, roles: "--roles", environment: {})
    output, errors, = run("--format", "json", *arguments, roles: roles, environment: environment)
    json = output.lines.grep(/\A\{/).first or raise errors
    JSON.parse(json).fetch("examples").to_h do |example|
      [example["full_description"].delete_suffix(" compiles"), example.dig("exception", "message")&.chomp&.gsub(@root, "ROOT")]
    end
  end

  it "compiles each role for each system, with the verdicts and messages of rspec-puppet" do
    recorded = JSON.parse(File.read("#{fixture}/verdicts.json"))
    found = verdicts
    expect(found.transform_values { |message| message&.lines&.first&.chomp }).to eq(recorded)
    expect(found.keys).to eq(recorded.keys)
  end

  it "names the file and line of each edge of a cycle" do
    manifest = "site-modules/profile/manifests/mail.pp"
    expect(verdicts(roles: "--roles=role::mail").fetch("role::mail on debian").lines.drop(1).map(&:strip)).to eq([
      "Package[postfix] requires File[/etc/postfix] (#{manifest}:5)",
      "Package[postfix] -> Service[postfix] (#{manifest}:10)",
      "Service[postfix] before File[/etc/postfix] (#{manifest}:12)"
    ])
  end

  it "names what contains a resource of a cycle, and what types and functions add" do
    write("site-modules/role/manifests/loop.pp", <<~PUPPET)
      class role::loop {
        require role::loop::inner
        notify { 'outer': before => File['/srv/b'] }
      }
    PUPPET
    write("site-modules/role/manifests/loop/inner.pp", <<~PUPPET)
      class role::loop::inner {
        file { '/srv/b': subscribe => Notify['outer'] }
      }
    PUPPET
    file = "site-modules/role/manifests/loop"
    expect(verdicts(roles: "--roles=role::loop").fetch("role::loop on debian")).to eq(<<~TEXT.chomp)
      dependency cycles found: (File[/srv/b] => Class[Role::Loop::Inner] => Class[Role::Loop] => Notify[outer] => File[/srv/b])
        Class[Role::Loop::Inner] contains File[/srv/b] (#{file}/inner.pp:2)
        Class[Role::Loop] requires Class[Role::Loop::Inner] (#{file}.pp:2)
        Class[Role::Loop] contains Notify[outer] (#{file}.pp:3)
        File[/srv/b] subscribes to Notify[outer] (#{file}/inner.pp:2)
        Notify[outer] before File[/srv/b] (#{file}.pp:3)
    TEXT
    write("site-modules/role/manifests/loop.pp", <<~PUPPET)
      class role::loop {
        exec { '/bin/true': before => File['/srv'], cwd => '/srv/a' }
        file { ['/srv', '/srv/a']: ensure => directory }
      }
    PUPPET
    expect(verdicts(roles: "--roles=role::loop").fetch("role::loop on debian").lines.last(3).map(&:strip)).to contain_exactly(
      "File[/srv/a] autorequires File[/srv] (#{file}.pp:3)",
      "Exec[/bin/true] autorequires File[/srv/a] (#{file}.pp:2)",
      "Exec[/bin/true] before File[/srv] (#{file}.pp:2)"
    )
  end

  it "says which roles fail on which systems, how to run them again, and which modules are missing" do
    output, errors, status = run
    expect(status).to eq(1)
    expect(output).to include("21 examples, 13 failures")
      .and include("puppetfn test --roles=role::database --example 'on rocky '")
      .and match(/^ +# site-modules\/role\/manifests\/database\.pp:1$/)
    expect(errors).to include("puppetfn test: role::database: failed on rocky, windows\n")
      .and include("puppetfn test: role::mail: failed on all 3 systems\n")
      .and include("modules of the Puppetfile are not installed: oven; install them with `puppetfn fixtures`")
    expect(run("--example", "on rocky ", roles: "--roles=role::database").first).to include("1 example, 1 failure")
  end

  it "compiles the classes that are named, or match" do
    {"role::web" => ["role::web"], "role::we*,role::site::*" => ["role::site::edge", "role::web"], "::Role::Web" => ["role::web"],
     "/^profile::(base|mail)$/" => ["profile::base", "profile::mail"]}.each do |given, classes|
      expect(verdicts(roles: "--roles=#{given}").keys.map { |name| name[/\A\S+/] }.uniq).to eq(classes)
    end
    _, errors, status = run(roles: "--roles=role::web,role::wob")
    expect([errors[/error: there is no class role::wob in /], status]).to eq(["error: there is no class role::wob in ", 2])
    expect(run(roles: "--roles=role::helper").last).to eq(2)
    expect(run("role::web").drop(1)).to eq(["error: --roles takes no paths, and classes only as --roles=role::web\n", 2])
  end

  it "says where roles are" do
    remove("spec/factsets")
    expect(Open3.capture2e(*Puppetfn::CLI.command, "test", chdir: @root).first).to include("help: `puppetfn test --roles` compiles the roles")
    write("environment.conf", "modulepath = none\n")
    expect(run("--facts", "metadata.json").drop(1)).to eq(["error: there are no modules: run --roles in the directory of a control repository\n", 2])
  end

  it "takes facts of files and directories, in all formats in which they are exported" do
    write("facts/db1.yaml", "kernel: Linux\nnetworking: {fqdn: db1.example.com}\nos: {name: Debian, family: Debian}\n")
    found = verdicts("--facts", "facts", "--facts=spec/factsets/rocky.json", roles: "--roles=role::database")
    expect(found.transform_values(&:nil?)).to eq("role::database on db1" => true, "role::database on rocky" => false)
    expect(run("--facts", "none")).to eq(["", "error: there are no facts at none: there is no such file or directory\n", 2])
  end

  it "takes the systems of metadata.json where there are no others" do
    remove("spec/factsets")
    expect(verdicts(roles: "--roles=role::database").transform_values(&:nil?))
      .to eq("role::database on debian-12-x86_64" => true, "role::database on rocky-9-x86_64" => false)
    remove("metadata.json")
    expect(run.drop(1)).to eq([
      "error: there are no systems: name facts with --facts, or add systems to metadata.json or factsets to spec/factsets\n", 2
    ])
  end

  it "takes settings of puppetfn.toml" do
    write("puppetfn.toml", "[roles]\nclasses = ['role::d*']\nfacts = ['spec/factsets/debian.json']\nmanifest = 'always.pp'\n")
    write("always.pp", "notify { 'always': }\n")
    write("site-modules/role/manifests/dear.pp", "class role::dear { notify { 'always': } }\n")
    expect(verdicts.transform_values { |message| message && message[/\A.*?: .*?: /] }).to eq(
      "role::database on debian" => nil, "role::dear on debian" => "error during compilation: Evaluation Error: ",
      "role::desktop on debian" => "error during compilation: Parameter path failed on File[C:/app]: "
    )
    write("puppetfn.toml", "[roles]\nclass = 'x'\n")
    expect(run.drop(1)).to match([/\Aerror: .*unknown field `class`/m, 2])
  end

  it "runs in several processes, with the output of one" do
    outputs = [[], ["--parallel", "3"]].map { |arguments| run("--order", "defined", *arguments).first.sub(/^Finished in .*/, "") }
    expect(outputs.last).to eq(outputs.first)
  end

  it "counts lines of the repository's own modules, for coverage" do
    output, = run("--coverage", "--facts", "spec/factsets/debian.json", roles: "--roles=role::database")
    expect(output).to match(%r{^site-modules/profile/manifests/database\.pp +100\.00%}).and match(%r{^site-modules/role/manifests/mail\.pp +0\.00%})
    expect(output).not_to match(%r{^modules/|^Resources:})
  end

  it "writes JUnit's XML" do
    _, _, status = run("--format", "progress", "--format", "junit", "--out", "roles.xml", "--parallel", "2")
    suite = REXML::Document.new(File.read("#{@root}/roles.xml")).root
    expect(suite.attributes.get_attribute("tests").value + suite.attributes.get_attribute("failures").value).to eq("2113")
    cases = suite.get_elements("testcase").to_h { |element| [element.attributes["name"], element] }
    expect(cases["role::web on debian compiles"].attributes["file"]).to eq("site-modules/role/manifests/web.pp")
    expect(cases["role::mail on debian compiles"].elements["failure"].text).to include("mail.pp:10")
    expect(status).to eq(1)
  end

  it "loads no spec helper, and needs no gem for JUnit's XML" do
    write(".rspec", "--require spec_helper\n--format RspecJunitFormatter\n")
    write("spec/spec_helper.rb", "raise 'loaded'\n")
    expect(run(roles: "--roles=role::web").first.lines.grep(/<testcase/).size).to eq(3)
    expect(run("-I", "spec", "--require", "spec_helper").first).to include("loaded")
  end

  it "uses spec/hiera.yaml, and modules that onceover has installed" do
    write("spec/hiera.yaml", File.read("#{@root}/hiera.yaml").sub("datadir: data", "datadir: ../data").sub("os/%{facts.os.family}", "os/Debian"))
    write("site-modules/role/manifests/baker.pp", "class role::baker { include oven, profile::database }\n")
    write(".onceover/etc/puppetlabs/code/environments/production/modules/oven/manifests/init.pp", "class oven { }\n")
    expect(verdicts(roles: "--roles=role::baker")).to eq(%w[debian rocky windows].to_h { |system| ["role::baker on #{system}", nil] })
  end

  context "with an onceover.yaml" do
    before do
      write("spec/onceover.yaml", <<~YAML)
        classes: [/^role::(web|site)/, role::database, role::asks]
        nodes: [debian, rocky, windows]
        node_groups:
          linux: {include: all_nodes, exclude: windows}
        class_groups:
          sites: [/^role::site/]
          others: {include: all_classes, exclude: sites}
        test_matrix:
          - linux: {classes: others, tests: spec}
          - debian: {classes: all_classes, tests: all_tests, tags: first}
          - windows: {classes: role::web, tests: acceptance}
        functions:
          query_pets: {returns: [cat, 1]}
        before:
          - "Puppet[:noop] = node_facts['os']['name'] == 'Rocky' && trusted_facts.empty?"
        after:
          - "fail('after') if node_facts['kernel'] == 'windows'"
      YAML
      write("spec/pre_conditions/variables.pp", "$answer = 42\n")
      write("site-modules/role/manifests/asks.pp", <<~PUPPET)
        class role::asks {
          $expected = [['cat', 1], 42, 'role::asks', $facts['os']['name'].downcase, $facts['os']['name'] == 'Rocky']
          $found = [query_pets('all'), $answer, $onceover_class, $onceover_node, $settings::noop]
          unless $found == $expected { fail("${found} is not ${expected}") }
        }
      PUPPET
    end

    it "compiles what its test matrix says, with its functions, code and pre-conditions" do
      expect(verdicts.transform_values(&:nil?)).to eq(
        "role::asks on debian" => true, "role::asks on rocky" => true, "role::database on debian" => true, "role::database on rocky" => false,
        "role::site::edge on debian" => true, "role::web on debian" => true, "role::web on rocky" => true
      )
    end

    it "can run a part of the matrix" do
      expect(verdicts("--tag", "first").keys).to eq(["role::asks on debian", "role::database on debian", "role::site::edge on debian", "role::web on debian"])
      expect(verdicts(roles: "--roles=role::web").keys).to eq(["role::web on debian", "role::web on rocky"])
      expect(verdicts("--facts", "spec/factsets/windows.yaml", roles: "--roles=role::desktop").keys).to eq(["role::desktop on windows"])
    end

    it "says which factsets, groups and classes there are not" do
      write("spec/onceover.yaml", "classes: [role::web]\nnodes: [CentOS-7.0-64]\ntest_matrix: [{all_nodes: {classes: all_classes, tests: spec}}]\n")
      expect(run.drop(1)).to match([/error: .*onceover\.yaml: there are no facts of CentOS-7\.0-64: expected spec\/factsets\/CentOS-7\.0-64\.json/, 2])
      write("spec/onceover.yaml", "classes: [role::web]\nnodes: [debian]\ntest_matrix: [{all: {classes: all_classes, tests: spec}}]\n")
      expect(run.drop(1)).to match([/error: .*onceover\.yaml: there is no class, node or group all$/, 2])
    end
  end
end
