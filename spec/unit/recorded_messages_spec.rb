# frozen_string_literal: true

require_relative "../../vectors/ruby/messages"

RSpec.describe Vectors::Messages do
  def hidden(problem, code, name: "x", place: " (line: 1)")
    described_class.without_secrets("Parameter #{name} failed on T[a]: #{problem}#{place}", code)
  end

  it "hides the value of a Sensitive where a message quotes it" do
    code = "t { 'a': x => Sensitive('s'), }"
    expect(hidden('Invalid value "s". Valid values are a.', code)).to eq("Parameter x failed on T[a]: Invalid value [value redacted]. Valid values are a. (line: 1)")
    expect(hidden("'s' is bad", code, place: "")).to eq("Parameter x failed on T[a]: [value redacted] is bad")
  end

  it "hides the problem where the value stands without quotes" do
    expect(hidden("s is no day, 's' is bad", "t { 'a': x => Sensitive('s'), }"))
      .to eq("Parameter x failed on T[a]: a value is Sensitive, so that what is wrong with it is not shown (line: 1)")
  end

  it "leaves all else as it is" do
    ["t { 'a': x => 's', }", "t { 'a': y => Sensitive('s'), }", "t { 'a': x => Sensitive('other'), }"].each do |code|
      expect(hidden('Invalid value "s".', code)).to eq('Parameter x failed on T[a]: Invalid value "s". (line: 1)')
    end
    expect(described_class.without_secrets("Could not find 's'", "t { 'a': x => Sensitive('s') }")).to eq("Could not find 's'")
  end

  it "hides nothing of the rest, so that it is compared" do
    code = "t { 'a': x => Sensitive('s'), }"
    ours = "Parameter x failed on T[a]: Invalid value [value redacted]. Valid values are a. (line: 1)"
    same = 'Parameter x failed on T[a]: Invalid value "s". Valid values are a. (line: 1)'
    expect(described_class.without_secrets(same, code)).to eq(ours)
    [same.sub("Valid values", "Others"), same.sub("T[a]", "T[b]"), same.sub("line: 1", "line: 2"), same.sub("Invalid", "Wrong")].each do |other|
      expect(described_class.without_secrets(other, code)).not_to eq(ours)
    end
  end

  it "takes another text for an error of Ruby's, of the same parameter at the same place" do
    puppet = "Parameter x failed on T[a]: Munging failed for value 1 in class x: undefined local variable or method `age' for #<Puppet> (line: 1)"
    ours = "Parameter x failed on T[a]: Invalid x 1 (line: 1)"
    expect(described_class.stumbled?(puppet, ours)).to be(true)
    ["Parameter y failed on T[a]: Invalid (line: 1)", "Parameter x failed on T[b]: Invalid (line: 1)", "Parameter x failed on T[a]: Invalid (line: 2)",
     "Parameter x failed on T[a]: Invalid", "Invalid", puppet].each { |other| expect(described_class.stumbled?(puppet, other)).to be(false) }
    ["Munging failed for value 1 in class x: no number", "undefined method `age' for #<Puppet>"].each do |problem|
      expect(described_class.stumbled?("Parameter x failed on T[a]: #{problem} (line: 1)", ours)).to be(false)
    end
  end
end
