# frozen_string_literal: true

require_relative "../support/module_tree"

# The expected answers are Puppet 8.11's.
RSpec.describe "Match variables in Ruby" do
  include ModuleTree

  modules = {
    "m/lib/puppet/parser/functions/seen.rb" => <<~'RUBY',
      Puppet::Parser::Functions.newfunction(:seen, type: :rvalue) do |_|
        [self["1"], lookupvar("0"), lookupvar("9").inspect, include?("1"), exist?("1"), exist?("9"), bound?("1")].join(" ")
      end
    RUBY
    "m/lib/puppet/functions/called.rb" => <<~'RUBY',
      Puppet::Functions.create_function(:called, Puppet::Functions::InternalFunction) do
        dispatch(:run) { scope_param; optional_block_param }
        def run(scope) = block_given? ? "#{scope["1"]} #{yield}" : scope["1"].inspect
      end
    RUBY
    "m/templates/t.erb" => "<%= scope['1'].inspect %> <%= scope.lookupvar('0').inspect %>",
    "m/hiera.yaml" => "version: 5\nhierarchy: [{name: a, path: a.yaml}]",
    "m/data/a.yaml" => "m::key: 'one %{1} zero %{0}'",
  }
  none, b = "  nil false false false false", "b abc nil true true true false"

  {
    "nothing where nothing has matched" => ["notice(seen(), template('m/t.erb'))", ["#{none} nil nil"]],
    "the last match" => ["if 'abc' =~ /a(b)c/ { notice(seen(), called()) }", ["#{b} \"b\""]],
    "the match in templates" => ["if 'abc' =~ /a(b)c/ { notice(template('m/t.erb')) }", ['"b" "abc"']],
    "the match in lambdas" => ["if 'abc' =~ /a(b)c/ { [1].each |$x| { notice(seen()) } }", [b]],
    "another match in a block" => ["if 'abc' =~ /a(b)c/ { notice(called() || { if 'q' =~ /(q)/ { \"${1} ${called()}\" } }) }", ['b q "q"']],
    "the match of the option of a case" => ["case 'foo12' { /(\\d+)/: { notice(seen()) } }", ["12 12 nil true true true false"]],
    "no match after the block" => ["if 'abc' =~ /a(b)c/ { } notice(seen())", [none]],
    "no match of the caller in functions" => ["function f() { seen() } if 'abc' =~ /a(b)c/ { notice(f()) }", [none]],
    "the match in classes" => ["class c { notice(seen()) if 'cc' =~ /(c)/ { notice(seen()) } } if 'abc' =~ /a(b)c/ { include c }",
                               [b, "c c nil true true true false"]],
    "the match of a node" => ["node /^(w)e/ { notice(seen()) }", ["w we nil true true true false"]],
    "the match for data" => ["if 'abc' =~ /a(b)c/ { notice(lookup('m::key')) }", ["one b zero abc"]],
    "the match for defined" => ["notice(defined('$1')) if 'abc' =~ /a(b)c/ { notice(defined('$1'), defined('$9')) }", ["false", "true true"]],
  }.each do |what, (code, expected)|
    it "are #{what}" do
      with_runtime(modules, node: "web.example.com") do |runtime|
        runtime.compile(code)
        expect(runtime.logs.to_a.map(&:last)).to eq(expected)
      end
    end
  end
end
