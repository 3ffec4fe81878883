# frozen_string_literal: true

# Catalogs whose code and functions reach for whatever Puppet has in reach: each is printed with its logs, or the error.
require "fileutils"
require "json"
require "puppet"
require "puppet/test/test_helper"
require "tmpdir"

# What is compiled: code, files of a module `m`, settings, and what is done to the node.
Case = Struct.new(:name, :code, :files, :settings, :node, :times, keyword_init: true)
CASES = []

def catalog(name, code, files = {}, settings: {}, times: 1, &node)
  CASES << Case.new(name: name, code: code, files: files, settings: settings, node: node, times: times)
end

# The function `m::f`, with its scope and arguments.
def function(body)
  {"lib/puppet/functions/m/f.rb" => <<~RUBY}
    Puppet::Functions.create_function(:"m::f", Puppet::Functions::InternalFunction) do
      dispatch(:go) { scope_param; optional_repeated_param "Any", :arguments; optional_block_param }
      def go(scope, *arguments, &block)
        #{body}
      end
    end
  RUBY
end

# A catalog with what `m::f` says.
def says(name, body, code: "notify { 'a': message => 'of a', tag => 'tagged' }", settings: {})
  catalog(name, "#{code} notify { 'said': message => m::f() }", function("(#{body}).inspect"), settings: settings)
end

# Resources.
says "a resource", 'r = scope.catalog.resource("Notify", "a"); [r.to_hash, r.keys, r.tags.to_a, r.file, r.line, r.to_manifest, r.catalog.name]'
says "the same resource", 'scope.resource.equal?(scope.resource) && scope.findresource("Notify[a]").equal?(scope.catalog.resource("Notify", "a"))'
says "resources of the compiler", "scope.compiler.resources.map(&:to_s)"
says "the version of the catalog", "[scope.catalog.version.class, scope.catalog.name]"
{"deletes" => "delete(:message)", "hides" => "virtual = true", "retitles" => "file = 'x'", "asks for the scope of" => "scope.to_s",
 "asks for the state of" => "evaluated?"}.each do |what, call|
  catalog "#{what} a resource", "notify { 'a': message => 'x' } m::f()", function("scope.catalog.resource('Notify', 'a').#{call}; nil")
end
catalog "adds to the catalog alone", "m::f()", function(<<~RUBY)
  scope.catalog.add_resource(Puppet::Parser::Resource.new("notify", "x", scope: scope, source: scope.source)); nil
RUBY
catalog "adds to another scope", "class q { m::f() } include q", function(<<~RUBY)
  top = scope.compiler.topscope
  scope.compiler.add_resource(top, Puppet::Parser::Resource.new("notify", "x", scope: top, source: scope.source)); nil
RUBY
catalog "evaluates code", "m::f()", function('Puppet::Pops::Parser::EvaluatingParser.new.evaluate_string(scope, "notify { x: }"); nil')
catalog "includes later", "class q { notify { 'q': } } m::f() notify { 'a': }", function("scope.compiler.evaluate_classes(['q'], scope); nil")

# Scopes.
catalog "a variable in a lambda", "class q { [1].each |$i| { m::f() notice($z) } notice($z) } include q", function("scope.setvar('z', 1); nil"),
        settings: {strict_variables: false, strict: :warning}
catalog "a variable in a class", "class q { m::f() notice($z) } include q", function("scope.setvar('z', 1); nil")
says "the groups of a match", "[scope['1'], scope.exist?('1')]", code: "if 'abc' =~ /b(c)/ {} "
says "defaults", "scope.lookupdefaults('Notify').keys", code: "Notify { message => 'default' }"
says "the global scope", "[Puppet.lookup(:global_scope).to_s, Puppet.lookup(:global_scope)['facts'].frozen?]"

# What is changed in place.
catalog "changes a variable", "$list = [1] m::f() notice($list)", function("scope['list'] << 2; nil")
catalog "changes a fact", "m::f() notice($facts['os'])", function("scope['facts']['os']['z'] = 1; nil")
catalog "changes an argument", "$hash = {'a' => [1]} m::f($hash) notice($hash)", function("arguments.first.each_value { |list| list.send('pu' + 'sh', 2) }; nil")
catalog "changes the node", "m::f() notice($late)", function("scope.compiler.node.merge('late' => 'x'); nil"),
        settings: {strict_variables: false, strict: :warning}
catalog "changes the classes of the node", "class q { notify { 'q': } } m::f()", function("scope.compiler.node.classes << 'q'; nil")

# Definitions.
catalog "defines a class", "m::f() include dynamic", function(<<~RUBY)
  scope.environment.known_resource_types.add(Puppet::Resource::Type.new(:hostclass, "dynamic")); nil
RUBY
catalog "changes a class", "class q($p = 'x') { notify { $p: } } m::f() include q", function(<<~RUBY)
  scope.environment.known_resource_types.hostclass("q").set_arguments({}); nil
RUBY

# Effects.
catalog "writes a file, and fails", "m::f() fail('no')", function("File.write(Puppet[:vardir] + '.txt', $written = $written.to_i + 1); Puppet.notice($written); nil")
catalog "runs a program, and fails", "m::f() fail('no')", function("`true`; $run = $run.to_i + 1; Puppet.notice($run); nil")
catalog "writes in a template, and fails", "inline_template('<% File.write(Puppet[:vardir] + \".txt\", \"\"); $shown = $shown.to_i + 1; Puppet.notice($shown) %>') fail('no')"
catalog "names a program that nobody runs", "notify { 'a': message => m::f() }", function("# `rm`\n'File.write'")
catalog "generates", "notify { 'a': message => generate('/bin/echo', 'hello') }"
catalog "changes a setting", "m::f() notice($nope)", function("Puppet[:strict_variables] = false; Puppet[:strict] = :off; nil")

