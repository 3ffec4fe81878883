# frozen_string_literal: true

require "uri"

RSpec.describe "Values that Ruby and Puppet both have" do
  let(:runtime) { Puppetfn::Runtime.new }

  it "takes URIs of Ruby's for URIs" do
    uri = URI.parse("http://user:pw@example.com:8080/a?b#c")
    expect(runtime.type("URI")).to be_instance(uri)
    expect(runtime.type("URI[{scheme => 'https'}]")).not_to be_instance(uri)
    expect(runtime.infer(uri).to_s).to eq(
      "URI[{'scheme' => 'http', 'userinfo' => 'user:pw', 'host' => 'example.com', 'port' => '8080', " \
      "'path' => '/a', 'query' => 'b', 'fragment' => 'c'}]"
    )
  end

  it "makes URIs of Ruby's" do
    expect(runtime.create("URI", "http://example.com/a")).to eq(URI.parse("http://example.com/a"))
  end

  it "hands times, versions and bytes to functions and back" do
    values = [Puppetfn::Timestamp.new(1), Puppetfn::Timespan.new(2), Puppetfn::SemVer.parse("1.2.3"),
              Puppetfn::SemVerRange.parse("1.x"), Puppetfn::Binary.new("a\xff".b)]
    values.each do |value|
      expect(runtime.call_function("then", value) { |v| v }).to eql(value)
      expect({value => 1}).to have_key(value)
    end
  end

  it "has them and types as their own copies, for they do not change" do
    values = [Puppetfn::Timespan.new(2), Puppetfn::SemVer.parse("1.2.3"), Puppetfn::SemVerRange.parse("1.x"),
              Puppetfn::Binary.new("a"), runtime.type("Integer")]

    expect(values.map(&:dup)).to eq(values)
    expect(values.map(&:clone)).to eq(values)
  end

  it "names the classes as Puppet does" do
    sensitive = Puppetfn::Sensitive.new(1)

    expect(sensitive.class.name).to eq("Puppet::Pops::Types::PSensitiveType::Sensitive")
    expect(runtime.scope.class.name).to eq("Puppet::Parser::Scope")
    expect(sensitive.dup.unwrap).to eq(1)
  end

  it "makes them with new" do
    expect(runtime.create("Timespan", "0-01:00:00")).to be_a(Puppet::Pops::Time::Timespan).and be_a(Numeric)
    expect(runtime.create("Timestamp", 0).to_time).to eq(Time.at(0))
    expect(runtime.create("SemVer", "1.2.3")).to be_a(SemanticPuppet::Version)
    expect(runtime.create("SemVerRange", "1.x")).to include(SemanticPuppet::Version.parse("1.9.0"))
    expect(runtime.create("Binary", "aGk=").binary_buffer).to eq("hi")
  end

  it "knows no time beyond what 64 bits of seconds hold" do
    expect { Puppetfn::Timespan.new(10**30) }.to raise_error(RangeError)
    expect { Puppetfn::Timespan.new(10**27) * 10**9 }.to raise_error(RangeError)
  end
end
