# frozen_string_literal: true

require_relative "../support/module_tree"

# Which values Ruby code may change in place. All answers are Puppet 8.11's.
RSpec.describe "Values that Ruby code changes" do
  include ModuleTree

  files = {
    "own/lib/puppet/functions/own/frozen.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::frozen') do
        def frozen(value)
          parts = case value
                  when Hash then "{" + value.map { |key, element| frozen(key) + frozen(element) }.join + "}"
                  when Array then "[" + value.map { |element| frozen(element) }.join + "]"
                  else ""
                  end
          (value.frozen? ? "F" : "-") + parts
        end
      end
    RUBY
    "own/lib/puppet/functions/own/append.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'own::append') { def append(text) = text << '!' }
    RUBY
    "own/lib/puppet/functions/own/put.rb" => <<~RUBY
      Puppet::Functions.create_function(:'own::put') { def put(hash) = hash['new'] = 1 }
    RUBY
  }.freeze
  facts = {"os" => {"name" => "Debian", "list" => ["a"]}, "text" => "t"}.freeze

  define_method(:noticed) do |code|
    with_runtime(files, node: "web1", facts: facts, trusted: {"extensions" => {"a" => "b"}}, variables: {"given" => {"a" => +"b"}}) do |runtime|
      runtime.compile(code)
      runtime.logs.map { |_, message| message }.join("\n")
    end
  end

  {
    "'text'" => "F", "bare" => "F", '"text"' => "-", '"a${1}"' => "-", "@(E)\n  text\n  | E\n" => "-", "'text'[0]" => "-",
    "['text', \"text\"]" => "-[F-]", "{'k' => 'v', \"l\" => [1]}" => "-{FFF-[F]}",
    "$facts" => "F{FF{FFFF[F]}FF}", "$facts['os']['name']" => "F", "$facts['os']['list']" => "F[F]", "$os" => "F{FFFF[F]}", "$text" => "F",
    "$trusted" => "F{FF{FF}}", "$given" => "-{F-}", "upcase('a')" => "-", "['b', 'a'].sort" => "-[FF]", "$facts + {}" => "-{FF{FFFF[F]}FF}",
    "$facts['os']['list'] + []" => "-[F]"
  }.each do |expression, expected|
    it("#{expression.inspect} is #{expected}") { expect(noticed("$value = #{expression}\nnotice(own::frozen($value))")).to eq(expected) }
  end

  it "are parameters of classes and resources as copies" do
    code = "class c($x = 'default', $y = ['e']) { notice(own::frozen($x), own::frozen($y), own::frozen($title)) } include c " \
           "define d($x) { notice(own::frozen($x), own::frozen($name)) } d { 'title': x => {k => 'v'} }"
    expect(noticed(code)).to eq("- -[-] -\n-{F-} -")
  end

  it "cannot be literals or facts" do
    {"own::append('text')" => 'String: "text"', "own::append($text)" => 'String: "t"', "own::put($facts)" => "Hash: ",
     "own::put($facts['os'])" => "Hash: "}.each do |call, shown|
      expect { noticed("$x = #{call}") }
        .to raise_error(Puppet::Error, /\AEvaluation Error: Error while evaluating a Function Call, can't modify frozen #{Regexp.escape(shown)}/)
    end
    expect { noticed("notice(inline_template('<% @facts[\"x\"] = 1 %>'))") }.to raise_error(Puppet::Error, /can't modify frozen Hash/)
  end

  it "are changed for the code that follows" do
    expect(noticed("$x = \"text\" $y = own::append($x) $h = {} $z = own::put($h) notice($x, $y, $h)")).to eq("text! text! {new => 1}")
    template = "<%= @l.sort!.join %> <%= @h.delete(\"a\") %> <%= (@s << \"q\") rescue $!.class %>"
    expect(noticed("$l = ['b', 'a'] $s = 'x' $h = {a => 1} notice(inline_template('#{template}'), $l, $h, $s)"))
      .to eq("ab 1 FrozenError [a, b] {} x")
  end
end