# Logs.
catalog "warnings about code", "@@notify { 'e': } Notify<<| |>>\nnotice('1' + 2)\nnotice($nope)", settings: {strict_variables: false, strict: :warning}
catalog "a warning about a key", "notice({ a => 1, a => 2 })", settings: {strict: :warning}, times: 2
catalog "warnings that are given once, and a failure", "m::f() fail('no')", function("Puppet.warn_once('kind', 'key', 'once'); nil"), times: 2
catalog "messages of a fiber, and a failure", "m::f() fail('no')", function("Fiber.new { Puppet.notice('of a fiber') }.resume; nil")
catalog "messages of a thread, and a failure", "m::f() fail('no')", function("Thread.new { Puppet.notice('of a thread') }.join; nil")
catalog "captured messages", "m::f()", function(<<~RUBY)
  logs = []
  Puppet::Util::Log.with_destination(Puppet::Test::LogCollector.new(logs)) { Puppet.notice("captured") }
  Puppet.notice(logs.size); nil
RUBY
catalog "lookups at level debug", "notice(lookup('nope', { default_value => 1 }))", settings: {log_level: :debug}
catalog "a deprecated function", "notice(hiera('nope', 1))"

# Blocks, and values.
catalog "return in a block", "function g() { m::f() || { return('from the block') } 'after' } notify { g(): }", function("block.call; nil")
catalog "next in a block", "notify { m::f() || { next('from the block') }: }", function("block.call")
catalog "a symbol", "notify { 'a': message => String(m::f()) }", function(":a_symbol")
catalog "a data type in Ruby", "notify { 'a': message => String(M::Pair(3).sum) }",
        {"lib/puppet/datatypes/m/pair.rb" => <<~RUBY}
          Puppet::DataTypes.create_type("M::Pair") do
            interface "attributes => { x => Integer, y => {type => Integer, value => 2} }, functions => { sum => Callable[[], Integer] }"
            implementation { def sum = x + y }
          end
        RUBY
catalog "an error of a timeout", "m::f()", function("raise Timeout::Error, 'too late'")

# Nodes.
manifest = {"manifests/init.pp" => "class m($p = 1) { notify { 'm': message => String($p) } }"}
catalog("classes", "node /^(n)/ { notify { $1: } }", manifest) { |node| node.classes = {"m" => {"p" => [7]}} }
catalog("a symbol for a class", "", manifest) { |node| node.classes = {"m" => {"p" => :undef}} }
catalog("a parameter of another class", "notify { String($a): }") { |node| node.parameters["a"] = Time.at(0).utc }
catalog("a parameter called facts", "notify { 'a': }") { |node| node.parameters["facts"] = "x" }
catalog("a fact of another class", "notify { 'a': }") { |node| node.facts.values["symbol"] = :a }
catalog("trusted data", "notify { 'a': message => String([$trusted, m::f()]) }", function("scope['trusted'].frozen?")) do |node|
  node.trusted_data = {"authenticated" => "remote", "certname" => "n", "extensions" => {"pp_role" => "x"}}
end

def node_of(environment, one)
  facts = Puppet::Node::Facts.new("n.example.com", "osfamily" => "Debian", "os" => {"family" => "Debian"})
  node = Puppet::Node.new("n.example.com", environment: environment, facts: facts)
  node.merge(facts.values)
  one.node&.call(node)
  node
end

def compiled(environment, one)
  data = Puppet.override(current_environment: environment) { Puppet::Parser::Compiler.compile(node_of(environment, one)).to_data_hash }
  data["resources"].map { |resource| JSON.generate(resource.sort.to_h) } << JSON.generate(data.slice("classes", "tags", "edges"))
rescue Puppet::Error => e
  ["#{e.class}: #{e.message}"]
end

DEFAULTS = {strict: :error, strict_variables: true, log_level: :info}.freeze

# Messages are shown with all that is known of them.
def show(one, directory, environment, logs)
  one.files.each do |path, text|
    file = File.join(directory, "m", path)
    FileUtils.mkdir_p(File.dirname(file))
    File.write(file, text)
  end
  DEFAULTS.merge(one.settings).each { |name, value| name == :log_level ? Puppet::Util::Log.level = value : Puppet[name] = value }
  Puppet[:code] = one.code
  $unique_warnings = nil
  lines = Array.new(one.times) { compiled(environment, one) }.flatten
  lines.concat(logs.map { |log| [log.level, log.source, log.message, log.issue_code, log.file, log.line, log.pos].inspect })
  logs.clear
  puts "#{one.name}:", lines.map { |line| "  #{line.gsub(directory, "DIR")}" }
end

Dir.mktmpdir do |top|
  Puppet.initialize_settings(["--vardir", "#{top}/var", "--confdir", "#{top}/conf"])
  Puppet::Util::Log.close_all
  logs = []
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(logs))
  CASES.each_with_index do |one, number|
    directory = File.join(top, number.to_s)
    FileUtils.mkdir_p(directory)
    show(one, directory, Puppet::Node::Environment.create(:production, [directory]), logs)
  end
end
