# frozen_string_literal: true

RSpec.describe Puppetfn, ".limits" do
  around do |example|
    before = described_class.limits
    example.run
  ensure
    described_class.limits = before
  end

  let(:deep) { 300.times.inject(1) { |inner, _| [inner] } }

  it "can be raised" do
    type = Puppetfn::Type.parse("Data")
    expect { type.instance?(deep) }.to raise_error(Puppetfn::LimitError, /limit 'nesting'/)
    described_class.limits = {nesting: 400}
    expect(type.instance?(deep)).to be(true)
    expect(described_class.limits).to include(nesting: 400, syntax: 256)
  end

  it "can be lowered" do
    described_class.limits = {syntax: 5, work: 10}
    expect { Puppetfn::Type.parse("Array[Array[Array[Array[Array[Array[String]]]]]]") }
      .to raise_error(Puppetfn::LimitError, /limit 'syntax'/)
    expect { Puppetfn::Type.parse("Data").instance?([[1]] * 100) }
      .to raise_error(Puppetfn::LimitError, /limit 'work'/)
  end

  it "bounds objects that share their parts, or contain themselves, where the core gets them" do
    described_class.limits = {elements: 10_000, work: 100_000}
    # Where there are unknown values, arguments are searched for them.
    Puppetfn::Unknown.new
    runtime = Puppetfn::Runtime.new
    [1, []].each do |inner|
      shared = 60.times.inject([inner]) { |part, _| [part, part] }
      expect { runtime.call_function("flatten", shared) }.to raise_error(Puppetfn::LimitError, /limit 'elements'/)
      expect { Puppetfn::Runtime.new(facts: {"x" => shared}) }.to raise_error(Puppetfn::LimitError, /limit 'elements'/)
      expect { Puppetfn::Runtime.new(variables: {"x" => shared}) }.to raise_error(Puppetfn::LimitError, /limit 'elements'/)
    end
    own = {}
    own["own"] = own
    [own, 100_000.times.inject(1) { |part, _| [part] }].each do |endless|
      expect { Puppetfn::Runtime.new(facts: {"x" => endless}) }.to raise_error(Puppetfn::LimitError, /limit 'nesting'/)
    end
  end

  it "checks Integers of more than 64 bits, too" do
    large = 2**65
    types = ["String", "Integer[0, 10]", "Enum['a']", "Optional[String]"].map { |text| Puppetfn::Type.parse(text) }
    expect(types.map { |type| [type.instance?(large), type === -large] }.uniq).to eq([[false, false]])
    types = ["Integer", "Integer[default, 0]", "Integer[0]", "Numeric", "Data"].map { |text| Puppetfn::Type.parse(text) }
    expect(types.map { |type| type.instance?(large) }).to eq([true, false, true, true, true])
    expect(types.map { |type| type.instance?(-large) }).to eq([true, true, false, true, true])
  end

  it "bounds what is made of little" do
    described_class.limits = {size: 3}
    type = Puppetfn::Type.parse("Array")
    expect(type.new(3)).to eq([0, 1, 2])
    expect { type.new(4) }.to raise_error(Puppetfn::LimitError, /limit 'size'/)
  end

  it "bounds what code does, in runtimes that are made afterwards" do
    # There are more than 250 settings, in one hash.
    described_class.limits = {text: 100, elements: 400, calls: 10, fuel: 1_000}
    {
      "$a = 'abcdefgh' $b = \"${a}${a}${a}\" \"${b}${b}${b}${b}${b}\"" => "text",
      "$a = Array(Integer[1, 240]) $a + $a" => "elements",
      "function f($x) { f($x) } f(1)" => "calls",
      "Integer[1, 2000].each |$x| { $x }" => "fuel"
    }.each do |code, name|
      expect { Puppetfn::Runtime.new.evaluate_string(code) }.to raise_error(Puppetfn::LimitError, /limit '#{name}'/)
    end
    described_class.limits = {fuel: nil, elements: 10_000}
    expect(Puppetfn::Runtime.new.evaluate_string("Integer[1, 2000].map |$x| { $x }.size")).to eq(2000)
  end

  it "bounds how often blocks in Ruby are called" do
    described_class.limits = {fuel: 1_000}
    expect { Puppetfn::Runtime.new.call_function("all", 2**62) { |_| true } }.to raise_error(Puppetfn::LimitError, /limit 'fuel'/)
  end

  it "bounds what is copied of a text that a value has many times over" do
    described_class.limits = {memory: 64 << 20}
    shared = 16.times.inject("x" * 10_000) { |inner, _| [inner, inner] }
    expect { Puppetfn::Runtime.new.call_function("unique", shared) }.to raise_error(Puppetfn::LimitError, /limit 'memory'/)
  end

  it "holds for the texts, comparisons and data of values" do
    deep = "$deep = Integer[1, 15].reduce([]) |$inner, $_| { [$inner] }"
    [
      "\"${deep}\"",
      "join([$deep])",
      "sprintf('%s', $deep)",
      "$deep == Integer[1, 15].reduce([]) |$inner, $_| { [$inner] }",
      "case $deep { Integer[1, 15].reduce([]) |$inner, $_| { [$inner] }: { 1 } default: { 2 } }",
      "cty::jsonencode($deep)"
    ].each do |code|
      described_class.limits = {nesting: 30}
      expect { Puppetfn::Runtime.new.evaluate_string("#{deep} #{code}") }.not_to raise_error
      described_class.limits = {nesting: 10}
      expect { Puppetfn::Runtime.new.evaluate_string("#{deep} #{code}") }
        .to raise_error(Puppetfn::LimitError, /limit 'nesting'/), code
    end
  end

  it "can be raised for the texts of values" do
    code = "$deep = Integer[1, 250].reduce([]) |$inner, $_| { [$inner] } \"${deep}\""
    expect { Puppetfn::Runtime.new.evaluate_string(code) }.to raise_error(Puppetfn::LimitError, /limit 'nesting'/)
    described_class.limits = {nesting: 400}
    expect(Puppetfn::Runtime.new.evaluate_string(code)).to eq("#{"[" * 251}#{"]" * 251}")
  end

  it "holds for functions of cty's" do
    function = Puppetfn::Cty.function("replace")
    described_class.limits = {size: 6}
    expect(function.call("abc", "b", "xyz")).to eq(Puppetfn::Cty.value("axyzc"))
    expect { function.call("abc", "b", "vwxyz") }.to raise_error(Puppetfn::LimitError, /limit 'size'/)
  end

  it "refuses what is no limit, and then changes nothing" do
    before = described_class.limits
    {
      {nesting: 10, depth: 1} => "unknown limit 'depth'; there are nesting, syntax, work, size, text, elements, file, calls, memory, fuel",
      {nesting: 0} => "limit 'nesting': expected at least 1, got 0",
      {work: "1"} => "limit 'work': expected a positive Integer of 64 bits, got \"1\"",
      {work: 2**70} => "limit 'work': expected a positive Integer of 64 bits, got 1180591620717411303424",
      {syntax: 1_001} => "limit 'syntax': expected at most 1000, got 1001",
      {"work" => 1} => "expected the name of a limit as a Symbol, got \"work\""
    }.each { |changes, message| expect { described_class.limits = changes }.to raise_error(ArgumentError, message) }
    expect(described_class.limits).to eq(before)
  end
end
