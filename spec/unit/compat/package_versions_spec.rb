# frozen_string_literal: true

# All answers are Puppet 8.11's.
RSpec.describe "Puppet::Util::Package::Version" do
  versions = Puppet::Util::Package::Version

  def allowed(range)
    %w[0.9 1.0 1.5 2.0].select { |version| range.include?(Puppet::Util::Package::Version::Gem.parse(version)) }
  end

  {
    "1.0" => %w[1.0], ">1.0" => %w[1.5 2.0], ">=1.0" => %w[1.0 1.5 2.0], "<1.0" => %w[0.9], "<=1.0" => %w[0.9 1.0],
    ">=1.0 <2.0" => %w[1.0 1.5], ">1.0 <=2.0 <1.5" => %w[1.5 2.0]
  }.each do |text, expected|
    it "has the versions #{expected} in #{text}" do
      expect(allowed(versions::Range.parse(text, versions::Gem))).to eq(expected)
    end
  end

  it "shows ranges as texts, and for RubyGems" do
    range = versions::Range.parse(">=1.0  <2.0", versions::Gem)
    expect([range.to_s, range.to_gem_version]).to eq([">=1.0 <2.0", ">=1.0, <2.0"])
    expect(versions::Range.parse("1.0", versions::Gem)).to be_a(versions::Range::Eq)
  end

  it "refuses other texts" do
    {5 => "Unable to parse '5' as a string", "=1" => "Operator '=' is not implemented", " >1" => "Unable to parse '' as a version range identifier"}
      .each { |text, message| expect { versions::Range.parse(text, versions::Gem) }.to raise_error(versions::Range::ValidationFailure, message) }
    expect { versions::Range.parse("a b", versions::Gem) }
      .to raise_error(versions::Gem::ValidationFailure, "a is not a valid ruby gem version.")
  end

  describe "of Debian" do
    it "have Debian's order" do
      texts = %w[1.0~~ 1.0~ 1.0~rc1 1.0 1.0-1 1.01 1.0a 1.0+b 1.9 1.10 2 2-0 2-0ubuntu1 1:1.0]
      parsed = texts.map { |text| versions::Debian.parse(text) }

      expect(parsed.shuffle.sort.map(&:to_s)).to eq(%w[1.0~~ 1.0~ 1.0~rc1 1.0 1.0-1 1.0+b 1.0a 1.01 1.9 1.10 2 2-0 2-0ubuntu1 1:1.0])
      expect([versions::Debian.parse("0:1.0") == parsed[3], parsed[3] == "1.0", parsed[3] <=> "1.0"]).to eq([true, false, nil])
    end

    it "refuse other texts" do
      {nil => "Unable to parse '' as a string", "a b" => "Unable to parse 'a b' as a debian version identifier"}
        .each { |text, message| expect { versions::Debian.parse(text) }.to raise_error(versions::Debian::ValidationFailure, message) }
    end
  end
end
