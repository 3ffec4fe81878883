# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "tmpdir"

# Rules of Hiera with the log of Puppet 8.11 for each.
RSpec.describe "lookups in files" do
  def compile(files, code, facts: {}, strict: "error")
    Dir.mktmpdir do |top|
      environment = File.join(File.realpath(top), "env")
      files.merge("manifests/site.pp" => code).each do |name, text|
        file = File.join(environment, name)
        FileUtils.mkdir_p(File.dirname(file))
        File.write(file, text)
      end
      File.write(facts_file = File.join(top, "facts.json"), JSON.generate(facts))
      command = [RbConfig.ruby, "-Ilib", "exe/puppetfn", "compile", "n", "--environment", environment, "--facts", facts_file, "--strict", strict]
      _, log, = Open3.capture3(*command)
      log.lines.map(&:chomp).grep_v(/Compiled catalog/).join("\n").gsub(environment, "ENV")
    end
  end

  def hierarchy(*entries)
    JSON.generate(version: 5, hierarchy: entries.each_with_index.map { |entry, index| {name: index.to_s}.merge(entry) })
  end

  one = {"hiera.yaml" => "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"}

  it "map paths over the entries of a hash" do
    files = {"hiera.yaml" => hierarchy({mapped_paths: ["facts.m", "e", "%{e.0}-%{e.1}.yaml"]}), "data/a-x.yaml" => "k: ax", "data/b-y.yaml" => "k: by"}
    log = compile(files, "notice(lookup('k', merge => unique))", facts: {m: {a: "x", b: "y"}})
    expect(log).to eq("Notice: Scope(Class[main]): [ax, by]")
  end

  it "for parameters of a class happen before the class is evaluated" do
    code = "class k($i = 'I', $j = 'd') { notice($j) }\ninclude k"
    log = compile(one.merge("data/a.yaml" => 'k::j: "%{k::i}"'), code)
    expect(log).to eq("Error: Evaluation Error: Error while evaluating a Function Call, Undefined variable 'k::i'; class k has not been evaluated " \
      "(file: ENV/manifests/site.pp, line: 2, column: 1) on node n")
    log = compile(one.merge("data/a.yaml" => 'k::j: "%{title}"'), "class k($j) { notice($j, $title) }\ninclude k")
    expect(log).to eq("Notice: Scope(Class[K]): main k")
  end

  it "warn of YAML that is no hash, which is an error if Puppet is strict" do
    code = "notice(lookup('k', default_value => 1))"
    files = one.merge("data/a.yaml" => "just a string")
    warned = "Warning: ENV/data/a.yaml: file does not contain a valid yaml hash\nNotice: Scope(Class[main]): 1"
    expect(%w[warning off].map { |strict| compile(files, code, strict: strict) }).to eq([warned] * 2)
    expect(compile(files, code)).to eq("Error: ENV/data/a.yaml: file does not contain a valid yaml hash on node n")
  end

  it "log an error of lookup_options besides the failure" do
    log = compile(one.merge("data/a.yaml" => "lookup_options: [1]\na: 1"), "notice(lookup('a'))")
    message = "Error: value of lookup_options must be a hash"
    expect(log).to eq("#{message}\n#{message} on node n")
  end

  it "convert to aliases of modules" do
    files = one.merge("data/a.yaml" => "lookup_options: {d: {convert_to: 'M::Port'}}\nd: '80'", "modules/m/types/port.pp" => "type M::Port = Integer[1, 65535]")
    expect(compile(files, "notice(type(lookup('d')))")).to eq("Notice: Scope(Class[main]): Integer[80, 80]")
  end

  it "read a hiera.yaml of version 4, with a warning" do
    files = {"hiera.yaml" => "version: 4\nhierarchy: [{name: common, backend: yaml}, {name: j, backend: json, path: x/j}]",
              "data/common.yaml" => "k: four", "data/x/j.json" => '{"j": 5}'}
    code = "notice(lookup('k'), lookup('j'))"
    warning = "Warning: ENV/hiera.yaml: Use of 'hiera.yaml' version 4 is deprecated. It should be converted to version 5\n   (file: ENV/hiera.yaml)\n"
    notice = "Notice: Scope(Class[main]): four 5"
    expect(compile(files, code)).to eq(warning + notice)
    expect(compile(files, code, strict: "off")).to eq(notice)
  end

  it "refuse a hiera.yaml of version 3 in an environment after the warning, or ignore it" do
    files = {"hiera.yaml" => ":backends: yaml\n"}
    code = "notice(lookup('k', default_value => 1))"
    warning = "Warning: ENV/hiera.yaml: Use of 'hiera.yaml' version 3 is deprecated. It should be converted to version 5\n   (file: ENV/hiera.yaml)\n"
    expect(compile(files, code)).to start_with("#{warning}Error: hiera.yaml version 3 cannot be used in an environment")
    ignored = "Warning: hiera.yaml version 3 found at the environment root was ignored\n   (file: ENV/hiera.yaml)\n"
    expect(compile(files, code, strict: "warning")).to eq("#{warning}#{ignored}Notice: Scope(Class[main]): 1")
  end
end
