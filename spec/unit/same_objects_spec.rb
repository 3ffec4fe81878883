# frozen_string_literal: true

require "yaml"
require_relative "../support/module_tree"

# Which arrays and hashes of code are the same objects in Ruby, as YAML shows it. All answers are Puppet 8.11's.
RSpec.describe "Arrays and hashes in Ruby" do
  include ModuleTree

  define_method(:yaml_of) do |code|
    runtime = Puppetfn::Runtime.new
    seen = nil
    runtime.define_function(:yaml) { define_method(:yaml) { |*values| seen = (values.size == 1 ? values[0] : values).to_yaml } }
    runtime.compile(code, "site.pp")
    seen.delete_prefix("---").strip.gsub(/\s+/, " ")
  end

  {
    "a variable used twice" => {"$x = ['a'] yaml({ 'p' => $x, 'q' => $x })" => "p: &1 - a q: *1",
                                 "$x = ['a'] yaml($x, [$x])" => "- &1 - a - - *1",
                                 "$x = [] yaml([$x, $x])" => "- &1 [] - *1",
                                 "$x = ['a'] $y = $x yaml([$x, $y])" => "- &1 - a - *1",
                                 "$x = ['a'] yaml([Sensitive($x).unwrap, $x])" => "- &1 - a - *1",
                                 "$x = 'abc' yaml([$x, $x])" => "- abc - abc"},
    "parts of it" => {"$x = {'a' => {'b' => 1}} yaml($x + {'c' => $x['a']})" => "a: &1 b: 1 c: *1",
                       "$x = [['a']] yaml([$x, $x.map |$v| { $v }])" => "- - &1 - a - - *1",
                       "$x = [['a']] yaml([$x, unique($x)])" => "- - &1 - a - - *1",
                       "$x = [['a']] yaml([$x, flatten($x)])" => "- - - a - - a",
                       "$x = {'k' => ['a']} yaml([values($x), $x])" => "- - &1 - a - k: *1"},
    "a literal that is evaluated again" => {"yaml([1, 2].map |$i| { { 'o' => ['x'] } })" => "- o: - x - o: - x",
                                             "yaml([{}, {}, [], []])" => "- {} - {} - [] - []",
                                             "function f() { ['a', ['b']] } yaml([f(), f()])" => "- - a - - b - - a - - b",
                                             "function f($a = ['q']) { $a } yaml([f(), f()])" => "- - q - - q"},
    "parameters" => {"define d($p, $q) { yaml([$p, $q]) } $v = ['a'] d { 'x': p => $v, q => $v }" => "- - a - - a",
                      "define d($p) { yaml([$p, $p]) } $v = ['a'] d { 'x': p => [$v, $v] }" => "- &1 - - a - - a - *1",
                      "class c($p = ['x'], $q = $p) { yaml([$p, $q]) } include c" => "- - x - - x",
                      "class c($p = ['x']) { yaml([$c::p, $p]) } include c" => "- &1 - x - *1",
                      "function f($a) { [$a, $a] } yaml(f(['z']))" => "- &1 - z - *1"},
    "in templates" => {"$x = ['a'] $y = [$x, $x] yaml(inline_template('<%= @y.to_yaml %>'))" => "| --- - &1 - a - *1"}
  }.each do |subject, cases|
    describe subject do
      cases.each do |code, expected|
        it("are the same objects as in Puppet: #{code}") { expect(yaml_of(code)).to eq(expected) }
      end
    end
  end

  it "are not the same in data where YAML says so: each lookup makes them anew" do
    files = {"hiera.yaml" => "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n", "data/a.yaml" => "base: &b [1]\nboth: {x: *b, y: *b}\n"}
    with_modules(files) do |dir|
      runtime = Puppetfn::Runtime.new(environment: dir)
      both = runtime.evaluate_string("$both = lookup('both') [$both, lookup('base'), lookup('base')]")
      expect(both.to_yaml).to eq([{"x" => [1], "y" => [1]}, [1], [1]].to_yaml)
    end
  end
end
