# frozen_string_literal: true

# Variables in the types of parameters. All answers are Puppet 8.11's.
RSpec.describe "Variables in types of parameters" do
  define_method(:outcome) do |code, **options|
    runtime = Puppetfn::Runtime.new(facts: {"a" => "aa"}, **options)
    runtime.compile(code, "site.pp")
    runtime.logs.select { |level, _| level == :notice }.map(&:last)
  rescue Puppet::ParseError => e
    e.message
  end

  {
    "define d(Enum[$facts['a']] $x) { } d { 'x': x => 'aa' }" => ["facts", 15],
    "define d(Enum[$::a] $x) { } d { 'x': x => 'aa' }" => ["::a", 15],
    "$t = 'aa' class c(Enum[$t] $x = 'aa') { } include c" => ["t", 24],
    "$t = 'aa' class c(Optional[Enum[\"${t}\"]] $x = 'aa') { } include c" => ["t", 36],
    "class c($p = 'aa', Enum[$p] $x = 'aa') { } include c" => ["p", 25],
    "class unused(Enum[$nope] $x) { } notice(1)" => ["nope", 19]
  }.each do |code, (name, column)|
    it "have no value when a definition is read: #{code}" do
      expect(outcome(code)).to eq("Evaluation Error: Unknown variable: '#{name}'. (file: site.pp, line: 1, column: #{column}) on node #{Puppetfn::Runtime.new.node}")
    end
  end

  it "are undef where they may be unknown" do
    expect(outcome("class c(Enum[$nope] $x) { } class { 'c': x => 'a' }", strict: :off, strict_variables: false))
      .to include("Error creating type specialization of an Enum-Type, Cannot use Undef where String is expected")
  end

  it "have values in functions and lambdas, and in lambdas within the types of definitions" do
    expect(outcome("$t = 'aa' function f(Enum[$t] $x) { notice($x) } f('aa')")).to eq(["aa"])
    expect(outcome("$t = 'aa' [['aa']].each |Array[Enum[$t]] $x| { notice($x) }")).to eq([["aa"].to_s.delete('"')])
    expect(outcome("class c(Enum[*['a', 'b'].map |$v| { $v }] $x = 'b') { notice($x) } include c")).to eq(["b"])
  end
end
