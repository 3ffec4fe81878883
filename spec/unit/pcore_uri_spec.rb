# frozen_string_literal: true

require "uri"

# The types of URIs that Puppet has for its own Object types. All answers are Puppet 8.11's.
RSpec.describe "Pcore::URI" do
  define_method(:type) { |text| Puppetfn::Type.parse(text) }

  it "is the pattern of Ruby's URIs" do
    pattern = URI::RFC2396_Parser.new.make_regexp
    expect(type("Pcore::URI").to_s).to eq("Pcore::URI = Pattern[/#{pattern}/]")
    expect(type("Pcore::URI_RX").to_s).to eq("Pcore::URI_RX = Regexp[/#{pattern}/]")
  end

  it "matches texts that have an absolute URI" do
    texts = ["http://a", "mailto:a@b", "see http://[::1]:80/x?y#z here", "a b", "/x", 1]
    expect(texts.map { |text| type("Pcore::URI").instance?(text) }).to eq([true, true, true, false, false, false])
  end

  it "is not the type of URI values" do
    notices = Puppetfn::Runtime.new.evaluate_string("[URI('http://a') =~ Pcore::URI, Pcore::URI == URI, String(type(Pcore::URI)) =~ /^Type\\[Pcore::URI/]")
    expect(notices).to eq([false, false, true])
  end
end
