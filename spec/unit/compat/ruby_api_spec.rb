# frozen_string_literal: true

require_relative "../../support/module_tree"

# Puppet 8.11's answers to functions, templates and types in Ruby.
RSpec.describe "The Ruby API of Puppet" do
  include ModuleTree

  files = {
    "m/manifests/init.pp" => "class m($p = 1) { $v = 'own' }\n",
    "m/manifests/d.pp" => "define m::d($q) { }\n",
    "m/lib/puppet/functions/m/ask.rb" => <<~'RUBY'
      Puppet::Functions.create_function(:'m::ask', Puppet::Functions::InternalFunction) do
        dispatch(:ask) do
          scope_param
          param "String", :code
        end

        def ask(scope, code)
          result = eval(code, binding) # rubocop:disable Security/Eval
          result.is_a?(Module) ? result.name : result.inspect
        rescue StandardError => e
          "#{e.class}: #{e.message}"
        end
      end
    RUBY
  }.freeze
  let(:allow) { [] }

  around do |example|
    with_runtime(files, node: "web1", facts: {"kernel" => "Plan9", "os" => {"family" => "Bell"}}, variables: {"role" => "web"},
      allow: allow) do |runtime|
      @runtime = runtime
      example.run
    end
  end
  attr_reader :runtime

  # Results of code in the node's class `asking`.
  def answer(code)
    runtime.compile(<<~PUPPET, "site.pp", classes: ["m"])
      class asking { notify { 'n': message => 'x' } @notify { 'v': } $r = m::ask(@(CODE)) notice($r) }
      #{code}
      | -CODE
      include m, asking
    PUPPET
    runtime.logs.to_a.map(&:last).last
  end

  {
    "scope.compiler.node.name" => '"web1"',
    "scope.compiler.node.classes" => '["m"]',
    "scope.compiler.node.parameters.values_at('kernel', 'role', 'environment')" => '["Plan9", "web", "production"]',
    "scope.compiler.node.facts.values['kernel']" => '"Plan9"',
    "scope.compiler.node.environment.name" => ":production",
    "[scope.is_topscope?, scope.is_classscope?, scope.is_nodescope?]" => "[false, true, false]",
    "scope.class_scope('m').to_s" => '"Scope(Class[M])"',
    "scope.class_scope('m')['v']" => '"own"',
    "scope.class_scope('nope')" => "nil",
    "scope.lookup_qualified_variable('m::p', {})" => "1",
    "scope.with_global_scope { |top| top['role'] }" => '"web"',
    "scope.class" => "Puppet::Parser::Scope",
    "[scope.source.class, scope.source.type, scope.source.name]" => '[Puppet::Resource::Type, :hostclass, "asking"]',
    "[scope.source.file, scope.source.line]" => '["site.pp", 1]',
    "scope.find_hostclass('m').arguments.keys" => '["p"]',
    "scope.find_hostclass('m').module_name" => '"m"',
    "File.basename(scope.find_definition('m::d').file)" => '"d.pp"',
    "scope.environment.known_resource_types.hostclass('nope')" => "nil",
    "Puppet::Parser::Scope.true?('') || Puppet::Parser::Scope.true?(:undef)" => "false",
    "['0x10', '1.5', '010', 'x', 5].map { |value| Puppet::Parser::Scope.number?(value) }" => "[16, 1.5, 8, nil, 5]",
    "[scope.findresource('Notify[n]').virtual, scope.findresource('Notify[v]').virtual]" => "[false, true]",
    "scope.findresource('Notify[n]').keys" => "[:message]",
    "scope.findresource('Notify[n]').valid_parameter?(:nope)" => "false",
    "scope.findresource('Notify[n]').to_data_hash['parameters']" => '{"message"=>"x"}',
    "scope.findresource('Notify[n]').exported" => "false",
    "Puppet.override(one: 1) { Puppet.lookup(:one) }" => "1",
    "Puppet.lookup(:one)" => "Puppet::Context::UndefinedBindingError: Unable to lookup 'one'",
    "Puppet.push_context({two: 2}); [Puppet.lookup(:two), Puppet.pop_context]" => "[2, nil]",
    "Facter.value('os.family')" => '"Bell"',
    "Facter.add(:added) { setcode { 'v' } }; Facter.value(:added)" => '"v"',
    "Facter.add(:confined) { confine kernel: 'Linux'; setcode { 1 } }; Facter.value(:confined)" => "nil",
    "Facter.add(:w) { has_weight 9; setcode { 9 } }; Facter.add(:w) { setcode { 1 } }; Facter.fact(:w).value" => "9",
    'Puppet::Util::Yaml.safe_load("a: 1")' => '{"a"=>1}',
    'Puppet::Util::Yaml.safe_load("a: :b")' =>
      "Puppet::Util::Yaml::YamlLoadError: (<unknown>): Tried to load unspecified class: Symbol",
    "Puppet::Util::Profiler.profile('x', [:a]) { 4 }" => "4",
    "Puppet::Util.benchmark(:debug, 'x') { 1 }" => "1",
    "Puppet::Util::TagSet.new(%w[a b]).join(',')" => '"a,b"',
    "Puppet::Util::ConstantInflector.file2constant('foo_bar/baz')" => '"FooBar::Baz"',
    "Puppet::Pops::Types::TypeFactory.resource('file', '/x').to_s" => "\"File['/x']\"",
    "Puppet::Pops::Types::TypeFactory.host_class('a').to_s" => '"Class[a]"',
    %q(Puppet::Pops::Types::TypeFormatter.string({"a" => [1, "b", nil, /x/, :default]})) =>
      %q("{'a' => [1, 'b', undef, /x/, default]}"),
    "Puppet::Pops::Types::TypeFormatter.string([/x/i, %r{a/b}])" => '"[/(?i-mx:x)/, /a\\\\/b/]"',
    "Puppet::Pops::Types::StringConverter.convert([1, 'a'], '%p')" => %q("[1, 'a']"),
    "Puppet::Pops::Parser::EvaluatingParser.new.evaluate_string(scope, 'upcase(\"q\")')" => '"Q"',
    "Puppet::Pops::Parser::EvaluatingParser.singleton.evaluate_string(scope, '1 +')" =>
      "Puppet::ParseErrorWithIssue: Syntax error at end of input",
    "Puppet::Pops::Evaluator::EppEvaluator.inline_epp(scope, '<%- |$z| -%><%= $z %>', {'z' => 1})" => '"1"',
    "Puppet::Pops::Loaders.find_loader('m').load(:function, 'm::ask').class.name.class" => "String",
    "Puppet::Pops::Loaders.find_loader('nope')" =>
      "Puppet::ParseError: Internal Error: did not find public loader for module: 'nope'",
    "Puppet::Pops::Loaders.find_loader(nil).load(:function, 'upcase').call(scope, 'a')" => '"A"',
    "Puppet::Pops::Serialization::FromDataConverter.convert({'__ptype' => 'Sensitive', '__pvalue' => 1}).unwrap" => "1",
    "Puppet::Pops::Serialization::FromDataConverter.convert({'a' => [{'__ptype' => 'SemVer', '__pvalue' => '1.2.3'}]})['a'][0].to_s" =>
      '"1.2.3"',
    "Puppet::Pops::Serialization::FromDataConverter.convert({'__ptype' => 'Nope'})" =>
      "Puppet::Pops::Serialization::SerializationError: No implementation mapping found for Puppet Type Nope",
    "Puppet::Pops::Lookup.lookup('k', nil, 'd', true, nil, Puppet::Pops::Lookup::Invocation.new(scope))" => '"d"',
    "Puppet::Pops::Lookup::HieraConfig.symkeys_to_string({a: [{b: 1}]})" => '{"a"=>[{"b"=>1}]}',
    "Puppet::Pops::Utils.to_n('0x10')" => "16"
  }.each do |code, expected|
    it "answers #{expected} to #{code}" do
      expect(answer(code)).to eq(expected)
    end
  end

  it "logs what Puppet::Util::Log.create is given" do
    answer("Puppet::Util::Log.create(level: :warning, message: 'made', source: 'src')")
    expect(runtime.logs.to_a).to include([:warning, "made"])
  end

  it "evaluates no code in a class that would declare or log something there" do
    expect(answer("Puppet::Pops::Parser::EvaluatingParser.new.evaluate_string(scope, 'include m')"))
      .to start_with("Puppetfn::UnavailableError: Evaluating code in a class or defined type")
  end

  describe "programs" do
    let(:code) { "Puppet::Util::Execution.execute(['/bin/echo', 'x'])" }

    it "are not run by default" do
      expect(answer(code)).to include("Puppetfn::UnavailableError", "allow `exec`")
    end

    context "with the permission :exec" do
      let(:allow) { [:exec] }

      it "are run" do
        expect(answer(code)).to eq('"x\n"')
      end

      it "fail as in Puppet" do
        expect(answer("Puppet::Util::Execution.execute('exit 3', failonfail: true)"))
          .to eq("Puppet::ExecutionFailure: Execution of 'exit 3' returned 3: ")
      end

      it "tell their exit codes" do
        expect(answer("Puppet::Util::Execution.execute('exit 3', failonfail: false).exitstatus")).to eq("3")
      end
    end
  end
end
