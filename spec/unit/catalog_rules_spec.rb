# frozen_string_literal: true

require_relative "../support/module_tree"

# What catalogs of real modules depend on, each rule with the smallest program that shows it. All answers are those of
# Puppet 8.11.
RSpec.describe "Catalogs, as Puppet makes them" do
  include ModuleTree

  files = {
    "own/lib/puppet/functions/own/declare.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::declare') do
        def declare(title) = call_function('create_resources', 'notify', {title => {}})
      end
    RUBY
    "own/lib/puppet/functions/own/places.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::places') do
        def places = Puppet::Pops::PuppetStack.stacktrace
      end
    RUBY
    "own/lib/puppet/functions/own/cut.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::cut') do
        def cut(hash) = hash['inner'].delete('a')
      end
    RUBY
    "own/lib/puppet/parser/functions/own_source.rb" => <<~RUBY,
      Puppet::Parser::Functions.newfunction(:own_source, type: :rvalue) do |_|
        [source.type.to_s, source.name, source.module_name]
      end
    RUBY
    "own/lib/puppet/type/own_key.rb" => "Puppet::Type.newtype(:own_key) { newparam(:id, namevar: true); newparam(:server) }",
    "own/manifests/init.pp" => "class own { $source = own_source() }"
  }.freeze

  define_method(:compile) do |code|
    with_runtime(files, node: "web1") { |runtime| runtime.compile(code).to_data_hash }
  end

  def resource(code, reference)
    compile(code)["resources"].find { |found| "#{found["type"]}[#{found["title"]}]" == reference }
  end

  def titles(code, type = "Notify") = compile(code)["resources"].filter_map { |found| found["title"] if found["type"] == type }

  def message(code, reference = "Notify[n]") = resource(code, reference).dig("parameters", "message")

  def failing(text) = raise_error(Puppet::Error, "#{text} on node web1")

  describe "variables" do
    it "of a class that inherits are its own before they are those of its parents" do
      classes = "class p { $m = 1 $k = 'p' } class c($m = 2) inherits p { notify { \"in ${m} ${c::m} ${p::m} ${c::k}\": } } " \
                "class d inherits c {} include d\n"
      template = "notify { 'n': message => inline_template(\"<%= scope['c::m'] %> <%= scope['d::m'] %> <%= scope['p::m'] %>\") }"
      expect(titles("#{classes} notify { \"v${c::m} ${d::m} ${getvar('c::m')} ${getvar('d::k')}\": }")).to eq(["in 2 2 1 p", "v2 2 2 p"])
      expect(message("#{classes} #{template}")).to eq("2 2 1")
    end

    it "of the class or resource around are those of templates, without those that are undef" do
      body = "$y = 2 notify { 'n': message => inline_template(" \
             "'<%= scope.to_hash.values_at(*%w[x y u title]).inspect %> <%= defined?(@u).inspect %> <%= @y %>') }"
      expect(message("class lg($x = 1, $u = undef) { #{body} } include lg")).to eq('[1, 2, nil, "lg"] nil 2')
      expect(message("define lg($x = 1, $u = undef) { #{body} } lg { 'q': }")).to eq('[1, 2, nil, "q"] nil 2')
    end

    it "are in templates by any way that code has to get at them" do
      ["@y", "instance_variable_get('@' + 'y')", "binding.local_variables && eval('@' + 'y')", "self.instance_variables.include?(:@y) ? 2 : 0",
       "scope['y']", "'a b'.then { |_| @y }"].each do |way|
        expect(message("class lg { $y = 2 notify { 'n': message => inline_template(\"<%= #{way} %>\") } } include lg")).to eq("2")
      end
    end

    it "with a name that code cannot have are in templates under one that is like it" do
      code = "notify { 'n': message => inline_template(\"<%= @a_b %> <%= @set_so %><% scope.setvar('set-so', 3) %>\", '<%= @set_so %>') }"
      [code, "class x { #{code} } include x"].each do |body|
        found = with_runtime(files, node: "web1", facts: {"a-b" => 1}) { |runtime| runtime.compile(body).to_data_hash }
        expect(found["resources"].find { |resource| resource["title"] == "n" }.dig("parameters", "message")).to eq("1 3")
      end
    end

    it "that templates set are of the scope around, and the same object when they are asked for again" do
      code = "define d { notify { \"n ${title}\": message => inline_template('<% scope.setvar(\"foo\", {}) %>" \
             "<% scope.lookupvar(\"foo\")[\"x\"] = @title %><%= scope.lookupvar(\"foo\") %>') } notify { \"${title} ${foo}\": } } d { ['a', 'b']: }"
      expect(titles(code)).to eq(["n a", "a {x => a}", "n b", "b {x => b}"])
      expect(message(code, "Notify[n b]")).to eq('{"x"=>"b"}')
    end

    it "are changed by templates and functions that change hashes in place" do
      code = "class q($h = {'inner' => {'a' => 1, 'b' => 2}}) { $j = $h %s notify { 'n': message => $j } } include q"
      [%q(notify { inline_template('<% @h["inner"].delete("a") %>x'): }), "own::cut($h)"].each do |change|
        expect(message(format(code, change))).to eq("inner" => {"b" => 2})
        expect(resource(format(code, change), "Class[Q]")["parameters"]).to eq("h" => {"inner" => {"b" => 2}})
      end
    end

    it "are changed by templates that fill empty arrays, each by itself" do
      code = "class q($a = [], $b = []) { notify { inline_template('<% @a << 1 %>x'): } notify { 'n': message => [$a, $b] } } include q"
      expect(message(code)).to eq([[1], []])
      expect(resource(code, "Class[Q]")["parameters"]).to eq("a" => [1], "b" => [])
    end

    it "of lambdas, functions and matches at the top level and in nodes are seen in classes that are evaluated there" do
      expect(titles("if 'abc' =~ /(b)/ { include k } class k { notify { \"m$1\": } }")).to eq(["mb"])
      expect(titles("node /^web(\\d+)/ { include x } class x { notify { \"n$1\": } include y } class y { notify { \"y$1\": } }")).to eq(%w[n1 y1])
      expect(titles("[1].each |$x| { include k } class k { notify { \"v$x\": } }")).to eq(["v1"])
      expect(titles("function f($x) { include k } class k { notify { \"v$x\": } } f(3)")).to eq(["v3"])
    end

    it "of the top level are named as its class is, and cannot be assigned" do
      expect(titles("notify { \"${title} ${name} '${module_name}'\": }")).to eq(["main main ''"])
      expect { compile("$title = 'x'") }
        .to failing("Evaluation Error: Cannot reassign built in (or already assigned) variable '$title' (line: 1, column: 8)")
    end
  end

  describe "resources" do
    it "are of a kind" do
      kinds = compile("class a {} class { 'a': } class b {} include b define d {} d { 'x': } notify { 'n': }")["resources"]
      expect(kinds.to_h { |found| [found["title"], found["kind"]] }.slice("A", "B", "x", "n"))
        .to eq("A" => "class", "B" => "unknown", "x" => "defined_type", "n" => "compilable_type")
    end

    it "leave out the parameter that repeats the title, and say what a title stands for" do
      expect(resource("own_key { 'k': id => 'k', server => 's' }", "Own_key[k]")["parameters"]).to eq("server" => "s")
      expect(resource("own_key { 'k': id => 'other' }", "Own_key[k]")["parameters"]).to eq("id" => "other")
      expect(resource("file { '/x/': }", "File[/x/]")["parameters"]).to eq("path" => "/x")
      expect(resource("file { '/x': }", "File[/x]")).not_to include("parameters")
    end

    it "have values that JSON does not have as hashes that name their type" do
      {
        "Deferred('upcase', ['x'])" => {"__ptype" => "Deferred", "name" => "upcase", "arguments" => ["x"]},
        "Integer[1, 2]" => {"__ptype" => "Pcore::IntegerType", "from" => 1, "to" => 2},
        "/a+/" => {"__ptype" => "Regexp", "__pvalue" => "a+"},
        "{1 => default}" => {"__ptype" => "Hash", "__pvalue" => [1, {"__ptype" => "Default"}]},
        "[undef, [Notify['n']]]" => [nil, "Notify[n]"]
      }.each { |value, data| expect(message("notify { 'n': message => #{value} }")).to eq(data) }
    end

    it "have lists of what they are related to without undef, lists within lists, and twice the same" do
      code = "notify { ['b', 'c']: } notify { 'n': require => [undef, [Notify['b'], [Notify['c']]]], notify => undef }"
      expect(resource(code, "Notify[n]")["parameters"]).to eq("require" => ["Notify[b]", "Notify[c]"])
      expect(resource("notify { ['n', 'b']: } Notify['n'] -> [Notify['b'], Notify['b']]", "Notify[n]")["parameters"]).to eq("before" => ["Notify[b]"])
    end

    it "can have numbers as titles" do
      found = resource("define d { notify { \"${type($title)}\": } } create_resources('d', {80 => {}})", "D[80]")
      expect([found["tags"], found["parameters"]]).to eq([%w[d class], {"name" => "80"}])
      expect(titles("define d { notify { \"${type($title)}\": } } create_resources('d', {80 => {}})")).to eq(["Integer[80, 80]"])
      expect(titles("notify { String(type(create_resources('notify', {'a' => {}}))): }")).to include("Undef")
    end

    it "that functions of the 4.x API declare with others are in the class of the top level" do
      edges = compile("class a { own::declare('x') } include a")["edges"]
      expect(edges).to include("source" => "Class[main]", "target" => "Notify[x]")
    end

    it "that functions in the Puppet language declare are not in the node" do
      data = compile("function ff() { notify { 'inf': } } node default { ff() notify { 'in': } }")
      tags = data["resources"].to_h { |found| [found["title"], found["tags"]] }
      expect(tags.values_at("inf", "in")).to eq([%w[notify inf class], %w[notify in node default class]])
      expect(data["edges"]).to include("source" => "Class[main]", "target" => "Notify[inf]")
    end
  end

  describe "functions" do
    it "know the definition around the call, and the calls that they have come of" do
      expect(resource("include own notify { 'n': message => $own::source }", "Notify[n]")["parameters"]).to eq("message" => %w[hostclass own own])
      expect(message("class k {\n  notify { 'n': message => own::places() }\n}\n\ninclude k")).to eq([["unknown", 2], ["unknown", 5], ["unknown", 0]])
    end
  end

  describe "deferred values" do
    it "are accepted where what their functions return can fit" do
      expect(titles("define r(Variant[Boolean, String] $p) {} r { 'b': p => Deferred('upcase', ['x']) }", "R")).to eq(["b"])
      expect { compile("define r(Integer $p) {} r { 'b': p => Deferred('join', [['x']]) }") }.not_to raise_error
      expect { compile("define r(Integer $p) {} r { 'b': p => Deferred('nosuch', ['x']) }") }
        .to raise_error(Puppet::Error, /R\[b\]: parameter 'p' is given a Deferred call of the unknown function 'nosuch'/)
    end
  end

  describe "errors" do
    {
      "notify { 'n': require => Class['main'] }" => "Could not find resource 'Class[Main]' in parameter 'require' (line: 1)",
      "notify { 'n': message => File }" => 'No set of title patterns matched the title "".',
      "file { '/a': nothere => 1 }" => "no parameter named 'nothere' (line: 1) on File[/a] (line: 1)",
      "notify { 'n': tag => 'y z' }" => "Invalid tag 'y z' (line: 1)"
    }.each do |code, text|
      it "are Puppet::Error where the catalog refuses #{code}" do
        expect { compile(code) }.to raise_error { |error| expect([error.class, error.message]).to eq([Puppet::Error, "#{text} on node web1"]) }
      end
    end

    it "are those of evaluation where code is wrong" do
      expect { compile("notify { 'n': message => Class }") }.to raise_error(Puppet::PreformattedError, /\AEvaluation Error: Error while evaluating a '=>' expression, No title provided/)
    end
  end
end
