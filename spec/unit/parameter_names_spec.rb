# frozen_string_literal: true

require_relative "../support/logged_messages"

# Parameters of classes and defined types named like metaparameters. All answers are Puppet 8.11's.
RSpec.describe "Parameters named like metaparameters" do
  include LoggedMessages

  define_method(:warnings) do |code|
    logged(code, level: :warning)
  rescue Puppet::Error => e
    [e.message]
  end

  {
    "define d($notify = 'x') { }" => ["notify is a metaparam; this value will inherit to all contained resources in the d definition"],
    "class c($tag = 'x', $noop = 1) { }" =>
      %w[tag noop].map { |name| "#{name} is a metaparam; this value will inherit to all contained resources in the c definition" },
    "class c($other = 1) { }" => [],
    "class c($alias) { }" => [/alias is a metaparameter; please choose another parameter name in the c definition/]
  }.each do |code, expected|
    it("are warned of, or refused where they have no default value: #{code}") { expect(warnings(code)).to match(expected) }
  end
end
