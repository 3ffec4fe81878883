# frozen_string_literal: true

RSpec.describe Puppetfn::Logs do
  let(:runtime) { Puppetfn::Runtime.new }

  it "keeps what functions log, from level notice on" do
    runtime.activate do
      Puppet.debug("a")
      Puppet.info("b")
      Puppet.notice("c")
      Puppet.warning(%w[d e])
      Puppet.err("f")
    end

    expect(runtime.logs).to eq([[:notice, "c"], [:warning, "d e"], [:err, "f"]])
  end

  it "keeps more when the level is lower, and only then makes the message of a block" do
    runtime.activate { Puppet.debug { raise "not wanted" } }
    runtime.logs.level = :debug
    runtime.activate { Puppet.debug { "wanted" } }

    expect(runtime.logs.to_a).to eq([[:debug, "wanted"]])
  end

  it "tells destinations where warnings about code are from" do
    strict = Puppetfn::Runtime.new(strict: :warning, strict_variables: false)
    messages = []
    strict.logs.destinations << messages
    strict.compile("notice(1 +\n '2')\n@@notify { 'exported': }")

    expect(messages.map { |message| [message.level, message.issue] }).to eq(
      [[:warning, {issue_code: :NUMERIC_COERCION, file: nil, line: 2, pos: 2}], [:notice, nil],
       [:warning, {issue_code: :RT_NO_STORECONFIGS_EXPORT, file: nil, line: 3, pos: 1}]]
    )
  end

  it "refuses a level that does not exist" do
    expect { runtime.logs.level = :loud }.to raise_error(Puppet::DevError, "Invalid log level loud")
  end

  it "has the places of several errors in a text" do
    messages = []
    runtime = Puppetfn::Runtime.new(node: "web")
    runtime.logs.destinations << messages
    expect { runtime.compile("$A = 1\n  $B = 2", "/site.pp") }.to raise_error(/Language validation logged 2 errors/)
    places = messages.map { |message| [message.level, message.to_s[/ \(file.*/]] }
    expect(places.first(2)).to eq([[:err, " (file: /site.pp, line: 1, column: 1)"], [:err, " (file: /site.pp, line: 2, column: 3)"]])
  end

  it "keeps the messages of two runtimes apart, also when one calls the other" do
    other = Puppetfn::Runtime.new
    runtime.activate do
      Puppet.notice("outer")
      other.activate { Puppet.notice("inner") }
      Puppet.notice("outer again")
    end

    expect([runtime.logs.to_a, other.logs.to_a])
      .to eq([[[:notice, "outer"], [:notice, "outer again"]], [[:notice, "inner"]]])
  end

  it "keeps the messages of threads apart" do
    runtimes = Array.new(4) { Puppetfn::Runtime.new }
    runtimes.each_with_index.map { |rt, n| Thread.new { rt.activate { 50.times { Puppet.notice(n.to_s) } } } }.each(&:join)

    expect(runtimes.map { |rt| rt.logs.map(&:last).uniq }).to eq([%w[0], %w[1], %w[2], %w[3]])
  end

  it "shows a message that belongs to no runtime, and forgets the unimportant ones" do
    expect { Puppet.warning("lost") }.to output("Warning: lost\n").to_stderr
    expect { Puppet.info("lost") }.not_to output.to_stderr
  end

  describe "a warning that is given once" do
    it "is given once for each key" do
      runtime.activate { 2.times { Puppet.warn_once("kind", "key", "text", "a.pp", 3) } }

      expect(runtime.logs.to_a).to eq([[:warning, "text\n   (file: a.pp, line: 3)"]])
    end

    it "names the caller of what is deprecated" do
      runtime.activate { 2.times { Puppet.deprecation_warning("old", "key") } }

      expect(runtime.logs.to_a).to match([[:warning, /\Aold\n   \(location: #{Regexp.escape(__FILE__)}:\d+:/]])
    end

    it "is given again by another runtime" do
      runtimes = [runtime, Puppetfn::Runtime.new]
      runtimes.each { |rt| rt.activate { Puppet.warn_once("kind", "key", "text") } }

      expect(runtimes.map { |rt| rt.logs.size }).to eq([1, 1])
    end

    it "comes to an end after a hundred keys" do
      runtime.activate { 200.times { |n| Puppet.warn_once("kind", "key #{n}", "text") } }

      expect(runtime.logs.size).to eq(100)
    end
  end

  it "can be cleared" do
    runtime.activate { Puppet.notice("a") }

    expect(runtime.logs.clear).to be_empty
  end
end
