# frozen_string_literal: true

RSpec.describe Puppetfn, ".messages" do
  around do |example|
    before = described_class.messages
    example.run
  ensure
    described_class.messages = before
  end

  let(:function) do
    Puppet::Functions.create_function(:rich) do
      dispatch(:name) { param "String", :name }
      dispatch :level do
        param "Integer", :number
        param "Enum[debug, info]", :level
      end
      dispatch :options do
        param "Struct[{port => Integer}]", :options
        return_type "String"
      end
      def name(name) = name
      def level(_number, level) = level
      def options(options) = options["port"]
    end.new(nil, nil)
  end

  it "is Puppet's wording if not told otherwise" do
    expect(described_class.messages).to be(:puppet)
    expect { Puppetfn::Type.parse("Integer").assert("x", "a") }
      .to raise_error("x has wrong type, expects an Integer value, got String")
  end

  it "can show the value" do
    described_class.messages = :rich
    expect(described_class.messages).to be(:rich)
    expect { Puppetfn::Type.parse("Array[Integer]").assert("x", [1, "a"]) }
      .to raise_error("x has wrong type, index 1 expects an Integer value, got 'a'")
    string = Puppetfn::Type.parse("String")
    actual = Puppetfn::Type.infer_set({"a" => [1.5, nil]})
    expect(string.describe_mismatch("x", actual)).to eq("x expects a String value, got {'a' => [1.5, undef]}")
  end

  it "shows nothing of what is sensitive" do
    described_class.messages = :rich
    secret = Puppet::Pops::Types::PSensitiveType::Sensitive.new("secret")
    expect { Puppetfn::Type.parse("Array[Integer]").assert("x", [secret]) }
      .to raise_error("x has wrong type, index 0 expects an Integer value, got Sensitive [value redacted]")
  end

  it "lists the nearest signature first, and says what may have been meant" do
    described_class.messages = :rich
    expect { function.call({}, 1, "inof") }.to raise_error(ArgumentError, <<~MESSAGE.chomp)
      The function 'rich' was called with arguments it does not accept. It expects one of these, the nearest first:
        (Integer number, Enum['debug', 'info'] level)
          rejected: parameter 'level' expects a match for Enum['debug', 'info'], got 'inof'; did you mean 'info'?
        (String name)
          rejected: expects 1 argument, got 2
        (Struct[{'port' => Integer}] options)
          rejected: expects 1 argument, got 2
    MESSAGE
  end

  it "tells of results, too" do
    described_class.messages = :rich
    expect { function.call({}, {"port" => 1}) }
      .to raise_error("value returned from function 'options' has wrong type, expects a String value, got 1")
  end

  it "refuses another wording, and then changes nothing" do
    described_class.messages = :rich
    [:verbose, "rich", nil].each do |wording|
      expect { described_class.messages = wording }
        .to raise_error(ArgumentError, "expected :puppet or :rich, got #{wording.inspect}")
    end
    expect(described_class.messages).to be(:rich)
  end
end
