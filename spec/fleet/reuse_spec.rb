# frozen_string_literal: true

require_relative "support"

# Each node has a role that comes to its value in another way. When a file changes, the nodes that depend on it are compiled again.
RSpec.describe "puppetfn diff, for nodes that have read nothing that differs" do
  include FleetOfNodes

  # Classes by the names of roles: each evaluates an expression.
  roles = {
    "manifest" => "'one'", "epp" => "epp('m/text.epp')", "erb" => "template('m/text.erb')", "file" => "file('m/text.txt')",
    "data" => "lookup('value')", "language" => "m::language()", "typed" => "String(1 =~ M::Small)", "found" => "String(find_file('m/extra.txt'))",
    "ruby" => "m::ruby()", "required" => "m::required()", "read" => "m::read('lines.txt')", "remembered" => "m::remembered()",
    "searched" => "m::searched()", "probed" => "m::probed()", "existing" => "m::existing()", "yaml" => "m::yaml()", "run" => "m::run()"
  }
  function = lambda do |name, body, before = ""|
    "#{before}\nPuppet::Functions.create_function(:'m::#{name}') do\n  def #{name}(*given)\n    #{body}\n  end\nend\n"
  end
  place = 'File.expand_path("../../../../data", __dir__)'
  files = {
    "manifests/site.pp" => "include \"m::${facts['role']}\"\n",
    "environment.conf" => "modulepath = modules\n",
    "hiera.yaml" => "version: 5\nhierarchy:\n  - name: all\n    paths: ['%{trusted.certname}.yaml', 'common.yaml']\n",
    "data/common.yaml" => "value: one\n",
    "modules/m/templates/text.epp" => "one\n", "modules/m/templates/text.erb" => "<%= 'one' %>\n", "modules/m/files/text.txt" => "one\n",
    "modules/m/functions/language.pp" => "function m::language() { 'one' }\n", "modules/m/types/small.pp" => "type M::Small = Integer[0, 9]\n",
    "modules/m/lib/puppet/functions/m/ruby.rb" => function["ruby", '"one"'],
    "modules/m/lib/puppet_x/m/helper.rb" => "module PuppetX; module M; VALUE = 'one'; end; end\n",
    "modules/m/lib/puppet/functions/m/required.rb" => function["required", "PuppetX::M::VALUE", 'require "puppet_x/m/helper"'],
    "modules/m/lib/puppet/functions/m/read.rb" => function["read", "File.read(File.join(#{place}, given[0]))"],
    "modules/m/lib/puppet/functions/m/remembered.rb" => function["remembered", "PuppetX::Remembered::VALUE",
                                                                 "module PuppetX; module Remembered; VALUE = IO.readlines(#{place} + '/lines.txt').first; end; end"],
    "modules/m/lib/puppet/functions/m/searched.rb" => function["searched", "Dir.glob(\"*.list\", base: #{place}).sort.join"],
    "modules/m/lib/puppet/functions/m/probed.rb" => function["probed", "File.exist?(#{place} + '/mark').to_s"],
    "modules/m/lib/puppet/functions/m/existing.rb" => function["existing", "File.exists?(#{place} + '/mark').to_s"],
    "modules/m/lib/puppet/functions/m/run.rb" => function["run", "`cat \#{#{place}}/lines.txt`"],
    "modules/m/lib/puppet/functions/m/yaml.rb" => function["yaml", "YAML.load_file(#{place} + '/data.yaml')['value']"],
    "modules/m/data/lines.txt" => "one\n", "modules/m/data/data.yaml" => "value: one\n", "modules/m/data/a.list" => "",
    **roles.to_h { |role, value| ["modules/m/manifests/#{role}.pp", "class m::#{role} { notify { 'value': message => #{value} } }\n"] }
  }

  around do |example|
    Dir.mktmpdir("puppetfn-reuse-spec-") do |directory|
      @directory = directory
      write("old", files)
      # In this order: what Ruby has read concerns all nodes that come later.
      write("facts", roles.keys.each_with_index.to_h { |role, index| [format("%02d-%s.json", index, role), JSON.generate(role: role)] })
      example.run
    end
  end

  def write(directory, files)
    files.each do |path, content|
      FileUtils.mkdir_p(File.dirname("#{@directory}/#{directory}/#{path}"))
      File.write("#{@directory}/#{directory}/#{path}", content)
    end
  end

  def diff(*arguments)
    puppetfn("diff", "old", "new", "--nodes", "facts", "--format", "json", "--jobs", "1", "--cache", "cache", *arguments, chdir: @directory)
  end

  # The roles that differ, and how many nodes were compiled for that, after some files have changed.
  def changed(files)
    FileUtils.rm_rf("#{@directory}/new")
    FileUtils.cp_r("#{@directory}/old", "#{@directory}/new")
    write("new", files)
    printed, complaints, = diff
    nodes = JSON.parse(printed).fetch("groups").flat_map { |group| group["nodes"] }
    [nodes.map { |node| node[/-(\w+)/, 1] }.sort, complaints[/Compiled (\d+) nodes? in [^\n]+\n\z/, 1].to_i]
  end

  # With them goes the node for which a program is run, as nobody knows what that depends on.
  it "compiles only those again whose manifests, data and templates have changed" do
    expect(changed({})).to eq([[], 0])
    expect(changed("modules/m/manifests/manifest.pp" => "class m::manifest { notify { 'value': message => 'two' } }\n")).to eq([["manifest"], 2])
    expect(changed("modules/m/templates/text.epp" => "two\n", "modules/m/templates/text.erb" => "<%= 'two' %>\n", "modules/m/files/text.txt" => "two\n",
                   "modules/m/functions/language.pp" => "function m::language() { 'two' }\n",
                   "modules/m/types/small.pp" => "type M::Small = Integer[5, 9]\n")).to eq([%w[epp erb file language typed], 6])
    expect(changed("data/04-data.yaml" => "value: two\n", "modules/m/files/extra.txt" => "")).to eq([%w[data found], 3])
    expect(changed("modules/m/readme.txt" => "two\n")).to eq([[], 1])
  end

  it "compiles those again for which Ruby has looked at something that has changed" do
    {
      {"modules/m/lib/puppet/functions/m/ruby.rb" => function["ruby", '"two"']} => ["ruby"],
      {"modules/m/lib/puppet_x/m/helper.rb" => "module PuppetX; module M; VALUE = 'two'; end; end\n"} => ["required"],
      {"modules/m/data/lines.txt" => "two\n"} => %w[read remembered run],
      {"modules/m/data/b.list" => ""} => ["searched"],
      {"modules/m/data/mark" => ""} => %w[existing probed],
      {"modules/m/data/data.yaml" => "value: two\n"} => ["yaml"]
    }.each do |files, expected|
      nodes, compiled = changed(files)
      expect(nodes).to eq(expected)
      expect(compiled).to be < roles.size
    end
  end

  it "compiles all where what is common to them has changed, or where it is told to" do
    expect(changed("manifests/site.pp" => "notify { 'new': }\ninclude \"m::${facts['role']}\"\n")).to eq([roles.keys.sort, roles.size])
    expect(changed("hiera.yaml" => "version: 5\nhierarchy:\n  - name: all\n    path: 'other.yaml'\n", "data/other.yaml" => "value: two\n").first).to eq(["data"])
    2.times { expect(diff("--compile-all")[1].scan(/Compiled (\d+) nodes/).flatten.map(&:to_i)).to eq([roles.size] * 2) }
  end

  it "notices what has changed outside of the environment since catalogs were kept" do
    write("global", "hiera.yaml" => "version: 5\nhierarchy:\n  - name: all\n    path: 'all.yaml'\n", "data/all.yaml" => "other: one\n")
    FileUtils.cp_r("#{@directory}/old", "#{@directory}/new")
    write("new", "data/common.yaml" => "value: two\n")
    global = ["--hiera-config", "global/hiera.yaml"]
    expect(JSON.parse(diff(*global).first).fetch("groups").size).to eq(1)
    write("global", "data/all.yaml" => "value: three\n")
    printed, complaints, = diff(*global)
    expect(JSON.parse(printed).fetch("groups")).to eq([])
    expect(complaints).to match(/Compiled 1 node in .*; 16 compiled by earlier runs\n/)
  end
end
