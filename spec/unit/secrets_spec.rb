# frozen_string_literal: true

require "json"
require "open3"
require "pp"
require "rbconfig"
require "yaml"
require_relative "../support/module_tree"

# A Sensitive value is found in nothing that is printed, logged or raised, whatever is done with it. Each example has a control:
# the same looks do find what is not Sensitive.
RSpec.describe Puppetfn, "and Sensitive values" do
  include ModuleTree

  mark = "Mark3rQ"

  files = {
    "m/functions/typed.pp" => "function m::typed(Sensitive[Integer] $x, Integer $n = 1) { $x }",
    "m/functions/text.pp" => "function m::text(String $x) >> String { $x }",
    "m/functions/wrong.pp" => "function m::wrong($x) >> Integer { $x }",
    "m/types/t.pp" => "type M::T = Struct[{a => Sensitive[Integer], b => Enum['x']}]",
    "m/manifests/init.pp" => "class m($p = 1, Sensitive[String] $q = Sensitive('x')) { notice($q) notify { 'n': message => $q } }",
    "m/manifests/d.pp" => "define m::d(Integer $p = 1, $q = 2) { notify { \"x${title}\": message => $q } }",
    "m/templates/any.epp" => "<%- | $x | -%>\n<%= $x %>",
    "m/templates/integer.epp" => "<%- | Integer $x | -%>\n<%= $x %>",
    "m/templates/shown.erb" => "<%= @s %> <%= @s.inspect %> <%= @h %> <%= scope['s'] %> <%= scope.to_hash %>",
    "m/templates/failing.erb" => "<%= @s.nothing %>",
    "m/templates/raising.erb" => "<%= raise \"\#{@s} \#{@s.inspect} \#{[@s]} \#{scope.to_hash}\" %>",
    "m/lib/puppet/functions/m/ruby.rb" => <<~'RUBY',
      Puppet::Functions.create_function(:'m::ruby') do
        dispatch(:raising) { param 'Sensitive', :x }
        dispatch(:failing) { param 'Integer', :x; param 'Any', :y }
        def raising(x) = raise("#{x} #{x.inspect}")
        def failing(_x, y) = y.nothing
      end
    RUBY
    "m/lib/puppet/functions/m/block.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'m::block') do
        dispatch(:call) { param 'Any', :x; optional_block_param; return_type 'Integer' }
        def call(x) = block_given? ? yield(x) : x
      end
    RUBY
    "m/lib/puppet/parser/functions/old.rb" =>
      "Puppet::Parser::Functions.newfunction(:old, type: :rvalue, arity: 1) { |args| args.first.nothing }",
    "m/lib/puppet/type/secretive.rb" => <<~'RUBY',
      Puppet::Type.newtype(:secretive) do
        newparam(:name)
        newparam(:strange) { validate { |value| value.nothing } }
        newparam(:word) { validate { |value| raise ArgumentError, "bad #{value.inspect}" } }
        newproperty(:choice) { newvalues(:a, :b) }
        newproperty(:free)
        validate { raise Puppet::Error, "not #{self[:free]}" if self[:free] }
      end
    RUBY
    "environments/production/hiera.yaml" => "version: 5\nhierarchy: [{name: x, path: c.yaml}]\n",
    "environments/production/data/c.yaml" => <<~YAML,
      lookup_options:
        secret: {convert_to: Sensitive}
        'm::q': {convert_to: "Sensitive[String]"}
        deep: {convert_to: [Sensitive]}
        wrong: {convert_to: [Sensitive, Integer]}
        list: {convert_to: Sensitive, merge: unique}
      secret: #{mark}
      m::q: #{mark}
      deep: {a: {b: #{mark}}}
      wrong: #{mark}
      list: [#{mark}]
      text: "x %{lookup('secret')}"
      other: "%{alias('secret')}"
    YAML
    "environments/production/manifests/site.pp" => <<~PUPPET
      $s = lookup('secret')
      notice("$s", $s)
      warning([$s], {a => $s})
      class { 'm': p => $s }
      m::d { 'a': q => $s }
      file { '/a': content => $s, mode => '0600' }
      file { '/b': content => Deferred('unwrap', [$s]) }
      notify { 'array': message => [$s] }
      notify { 'hash': message => {a => $s} }
      notify { 'part': message => Sensitive("a ${s.unwrap} b") }
      exec { '/bin/x': command => $s, environment => [$s] }
      @@notify { 'exported': message => $s }
      File <| title == '/a' |> { owner => $s }
    PUPPET
  }

  around { |example| with_modules(files) { |root| (@root = root) && example.run } }

  # All that can be seen of an error.
  def seen_of(error)
    seen = []
    while error
      seen.push(error.message, error.inspect, error.full_message(highlight: false), error.backtrace.to_a.join("\n"))
      seen << error.detailed_message if error.respond_to?(:detailed_message)
      seen.concat(error.instance_variables.map { |name| error.instance_variable_get(name).inspect })
      error = error.cause
    end
    seen
  end

  # All that can be seen of what a block does with a runtime.
  def seen(**options)
    runtime = Puppetfn::Runtime.new(modulepath: [@root], strict: :off, **options)
    result = begin
      found = yield(runtime)
      [found.to_s, found.inspect, PP.pp(found, +"")]
    rescue StandardError => e
      seen_of(e)
    end
    [*result, runtime.logs.inspect, runtime.logs.to_a.inspect, runtime.inspect, runtime.scope.inspect].join("\n")
  end

  def leaks(codes, &block)
    block ||= ->(runtime, code) { runtime.evaluate_string(code) }
    code = "$s = Sensitive('Mark3rQ') $h = {a => $s} "
    codes.select { |tried| seen { |runtime| block.call(runtime, code + tried) }.include?("Mark3rQ") }
  end

  it "finds what is not Sensitive" do
    codes = ["unwrap($s)", "notice(unwrap($s))", "fail(unwrap($s))", "m::text(1 + unwrap($s))", "inline_template('<%= @s.unwrap %>')"]
    expect(leaks(codes)).to eq(codes)
  end

  it "shows them in nothing that built-in functions do" do
    values = ["$s", "[$s]", "$h", "{$s => 1}", "Sensitive({'k' => $s})"]
    calls = ->(name, value) do
      arguments = ["", ", 1", ", #{value}", ", 'a', 'b'"].map { |more| "#{value}#{more}" } +
        ["1, #{value}", "'a', #{value}", "[1], #{value}", "{a => 1}, #{value}", "'%d', #{value}", "'a', #{value}, 'b'"]
      blocks = ["{ $x + 1 }", "{ fail($x) }", "{ \"${x}\" }"].map { |body| "#{name}(#{value}) |$x| #{body}" }
      arguments.map { |given| "#{name}(#{given})" } + blocks + ["#{name}([#{value}]) |Integer $x| { 1 }"]
    end
    names = Puppetfn::Runtime.new.list_functions - %w[unwrap]
    expect(leaks(names.product(values).flat_map { |name, value| calls[name, value] })).to eq([])
  end

  it "shows them in nothing that operators and conversions do" do
    operators = %w[+ - * / % << >> == != < > <= >= =~ !~ and or in]
    types = %w[String Integer Float Numeric Boolean Array Hash Tuple Enum Pattern Regexp Struct Timestamp Timespan SemVer Binary URI
               Sensitive M::T Class File Resource Init Object]
    codes = %w[$s [$s] $h].flat_map do |value|
      operators.product(["1", "'a'", "[1]", "{a => 1}", "Integer", "/x/", "$s"]).flat_map { |sign, other| ["#{value} #{sign} #{other}", "#{other} #{sign} #{value}"] } +
        types.flat_map { |type| ["#{type}(#{value})", "#{type}[#{value}]", "assert_type(#{type}, #{value})", "#{type}({a => #{value}})"] } +
        ["-#{value}", "\"${#{value}}\"", "[1][#{value}]", "case #{value} { 1: { 2 } }", "#{value} ? { 1 => 2 }", "#{value}.nothing",
         "String(#{value}, '%p')", "String([#{value}], '%#p')", "sprintf('%p %s', #{value}, #{value})", "type(#{value}, 'detailed')",
         "notice(Deferred('f', [#{value}]))", "fail(Deferred('f', [#{value}]))", "assert_type(Sensitive[Enum[x, y]], #{value})",
         "assert_type(Sensitive[Hash[Integer, Integer]], Sensitive({'#{mark}' => '#{mark}'}))", "assert_type(Integer, #{value}) |$a, $b| { fail($b) }"]
    end
    expect(leaks(codes)).to eq([])
  end

  it "shows them in nothing that functions of modules and templates do" do
    codes = %w[$s [$s] $h].flat_map do |value|
      ["m::typed(#{value})", "m::typed(Sensitive(1), #{value})", "m::text(#{value})", "m::wrong(#{value})", "m::ruby(#{value})", "m::ruby(1, #{value})",
       "m::block(#{value})", "m::block(#{value}) |Integer $x| { 1 }", "m::block(#{value}) |$x| { $x + 1 }", "old(#{value})",
       "epp('m/any.epp', {x => #{value}})", "epp('m/integer.epp', {x => #{value}})", "epp('m/any.epp', {y => #{value}})",
       "inline_epp('<%= $x + 1 %>', {x => #{value}})", "inline_epp('<%= $s %><%= $h %>')", "template('m/shown.erb')", "template('m/failing.erb')",
       "template('m/raising.erb')", "generate('/bin/false', #{value})", "function f(Integer $x = #{value}) { $x } f()"]
    end
    expect(leaks(codes)).to eq([])
  end

  resources = ["notify { $s: }", "notify { a: message => $s }", "notify { a: nothing => $s }", "notify { a: * => $s }", "notify { a: * => $h }",
               "notify { a: require => $s }", "notify { a: before => [$s] }", "notify { a: tag => $s }", "notify { a: noop => $s }",
               "notify { a: alias => $s }", "notify { a: audit => $s }", "notify { a: loglevel => $s }", "notify { a: } -> $s",
               "file { '/a': mode => $s }", "file { '/a': ensure => $s }", "file { '/a': content => $s, source => '/b' }", "file { a: path => $s }",
               "exec { a: command => $s }", "exec { '/a': timeout => $s }", "exec { '/a': provider => $s }", "exec { '/a': environment => [$s] }",
               "user { a: uid => $s, password => $s, groups => $s }", "package { a: ensure => $s }", "service { a: ensure => $s }",
               "secretive { a: strange => $s }", "secretive { a: word => $s }", "secretive { a: choice => $s }", "secretive { a: free => $s }",
               "secretive { a: free => [$s] }", "m::d { a: p => $s }", "m::d { a: q => $s }", "class { 'm': p => $s }", "class { 'm': q => [$s] }",
               "class { 'm': z => $s }", "create_resources('notify', {a => {message => $s}})", "create_resources('notify', {a => $s})",
               "notify { a: } Notify[a] { message => $s }", "Notify <| message == $s |>", "notify { a: } Notify <| |> { message => $s }"]

  it "shows them in no catalog, nor in what is said of it" do
    found = leaks(resources) do |runtime, code|
      catalog = runtime.compile(code)
      [catalog, catalog.resources, catalog.resources.map(&:to_s)]
    end
    expect(found).to eq([])
  end

  it "shows them in no instance of a resource type, nor in its errors" do
    found = leaks(resources) do |runtime, code|
      ral = runtime.compile(code).to_ral
      [ral, ral.resources, ral.resources.map(&:parameters), ral.resources.map(&:to_resource), ral.relationship_graph]
    end
    expect(found).to eq([])
    error = seen { |runtime| runtime.compile("secretive { a: choice => Sensitive('x') }").to_ral }
    expect(error).to include("Parameter choice failed on Secretive[a]: Invalid value [value redacted]. Valid values are a, b.")
    # What is not quoted could be any word of the message.
    {"free => Sensitive('x')" => "Validation of Secretive[a] failed", "choice => Sensitive('valid')" => "Parameter choice failed on Secretive[a]"}
      .each do |given, failure|
        error = seen { |runtime| runtime.compile("secretive { a: #{given} }").to_ral }
        expect(error).to include("#{failure}: a value is Sensitive, so that what is wrong with it is not shown")
      end
    error = seen { |runtime| runtime.compile("secretive { a: choice => 'x' }").to_ral }
    expect(error).to include('Parameter choice failed on Secretive[a]: Invalid value "x". Valid values are a, b.')
  end

  it "shows them in no object of Ruby's API" do
    secret = Puppet::Pops::Types::PSensitiveType::Sensitive.new(mark)
    given = {"a" => secret, "b" => [secret], "c" => {"d" => secret}}
    actions = {
      itself: ->(_) { [secret, {secret => secret}, "#{secret}", secret.hash, secret.dup, secret.clone, format("%s %p", secret, secret)] },
      json: ->(_) { [secret.to_json, [secret].to_json, secret.to_yaml, given.to_yaml] },
      no_method: ->(_) { secret.nothing },
      coerced: ->(_) { 1 + secret },
      integer: ->(_) { Integer(secret) },
      facts: ->(_) { Puppetfn::Runtime.new(facts: given).then { |other| [other, other.scope, other.scope.to_hash, other.environment, other.loader, other.compiler] } },
      facts_in_code: ->(_) { Puppetfn::Runtime.new(facts: given).evaluate_string("fail(\"$a $b $c $facts\")") },
      variables: ->(_) { Puppetfn::Runtime.new(variables: given, trusted: given, server_facts: given).evaluate_string("fail(\"$a $trusted $server_facts\")") },
      settings: ->(_) { Puppetfn::Runtime.new(settings: {secret: secret}).then { |other| [other.settings, other.evaluate_string("fail($settings::secret)")] } },
      call: ->(runtime) { runtime.call_function("m::typed", secret) },
      call_ruby: ->(runtime) { runtime.call_function("m::ruby", 1, secret) },
      block: ->(runtime) { runtime.call_function("map", [secret]) { |value| value.nothing } },
      classes: ->(runtime) { runtime.compile("", classes: {"m" => {"q" => secret, "z" => secret}}) },
      assert: ->(runtime) { runtime.type("Integer").assert(secret) },
      create: ->(runtime) { runtime.type("Integer").new(secret) },
      describe: ->(runtime) { runtime.type("M::T").describe_mismatch("it", {"a" => secret, "b" => secret}) },
      cty: ->(_) { Puppetfn::Cty.call("upper", secret) },
      cty_failing: ->(_) { Puppetfn::Cty.call("element", [secret], secret) }
    }
    expect(actions.select { |_, action| seen(&action).include?(mark) }.keys).to eq([])
  end

  def puppetfn(*arguments)
    command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__)]
    Open3.capture3(*command, *arguments, "--environment", "#{@root}/environments/production", "--modulepath", @root).first(2)
  end

  it "shows them in no failure of `puppetfn test` but that of an expectation, as rspec-puppet does" do
    with_modules("m/metadata.json" => ModuleTree.metadata("a-m"), "m/manifests/init.pp" => <<~PUPPET, "m/spec/classes/m_spec.rb" => <<~RUBY) do |root|
      class m { $s = Sensitive('#{mark}') notify { 'a': message => $s } if $facts['fails'] { file { '/b': mode => 1 + $s } fail($s) } }
    PUPPET
      describe "m" do
        it { expect(catalogue).to be_nil }
        it { is_expected.to contain_notify("b") }
        it { expect(catalogue.resource("Notify[a]")).to be_nil }
        context("failing") { let(:facts) { {"fails" => true} } and it { is_expected.to compile } }
        context("expecting") { it { is_expected.to contain_notify("a").with_message("b") } }
      end
    RUBY
      command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "test"]
      said, = Open3.capture2e(*command, chdir: "#{root}/m")
      expect(said).to include("5 examples, 5 failures")
      expect(said.scan(/.*#{mark}.*/).map(&:strip)).to eq(
        [%(expected that the catalogue would contain Notify[a] with message set to "b" but it is set to Sensitive("#{mark}"))]
      )
    end
  end

  it "shows them in no output of a command, but in catalogs for agents" do
    secret = "lookup('secret')"
    commands = [
      *%w[text dot summary].map { |format| ["compile", "web", "--format", format] },
      *%w[secret m::q deep deep.a.b deep.a.x wrong list text other nothing].product([[], %w[--json], %w[--explain], %w[--explain --json]])
        .map { |key, options| ["lookup", key, *options] },
      *%w[dot mermaid svg html].map { |format| ["graph", "web", "--format", format] },
      *%w[File[/a] Class[m]].product(%w[human json]).map { |resource, format| ["why", "web", resource, "--format", format] },
      ["lookup", "secret", "--type", "Integer"], ["check", "#{@root}/environments/production", "#{@root}/m"], %w[list], ["doc", "m::typed"],
      *[secret, "[#{secret}]", "{#{secret} => #{secret}}", "notice(#{secret})", "fail(#{secret})", "Deferred('x', [#{secret}])", "#{secret} + 1",
        "epp('m/integer.epp', {x => #{secret}})", "m::typed(#{secret})", "m::ruby(1, #{secret})", "lookup('secret', Integer)"]
        .flat_map { |code| [["eval", code], ["eval", code, "--json"]] },
      ["call", "lookup", '"secret"'], ["call", "lookup", '"secret"', "--json"], ["call", "lookup", '"secret"', '"Integer"']
    ]
    expect(commands.select { |command| puppetfn(*command).join.include?(mark) }).to eq([])
    expect(puppetfn("lookup", "secret", "--explain").first).to include('Found key: "secret" value: #<Sensitive [value redacted]>')
    catalog = JSON.parse(puppetfn("compile", "web", "--format", "json").first)
    file = catalog["resources"].find { |resource| resource["title"] == "/a" }
    expect(file).to include("parameters" => include("content" => mark), "sensitive_parameters" => contain_exactly("content", "owner"))
    expect(puppetfn("compile", "web", "--format", "yaml").first).to include(mark)
  end
end
