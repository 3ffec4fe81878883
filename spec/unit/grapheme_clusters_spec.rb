# frozen_string_literal: true

require_relative "../support/regexes"

# `\X` in regular expressions, as Ruby's own matches it.
RSpec.describe "Grapheme clusters" do
  let(:runtime) { Puppetfn::Runtime.new }
  parts = Regexes::CLUSTER_PARTS

  it "are those of Ruby in drawn texts" do
    random = Random.new(1)
    texts = Array.new(3_000) { Array.new(random.rand(1..9)) { parts.sample(random: random) }.join }
    found = runtime.call_function("regsubst", texts, '\X', '<\0>', "G")
    expect(found).to eq(texts.map { |text| text.gsub(/\X/, '<\0>') })
  end

  it "are those of Ruby for each pair of parts" do
    texts = parts.product(parts).map(&:join)
    expect(runtime.call_function("regsubst", texts, '\X', '<\0>', "G")).to eq(texts.map { |text| text.gsub(/\X/, '<\0>') })
  end

  it "are matched by operators, types and functions" do
    code = <<~'PUPPET'
      $family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
      $text = "e\u{301}${family}"
      [
        $text =~ /\A\X\X\z/, $text =~ /\A\X\z/, "\r\n" =~ /\A\X\z/, $text =~ Pattern[/^\X{2}$/], $text ? { /\A\X{3}/ => 3, default => 2 },
        regsubst($text, '\X', '.', 'G'), split("a${family}b", /\A\X|\X\z/), match($text, '(\X)(\X)')[2] == $family,
        'a' in ["b"], "e\u{301}" =~ /e\X/, "e\u{301}" =~ /(?i)\A\X\z/
      ]
    PUPPET
    family = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}"
    expect(runtime.evaluate_string(code)).to eq([true, false, true, true, 2, "..", ["", family], true, false, true, true])
  end

  it "are no part of look-behinds and classes, as in Ruby" do
    expect { runtime.call_function("match", "ab", '(?<=\X)b') }
      .to raise_error(RegexpError, 'invalid pattern in look-behind: /(?<=\X)b/')
    expect(runtime.call_function("match", "aX", '[\X]')).to eq(["X"])
  end
end
