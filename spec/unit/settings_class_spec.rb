# frozen_string_literal: true

require_relative "../support/logged_messages"

# The class `settings`, which every catalog has, and which code may define. All answers are Puppet 8.11's.
RSpec.describe "The class settings" do
  include LoggedMessages

  define_method(:notices) do |code|
    logged(code)
  rescue Puppet::Error => e
    e.message[/\A.*?(?= on node|\()/].strip
  end

  {
    "notice(1) class settings { notice('s') } notice(2)" => %w[s 1 2],
    "class settings { notice('s') } include settings" => %w[s],
    "class settings($p = 1) { notice($p) }" => %w[1],
    "class b { notice('b') } class settings inherits b { notice('s') }" => %w[s],
    "class settings { include b } class b { notice('b') } notice(1)" => %w[b 1],
    "class settings { $own = 3 $strict = 4 } notice($settings::own, $settings::strict)" => ["3 error"],
    "class settings { notice($title, $environment) }" => ["settings production"],
    "include settings notice(1)" => %w[1],
    "class a inherits settings { notice($strict) } include a" => %w[error],
    "class settings { notice('s') } class a inherits settings { notice($strict) } include a" => %w[s error],
    "notice(defined(settings), defined(Class[settings]))" => ["true true"],
    "class settings { notice($settings::strict) }" => "Evaluation Error: Unknown variable: 'settings::strict'.",
    "$t = 1 class settings { notice($t) }" => "Evaluation Error: Unknown variable: 't'.",
    "class settings($p) { }" => "Class[Settings]: expects a value for parameter 'p'",
    "class { 'settings': }" =>
      "Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: Class[Settings] is already declared; cannot redeclare"
  }.each do |code, expected|
    it("is evaluated before all code, where code defines it: #{code}") { expect(notices(code)).to eq(expected) }
  end

  it "is in the catalog once, and contains its own resources" do
    catalog = Puppetfn::Runtime.new.compile("class settings { notify { 'n': } } include settings")
    expect(catalog.classes).to eq(%w[settings])
    expect(catalog.edges.map { |edge| edge.map(&:to_s) }).to include(["Class[Settings]", "Notify[n]"])
  end
end
