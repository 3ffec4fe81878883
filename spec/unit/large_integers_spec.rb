# frozen_string_literal: true

require_relative "../support/logged_messages"
require_relative "../support/module_tree"

# Integers of more than 64 bits, which the language does not have: they come of facts, data and Ruby. All answers are
# Puppet 8.11's.
RSpec.describe "Integers of more than 64 bits" do
  include LoggedMessages
  include ModuleTree

  let(:facts) { {"big" => 12345678901234567890, "neg" => -12345678901234567890, "h" => {"b" => 2**64, "c" => 1}} }

  define_method(:notices) do |code|
    runtime = Puppetfn::Runtime.new(facts: facts)
    runtime.define_function(:two_power) do
      dispatch(:power) { param "Integer", :exponent }
      define_method(:power) { |exponent| 2**exponent }
    end
    logged(code, runtime: runtime)
  rescue Puppet::Error => e
    [e.message[/\A.*?(?= \(file)/].delete_prefix("Evaluation Error: ")]
  end

  above = "resulted in a value outside of Puppet Integer max range, got"
  {
    'notice($big, $neg, $h, $facts["h"]["c"])' =>
      "12345678901234567890 -12345678901234567890 {b => 18446744073709551616, c => 1} 1",
    "notice(-$big)" => "-12345678901234567890",
    "notice($big =~ Integer, $big =~ Integer[0], $neg =~ Integer[0], $big =~ Integer[0, 5])" => "true true false false",
    "notice($big =~ Scalar, $big =~ Data, $h =~ Hash[String, Integer], $big =~ String)" => "true true true false",
    "notice($big / 1000000, -7 / $big, $big % 1000, $neg % 1000, $big >> 10)" => "12345678901234 -1 890 110 12056327051986882",
    "notice($big / 2.0)" => "6.172839450617284e+18",
    "notice($big == 1, $big > 1, 1.0 < $big, $big == 12345678901234567890.0)" => "false true true false",
    "notice($big + 1)" => "A '+' expression #{above} '+0xab54a98ceb1f0ad3'",
    "notice($big << 2)" => "A '<<' expression #{above} '+0x2ad52a633ac7c2b48'",
    "notice({ $big => 1 }[$big])" => "1",
    'notice(String($big), String([$big], "%p"), String($big, "%22d"))' => "12345678901234567890 [12345678901234567890]   12345678901234567890",
    'notice(inline_template("<%= @big + 1 %>"))' => "12345678901234567891",
    "notice(two_power(64), two_power(62))" => "18446744073709551616 4611686018427387904",
    'notice(Integer("9223372036854775808"), Integer("0x1ffffffffffffffff"), Integer("-99999999999999999999", 10, true))' =>
      "9223372036854775808 36893488147419103231 99999999999999999999",
    'notice($big["a"])' => "Operator '[]' is not applicable to an Integer.",
    'notify { "a": message => $h }' =>
      "Error while evaluating a '=>' expression, Use of a Ruby Integer outside of Puppet Integer max range, got '0x10000000000000000'",
    'notify { "a": message => $neg }' =>
      "Error while evaluating a '=>' expression, Use of a Ruby Integer outside of Puppet Integer min range, got '0x..f54ab567314e0f52e'",
    'notice(sprintf("%d", $big))' =>
      "Error while evaluating a Function Call, Use of a Ruby Integer outside of Puppet Integer max range, got '0xab54a98ceb1f0ad2'"
  }.each do |code, expected|
    it("are computed with where Puppet does so: #{code}") { expect(notices(code)).to eq([expected]) }
  end

  it "are refused by functions that have none of so many bits, and never wrong" do
    ["abs($big)", "Float($big)", 'String($big, "%x")', "round($big)"].each do |call|
      expect(notices("notice(#{call})")).to contain_exactly(a_string_including("12345678901234567890 does not fit into an Integer"))
    end
  end

  it "leave the other keys of a data file readable" do
    files = {
      "hiera.yaml" => "version: 5\nhierarchy:\n  - {name: a, paths: [a.yaml, b.json]}\n",
      "data/a.yaml" => "small: 1\nhex: 0xFFFFFFFFFFFFFFFFFF\nlarge: {a: 18446744073709551615, b: 2}\n",
      "data/b.json" => '{"json": 18446744073709551615, "other": 3}'
    }
    with_modules(files) do |dir|
      runtime = Puppetfn::Runtime.new(environment: dir)
      expect(%w[small hex large large.b json other].map { |key| runtime.call_function("lookup", key) })
        .to eq([1, 0xFFFFFFFFFFFFFFFFFF, {"a" => 2**64 - 1, "b" => 2}, 2, 2**64 - 1, 3])
    end
  end
end
