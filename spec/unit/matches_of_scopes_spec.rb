# frozen_string_literal: true

require_relative "../support/logged_messages"

# Match variables of a match outside of all blocks are visible to code evaluated later. All answers are Puppet 8.11's.
RSpec.describe "A match outside of blocks" do
  include LoggedMessages

  let(:runtime) { Puppetfn::Runtime.new(node: "n1.example.com") }

  define = 'define d() { notice("<${1}>") }'
  {
    "of the top scope is seen by a resource" => ["#{define} 'abc' =~ /(b)/ d { 'x': }", "<b>"],
    "is the last one, wherever the resource is declared" => ["#{define} 'abc' =~ /(b)/ d { 'x': } 'xyz' =~ /(y)/", "<y>"],
    "in a condition is none" => ["#{define} if 'abc' =~ /(b)/ { d { 'x': } }", "<>"],
    "of the top scope is seen by a node" => ["'abc' =~ /(b)/ node default { notice($1) }", "b"],
    "of a node is seen by its resources" => ["#{define} node default { 'abc' =~ /(b)/ d { 'x': } }", "<b>"],
    "of a node is seen by its classes" => ["class c { notice($1) } node default { 'abc' =~ /(b)/ include c }", "b"],
    "of a node that a regular expression names is seen by no resource" =>
      ["#{define} 'xyz' =~ /(y)/ node /n(1)/ { 'abc' =~ /(b)/ d { 'x': } }", "<y>"],
    "of a class is seen by the classes that inherit from it" =>
      ["class a { 'abc' =~ /(b)/ } class b inherits a { notice($1) } include b", "b"],
    "of a class is not seen by its resources" => ["#{define} class c { 'abc' =~ /(b)/ d { 'x': } } include c", "<>"],
    "is seen by default values" => ["define d($x = $1) { notice($x) } 'abc' =~ /(b)/ d { 'x': }", "b"],
    "is seen by templates" =>
      ["define d() { notice(inline_template('<%= scope[\"1\"] %>')) } 'abc' =~ /(b)/ d { 'x': }", "b"]
  }.each do |subject, (code, expected)|
    it(subject) { expect(logged(code, runtime: runtime)).to eq([expected]) }
  end
end
