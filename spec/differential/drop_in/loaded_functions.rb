# frozen_string_literal: true

# Catalogs whose functions in Ruby use what Puppet gives them: its values, scopes, resources, logs and other functions.
# What they saw is printed.
require "fileutils"
require "json"
require "puppet"
require "puppet/test/test_helper"
require "tmpdir"

MODULE = {
  "lib/puppet/functions/m/classes_of.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::classes_of') do
      dispatch(:tell) { param "Any", :value }
      def tell(value)
        case value
        when Hash then value.map { |key, element| [tell(key), tell(element)] }
        when Array then value.map { |element| tell(element) }
        else [value.class.name.to_s.sub(/#<.*/, ""), value.to_s]
        end
      end
    end
  RUBY
  "lib/puppet/functions/m/same.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::same') do
      dispatch(:same) { param "Any", :value }
      def same(value) = value
    end
  RUBY
  "lib/puppet/functions/m/made.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::made') do
      dispatch(:made) { param "String", :kind }
      def made(kind)
        case kind
        when "sensitive" then Puppet::Pops::Types::PSensitiveType::Sensitive.new(["x"])
        when "type" then Puppet::Pops::Types::TypeParser.singleton.parse("Array[Integer[1, 5]]")
        when "timespan" then Puppet::Pops::Time::Timespan.new(5_000_000_000)
        when "version" then SemanticPuppet::Version.parse("1.2.3-rc1")
        when "binary" then Puppet::Pops::Types::PBinaryType::Binary.from_binary_string("abc")
        when "resource" then Puppet::Resource.new("File", "/tmp/x")
        when "symbols" then {"undef" => :undef, "default" => :default}
        end
      end
    end
  RUBY
  "lib/puppet/functions/m/each_twice.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::each_twice') do
      dispatch(:one) { param "Array", :list; block_param "Callable[1, 1]", :block }
      dispatch(:two) { param "Array", :list; block_param "Callable[2, 2]", :block }
      dispatch(:none) { param "Array", :list }
      def one(list, &block) = list.flat_map { |element| [yield(element)] * 2 } + [block.arity, block.parameters.inspect]
      def two(list) = list.each_with_index.map { |element, index| yield(index, element) }
      def none(list) = list
    end
  RUBY
  "lib/puppet/functions/m/scoped.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::scoped', Puppet::Functions::InternalFunction) do
      dispatch(:tell) { scope_param }
      def tell(scope)
        names = %w[top own m::own nope facts osfamily title ::top settings::strict]
        values = names.map { |name| [name, scope.include?(name), scope.exist?(name), scope.include?(name) && scope[name].to_s] }
        resource = scope.resource
        found = scope.findresource("Notify[first]")
        [values, resource.to_s, resource.type, scope.to_s, scope.source.name, scope.source.type.to_s, scope.source.module_name.to_s,
         scope.compiler.node.name, scope.environment.to_s, closure_scope["top"], found && found[:message].to_s, found && found.tags.to_a,
         scope.catalog.resource("Class", "m").to_s, scope.catalog.classes, scope.catalog.resource("Notify", "nope"),
         scope.compiler.catalog.resources.map(&:to_s)].inspect
      end
    end
  RUBY
  "lib/puppet/functions/m/calls.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::calls') do
      dispatch(:calls) { param "String", :text }
      def calls(text)
        mapped = call_function("map", [1, 2]) { |number| number * 3 }
        [call_function("upcase", text), call_function("m::in_puppet", text), call_function("m::same", [text]), mapped,
         call_function("lookup", "nope", {"default_value" => 5}), call_function("old_function", text), call_function("sprintf", "%03d", 7)]
      end
    end
  RUBY
  "lib/puppet/functions/m/declares.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::declares', Puppet::Functions::InternalFunction) do
      dispatch(:declare) { scope_param; param "String", :title }
      def declare(scope, title)
        call_function("create_resources", "notify", {title => {"message" => "by 4.x"}})
        scope.function_create_resources(["notify", {"old \#{title}" => {"message" => "by 3.x"}}])
        call_function("include", "m::other")
        resource = Puppet::Parser::Resource.new("notify", "added \#{title}", scope: scope, source: scope.source)
        resource[:message] = "added"
        scope.compiler.add_resource(scope, resource)
        scope.findresource("Notify[\#{title}]")[:withpath] = true
        nil
      end
    end
  RUBY
  "lib/puppet/functions/m/logs.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::logs') do
      dispatch(:log) { param "String", :text }
      def log(text)
        Puppet.warning("direct: \#{text}")
        call_function("notice", "called: \#{text}")
        Puppet.warn_once("m", "once", "only once")
        Puppet::Pops::PuppetStack.top_of_stack.last
      end
    end
  RUBY
  "lib/puppet/functions/m/changes.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::changes') do
      dispatch(:change) { param "Array", :list }
      def change(list)
        list << "changed"
        list.size
      end
    end
  RUBY
  "lib/puppet/functions/m/rescues.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::rescues') do
      dispatch(:rescues) { block_param }
      def rescues
        yield
      rescue Puppet::Error => e
        "rescued \#{e.message}"
      end
    end
  RUBY
  "hiera.yaml" => <<~YAML,
    version: 5
    hierarchy:
      - name: function
        lookup_key: m::key
        options: {prefix: from data}
      - name: all
        data_hash: m::data
  YAML
  "lib/puppet/functions/m/key.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::key') do
      dispatch(:key) { param "String", :key; param "Hash", :options; param "Puppet::LookupContext", :context }
      def key(key, options, context)
        context.not_found unless key == "m::looked_up"
        context.explain { "never asked for" }
        context.cache("times", (context.cached_value("times") || 0) + 1)
        size = context.cached_file_data(File.join(__dir__, "key.rb")) { |text| text.size }
        [options["prefix"], context.interpolate("%{facts.os.family}"), context.cached_entries.to_a, context.cache_has_key("times"),
         context.environment_name.to_s, context.module_name, size.positive?]
      end
    end
  RUBY
  "lib/puppet/functions/m/data.rb" => <<~RUBY,
    Puppet::Functions.create_function(:'m::data') do
      dispatch(:data) { param "Hash", :options; param "Puppet::LookupContext", :context }
      def data(_, context) = {"m::of_data" => "%{lookup('m::looked_up.0')} and \#{context.module_name}"}
    end
  RUBY
  "lib/puppet/parser/functions/old_function.rb" => <<~RUBY,
    Puppet::Parser::Functions.newfunction(:old_function, type: :rvalue, arity: -2) do |args|
      [args, lookupvar("top"), self["osfamily"], function_sprintf(["%s!", args.first]), args.map { |arg| arg.class.name }]
    end
  RUBY
  "functions/in_puppet.pp" => "function m::in_puppet($text) { \"${text} of ${module_name}\" }",
  "types/port.pp" => "type M::Port = Integer[1, 65535]",
  "templates/t.erb" => "<%= @own %> <%= scope['top'] %> <%= scope.lookupvar('m::own') %> <%= @list << 3 %> <%= scope.function_old_function(['t']).inspect %>" \
                       "<%= scope.to_hash.keys.sort.join(' ') %> <%= has_variable?('own') %> <%= @nope.inspect %> <%= all_tags.size %>",
  "manifests/other.pp" => "class m::other { notify { 'other': } }",
  "manifests/init.pp" => <<~PUPPET
    class m($looked_up, $of_data, $given = 1) {
      notify { 'data': message => "${looked_up} ${of_data}" }
      $own = 'of m'
      $list = [1, 2]
      notify { 'first': message => 'hello', tag => 'tagged' }
      $values = [undef, default, true, 1, 1.5, 'text', /re/, [1, {'a' => 'b'}], Sensitive('s'), Integer[1, 2], M::Port, File['/x'], Class['m'],
                 Timestamp('2020-01-01T00:00:00Z'), Timespan('1-00:00'), SemVer('1.2.3'), SemVerRange('>=1'), Binary('YWJj'), URI('http://a/b'),
                 Deferred('f', [1]), Type[String]]
      $told = $values.map |$value| { m::classes_of($value) }
      notify { 'told': message => String($told) }
      $back = $values.map |$value| { m::same($value) == $value }
      notify { 'back': message => String($back) }
      $made = [sensitive, type, timespan, version, binary, resource, symbols].map |$kind| { $value = m::made($kind) String(type($value, generalized)) }
      notify { 'made': message => String($made) }
      notify { 'secret': message => m::made('sensitive') }
      notify { 'blocks': message => String([m::each_twice([1, 2]) |$x| { $x + 1 }, m::each_twice([3, 4]) |$i, $x| { $i * $x }, m::each_twice([5])]) }
      notify { 'scoped': message => m::scoped() }
      notify { 'calls': message => String(m::calls('abc')) }
      m::declares('declared')
      notify { 'logs': message => String([m::logs('one'), m::logs('two')]) }
      notify { 'size': message => "${m::changes($list)} ${list}" }
      notify { 'old': message => String(old_function('x', undef, [undef], $values[8])) }
      notify { 'memory': message => in_memory('x') }
      notify { 'template': message => template('m/t.erb') }
      notify { 'after template': message => String($list) }
      notify { 'rescued': message => m::rescues() || { m::in_puppet() } }
    }
  PUPPET
}.freeze

Dir.mktmpdir do |dir|
  MODULE.each do |path, text|
    file = File.join(dir, "modules/m", path)
    FileUtils.mkdir_p(File.dirname(file))
    File.write(file, text)
  end
  Puppet.initialize_settings(["--vardir", "#{dir}/var", "--confdir", "#{dir}/conf"])
  Puppet[:strict_variables] = false
  logs = []
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(logs))
  Puppet[:code] = "$top = 'of the top scope'\ninclude m"
  environment = Puppet::Node::Environment.create(:production, [File.join(dir, "modules")])
  # As a program may define one, in no file.
  Puppet::Parser::Functions.newfunction(:in_memory, type: :rvalue, environment: environment) do |args|
    "in memory #{args.first} #{lookupvar("top")}"
  end
  facts = Puppet::Node::Facts.new("node.example.com", "osfamily" => "Debian", "os" => {"family" => "Debian"})
  node = Puppet::Node.new("node.example.com", environment: environment, facts: facts)
  node.merge(facts.values)
  data = begin
    Puppet::Parser::Compiler.compile(node).to_data_hash
  rescue Puppet::Error => e
    {"resources" => [{"error" => e.message}]}
  end
  lines = data["resources"].map { |resource| JSON.generate(resource.sort.to_h) } + logs.map { |log| "#{log.level} #{log.source}: #{log.message}" }
  puts lines.join("\n").gsub(dir, "DIR")
end
