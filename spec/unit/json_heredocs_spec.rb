# frozen_string_literal: true

require "json"

# Errors of invalid JSON in heredocs (`@(E:json)`): the words of the json gem of Ruby 3.1 and 3.2.
RSpec.describe "Heredocs that are JSON" do
  let(:runtime) do
    Puppetfn::Runtime.new.tap { |runtime| runtime.evaluate_string("function check($text) { @(\"END\":json)\n$text\n|- END\n}") }
  end
  intro = "Invalid produced text having syntax: 'json'. JSON syntax checker: Cannot parse invalid JSON string. "

  define_method(:problem) do |text|
    runtime.call_function("check", text)
    nil
  rescue Puppet::Error => e
    e.message[/#{intro}"(.*)" \(line: \d+, column: \d+\)\z/m, 1] || e.message
  end

  {
    "{a:\n" => "unexpected token at '{a:\\n'",
    "{\"a\": {\"b\": tru}}" => "unexpected token at '{\"a\": {\"b\": tru}}'",
    "{\"a\": [1, tru]}" => "unexpected token at 'tru]}'",
    "[1 2]" => "unexpected token at '2]'",
    "[1,]" => "unexpected token at ']'",
    "[01]" => "unexpected token at '01]'",
    "[1.]" => "unexpected token at '.]'",
    "[NaN]" => "unexpected token at 'NaN]'",
    "[1, Infinity]" => "unexpected token at ' Infinity]'",
    "[-Infinity]" => "unexpected token at '-Infinity]'",
    "[\"\\ud800\"]" => "incomplete surrogate pair at '\\ud800\"]'",
    "[\"a\tb\"]" => "unexpected token at '\"a\tb\"]'",
    "1 /x" => "unexpected token at 'x'",
    "[1] // no end" => "unexpected token at ''",
    "" => "unexpected token at ''",
    "#{"[" * 101}#{"]" * 101}" => "nesting of 101 is too deep",
    "[#{"x" * 200}]" => "unexpected token at '#{"x" * 79}",
    "[\n1,\r\n x]" => "unexpected token at 'x]'",
    "{\"a\" \r\n \"b\"}" => "unexpected token at '{\"a\" \\n \"b\"}'"
  }.each do |text, message|
    it("say of #{text[0, 20].inspect} that it has an #{message[0, 30]}") { expect(problem(text)).to eq(message) }
  end

  ["[1, /* c */ 2] // d\n", " {\"a\\q\": -0.5e+3, \"b\": []}\n", "null", "\"\u{1F600}\\u00e9\\ud83d\\ude00\"", "#{"[" * 100}#{"]" * 100}"].each do |text|
    it("may be #{text[0, 30].inspect}") { expect(problem(text)).to be_nil }
  end

  it "in code are checked when it is read" do
    expect { runtime.evaluate_string("@(END:json)\n  {a:\n  | END\n") }.to raise_error(Puppet::ParseError,
      "#{intro}\"unexpected token at '{a:\\n'\" (line: 2, column: 1)")
  end

  describe "drawn at random" do
    tokens = %w[{ } [ ] , : " \\ 0 1 -1 1.5 2. 1e5 1e - true false null tru nul NaN Infinity -Infinity /*c*/ // /* / a "a" "b": "\\u00e9" "\\ud800"
                "\\ud83d\\ude00" "\\u12" "\\q" é 01 -] + [" ", "\n", "\t", "\r\n", "\"a\nb\"", "\u0000"]

    def drawn_value(random, depth)
      kind = random.rand(depth.positive? ? 8 : 6)
      return %w[1 -2.5e3 true null "a" "\\u00e9"][kind].dup if kind < 6

      parts = Array.new(random.rand(4)) { drawn_value(random, depth - 1) }
      kind == 6 ? "[#{parts.join(", ")}]" : "{#{parts.map { |part| "\"k\": #{part}" }.join(",\n")}}"
    end

    # A valid document, with some characters or tokens changed; or a few tokens.
    define_method(:drawn) do |random|
      return Array.new(random.rand(1..6)) { tokens.sample(random: random) }.join if random.rand < 0.4

      text = drawn_value(random, 4)
      random.rand(1..2).times { text[random.rand(text.size + 1), random.rand(3)] = random.rand < 0.3 ? "" : tokens.sample(random: random) }
      text
    end

    def refused_by_ruby(text)
      JSON.parse(text)
      nil
    rescue JSON::ParserError => e
      e.message[0, 100].gsub(/\r?\n/, "\\n")
    end

    it "are refused as Ruby's own gem refuses them" do
      skip "the json gem has other words since 2.7" unless JSON::VERSION.start_with?("2.6.")
      random = Random.new(1)
      texts = Array.new(4_000) { drawn(random) }.reject { |text| text.start_with?("Infinity") }
      different = texts.reject { |text| problem(text) == refused_by_ruby(text) }
      expect(different.map { |text| [text, refused_by_ruby(text), problem(text)] }).to eq([])
      expect(texts.count { |text| refused_by_ruby(text) }).to be > 2_000
    end
  end
end
