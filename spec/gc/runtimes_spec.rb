# frozen_string_literal: true

require_relative "../support/module_tree"

# A runtime that nobody uses any more takes all that it loaded with it.
RSpec.describe Puppetfn::Runtime, "when it is dropped" do
  include ModuleTree

  files = {
    "m/types/t.pp" => "type M::T = Integer",
    "m/functions/g.pp" => "function m::g(M::T $x) { m::f($x) + h($x) }",
    "m/lib/puppet/functions/m/f.rb" =>
      "Puppet::Functions.create_function(:'m::f') { dispatch(:f) { param 'M::T', :x }; def f(x) = x }",
    "m/lib/puppet/parser/functions/h.rb" =>
      "module Puppet::Parser::Functions\n  newfunction(:h, :type => :rvalue) { |args| args.first }\nend"
  }.freeze

  def resident_kilobytes
    GC.start
    File.read("/proc/self/status")[/^VmRSS:\s+(\d+) kB/, 1].to_i
  end

  it "leaves no memory in use, with its types, and functions of every kind" do
    with_modules(files) do |root|
      run = ->(times) { times.times { expect(described_class.new(modulepath: [root]).evaluate_string("m::g(2)")).to eq(4) } }
      run[1_000]
      before = resident_kilobytes
      run[1_000]

      expect(resident_kilobytes - before).to be < 4_000
    end
  end
end
