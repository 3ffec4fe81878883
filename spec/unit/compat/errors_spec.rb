# frozen_string_literal: true

RSpec.describe "Puppet's error classes" do
  it "descend from the same classes as in Puppet" do
    chains = [Puppet::Error, Puppet::ParseError, Puppet::DevError, Puppet::ParseErrorWithIssue,
      Puppet::PreformattedError, Puppet::Pops::Types::TypeAssertionError].map { |error| [error.name, error.superclass.name] }

    expect(chains).to eq([
      %w[Puppet::Error RuntimeError],
      %w[Puppet::ParseError Puppet::Error],
      %w[Puppet::DevError Puppet::Error],
      %w[Puppet::ParseErrorWithIssue Puppet::ParseError],
      %w[Puppet::PreformattedError Puppet::ParseErrorWithIssue],
      %w[Puppet::Pops::Types::TypeAssertionError Puppet::Error]
    ])
  end

  it "show the place as far as it is known" do
    messages = [
      Puppet::ParseError.new("m"), Puppet::ParseError.new("m", "f.pp"), Puppet::ParseError.new("m", "f.pp", 3),
      Puppet::ParseError.new("m", "f.pp", 3, 4), Puppet::ParseError.new("m", nil, 3), Puppet::ParseError.new("m", nil, 3, 4),
      Puppet::ParseError.new("m", "", 3)
    ].map(&:message)

    expect(messages).to eq(["m", "m (file: f.pp)", "m (file: f.pp, line: 3)", "m (file: f.pp, line: 3, column: 4)",
      "m (line: 3)", "m (line: 3, column: 4)", "m (line: 3)"])
  end

  it "take the original exception in the place of the position" do
    original = RuntimeError.new("why")
    error = Puppet::ParseError.new("m", "f.pp", 3, original)

    expect([error.original, error.pos]).to eq([original, nil])
  end

  it "can be raised with only a message" do
    expect { raise Puppet::ParseError, "m" }.to raise_error(Puppet::ParseError, "m")
  end

  it "repair a message that is not valid text" do
    expect(Puppet::Error.new("a\xff").message).to be_valid_encoding
  end

  it "name the environment and the node of an issue" do
    error = Puppet::ParseErrorWithIssue.new("m", "f.pp", 3, nil, nil, :CODE)
    error.environment = "production"
    error.node = "n"

    expect(error.message).to eq("Could not parse for environment production: m (file: f.pp, line: 3) on node n")
    expect(error.to_h).to include(issue_code: :CODE, message: "m", line: 3)
  end
end
