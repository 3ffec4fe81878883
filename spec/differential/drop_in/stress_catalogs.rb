# frozen_string_literal: true

# Compiles a catalog while the garbage collector runs at each allocation, and after it has moved all objects, and by several
# threads at once, and prints what differs from the one that is compiled in peace.
require "fileutils"
require "puppet"
require "tmpdir"

CODE = <<~PUPPET
  class m($given = ['a', {'b' => 1}]) {
    $own = m::same($given)
    notify { 'own': message => $own, require => Notify['blocks'], tag => 'tagged' }
    $doubled = m::doubled([1, 2]) |$x| { $x * 2 }
    notify { 'blocks': message => "${doubled} ${facts['os']}" }
    @@notify { 'exported': message => m::same(Sensitive('x')) }
    m::declare('declared')
    $type = m::same(Array[Integer])
    notify { 'template': message => inline_template('<%= @own.inspect %> <%= scope["facts"] %>') }
    if [1] =~ $type { notify { 'type': message => String($type) } }
  }
PUPPET

FUNCTIONS = {
  "same" => "dispatch(:call_it) { param 'Any', :value }; def call_it(value) = value",
  "doubled" => "dispatch(:call_it) { param 'Array', :list; block_param }; def call_it(list) = list.map { |x| yield(x) }",
  "declare" => <<~RUBY
    dispatch(:call_it) { param "String", :title }
    def call_it(title)
      call_function("create_resources", "notify", {title => {"message" => closure_scope["facts"]}})
      closure_scope.catalog.resource("Notify", title)[:withpath] = true
      nil
    end
  RUBY
}.freeze

def write(directory)
  FileUtils.mkdir_p([File.join(directory, "m/manifests"), File.join(directory, "m/lib/puppet/functions/m")])
  File.write(File.join(directory, "m/manifests/init.pp"), CODE)
  FUNCTIONS.each do |name, body|
    File.write(File.join(directory, "m/lib/puppet/functions/m/#{name}.rb"), "Puppet::Functions.create_function(:'m::#{name}') do\n#{body}\nend\n")
  end
end

def compile(environment)
  facts = {"os" => {"family" => "Debian"}}
  node = Puppet::Node.new("node.example.com", environment: environment, facts: Puppet::Node::Facts.new("node.example.com", facts))
  node.merge(facts)
  Puppet::Parser::Compiler.compile(node).to_data_hash.except("version", "catalog_uuid")
end

Dir.mktmpdir do |dir|
  write(dir)
  Puppet.initialize_settings(["--vardir", "#{dir}/var", "--confdir", "#{dir}/conf"])
  Puppet::Util::Log.close_all
  Puppet[:code] = "include m"
  environment = Puppet::Node::Environment.create(:production, [dir])
  peaceful = compile(environment)
  puts "#{peaceful["resources"].size} resources"

  # Without those of the whole heap, which take minutes.
  GC.stress = 1
  stressed = compile(environment)
  GC.stress = false
  puts "under stress: #{stressed}" unless stressed == peaceful

  GC.compact
  puts "after objects were moved: #{compile(environment)}" unless compile(environment) == peaceful
  GC.auto_compact = true
  GC.start
  puts "while objects move: #{compile(environment)}" unless compile(environment) == peaceful
  GC.auto_compact = false

  threads = Array.new(4) { Thread.new { Array.new(10) { compile(environment) == peaceful } } }
  puts "by threads: #{threads.flat_map(&:value).tally}"
end
