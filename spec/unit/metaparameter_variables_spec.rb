# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "../support/module_tree"

# The expected answers are Puppet 8.11's.
RSpec.describe "Metaparameters as variables" do
  include ModuleTree

  def notices(code, modules = {}, runtime_options = {})
    with_runtime(modules, node: "web.example.com", **runtime_options) do |runtime|
      runtime.compile(code)
      return runtime.logs.to_a.map(&:last)
    end
  end

  {
    "the code of a defined type" =>
      ["notice($notify, defined('$notify'), getvar('notify'), \"${notify}\")", ["Exec[/bin/true] true Exec[/bin/true] Exec[/bin/true]"]],
    "its metaparameters that are not given" =>
      ["notice(defined('$before'), getvar('before', 'none'))", ["false none"]],
    "lambdas in it" =>
      ["[1].each |$i| { notice($notify) [2].each |$notify| { notice($notify) } }", ["Exec[/bin/true]", "2"]],
    "templates in ERB" =>
      ["notice(inline_template('<%= @notify %> <%= scope[\"notify\"] %> <%= scope.include?(\"notify\") %> <%= scope.exist?(\"before\") %>'))",
       ["Exec[/bin/true] Exec[/bin/true] true false"]],
    "to_hash" => ["notice(inline_template('<%= (scope.to_hash.keys & %w[before notify noop]).sort.join(\",\") %>'))", ["noop,notify"]],
    "templates in EPP" => ["notice(inline_epp('<%= $notify %> <%= $noop %>'))", ["Exec[/bin/true] true"]],
    "branches" => ["if false { $require = 1 } notice(defined('$require'), $notify)", ["false Exec[/bin/true]"]],
  }.each do |place, (body, expected)|
    it "are seen by #{place}" do
      code = "define d() { #{body} } exec { '/bin/true': } d { 'a': notify => Exec['/bin/true'], noop => true }"
      expect(notices(code)).to eq(expected)
    end
  end

  it "are seen by default values" do
    code = "define d($p = \"${noop} ${defined('$tag')}\") { notice($p) } d { 'a': noop => true }"
    expect(notices(code)).to eq(["true false"])
  end

  it "come from defaults, collectors and overrides, but not from what contains the resource" do
    code = <<~'PUPPET'
      define inner() { notice("inner ${defined('$noop')} ${defined('$tag')}") }
      define d() { notice("${title} ${getvar('noop')} ${getvar('tag')} ${getvar('loglevel')}") inner { $title: } }
      class base { d { 'o': } }
      class derived inherits base { D['o'] { loglevel => debug } }
      D { noop => false }
      @d { 'v': tag => 'a' }
      D<| title == 'v' |> { noop => true, tag +> 'b' }
      d { 'u': noop => undef }
      include derived
    PUPPET
    expect(notices(code))
      .to eq(["v true [a, b] ", "u   ", "o false  debug", "inner false false", "inner false false", "inner false false"])
  end

  it "cannot be assigned to" do
    code = "define d() { $noop = 1 } d { 'a': noop => true }"
    expect { notices(code) }.to raise_error(Puppet::Error, /Cannot reassign variable '\$noop'/)
    expect(notices("define d() { $noop = 1 notice($noop) } d { 'a': }")).to eq(["1"])
    code = "class k { $noop = 1 } class { 'k': noop => true }"
    expect { notices(code) }.to raise_error(Puppet::Error, /Cannot reassign variable '\$noop'/)
  end

  it "are variables of a class, for all code" do
    code = <<~'PUPPET'
      class k($x = "default ${require}") { notice($x, $require, defined('$notify')) }
      class sub inherits k { notice($require) notice(inline_template('<%= @require %>')) }
      class other { notice(defined('$require'), $k::require, getvar('k::require'), defined('$k::notify')) }
      exec { '/bin/true': }
      class { 'k': require => Exec['/bin/true'], tag => 't' }
      include sub, other
      notice($k::require, $sub::tag, inline_template('<%= scope["k::require"] %>'))
    PUPPET
    expect(notices(code)).to eq([
      "default Exec[/bin/true] Exec[/bin/true] false", "Exec[/bin/true]", "Exec[/bin/true]",
      "false Exec[/bin/true] Exec[/bin/true] false", "Exec[/bin/true] t Exec[/bin/true]"
    ])
  end

  it "are in the scope of functions in Ruby and of data" do
    modules = {
      "m/lib/puppet/parser/functions/noop_of.rb" =>
        "Puppet::Parser::Functions.newfunction(:noop_of, type: :rvalue) { |_| [lookupvar('noop'), self['tag']].inspect }",
      "m/hiera.yaml" => "version: 5\nhierarchy: [{name: a, path: a.yaml}]",
      "m/data/a.yaml" => "m::key: 'interpolated %{noop} %{tag}'",
      "m/manifests/d.pp" => "define m::d() { notice(noop_of(), lookup('m::key')) }",
    }
    expect(notices("m::d { 'a': noop => true, tag => 'x' }", modules)).to eq(['[true, "x"] interpolated true x'])
  end

  it "are known to the checker" do
    code = "class k { notice($require) } class other { notice($k::require) } define d() { notice($notify) if defined('$noop') { notice($noop) } }"
    with_modules("site.pp" => code) do |root|
      out, status = Open3.capture2e(RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "check", "#{root}/site.pp")
      expect([out, status.exitstatus]).to eq(["", 0])
    end
  end
end
