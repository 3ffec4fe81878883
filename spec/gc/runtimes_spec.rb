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

  # Prints by how many kilobytes a process grows with the last thousand of its runtimes. Now and then Ruby and
  # the allocator take a few megabytes for later; a thousand runtimes that are kept have many more.
  program = <<~'RUBY'
    path, code = ARGV
    resident = lambda do
      GC.start
      File.read("/proc/self/status")[/^VmRSS:\s+(\d+) kB/, 1].to_i
    end
    run = ->(times) { times.times { Puppetfn::Runtime.new(modulepath: [path]).evaluate_string(code) == 4 or abort } }
    run[1_500]
    before = resident.call
    run[1_000]
    puts resident.call - before
  RUBY

  # A function whose file requires a helper, at once and when it is called, and a type that is implemented in Ruby.
  helped = {
    "m/lib/puppet_x/m/helper.rb" => "module PuppetX; module M; class Helper; def self.two = 2; end; end; end",
    "m/lib/puppet_x/m/later.rb" => "module PuppetX; module M; TWICE = ->(x) { 2 * x }; end; end",
    "m/lib/puppet/datatypes/m/number.rb" => <<~RUBY,
      Puppet::DataTypes.create_type("M::Number") do
        interface "attributes => { value => Integer }, functions => { twice => Callable[[], Integer] }"
        implementation { def twice = 2 * @value }
      end
    RUBY
    "m/lib/puppet/functions/m/helper.rb" =>
      "require 'puppet_x/m/helper'\nPuppet::Functions.create_function(:'m::helper') { def helper = PuppetX::M::Helper.new }",
    "m/functions/h.pp" => "function m::h($x) { M::Number($x).twice }",
    "m/lib/puppet/functions/m/g.rb" => <<~RUBY
      require "puppet_x/m/helper"
      Puppet::Functions.create_function(:'m::g') do
        dispatch(:g) { param "Integer", :x }

        def g(x)
          require_relative "../../../puppet_x/m/later"
          PuppetX::M::TWICE.call(x) * PuppetX::M::Helper.two * call_function("m::h", x) / 8
        end
      end
    RUBY
  }.freeze

  {
    "with its types, and functions of every kind" => [files, "m::g(2)"],
    "with helpers that its functions require, and objects in variables" => [helped, "$helper = m::helper()\n$number = M::Number(1)\nm::g(2)"]
  }.each do |what, (tree, code)|
    it "leaves no memory in use, #{what}" do
      with_modules(tree) do |root|
        command = [RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-r", "puppetfn", "-e", program, root, code]
        growth = IO.popen(command, &:read)

        expect(Integer(growth)).to be < 10_000
      end
    end
  end
end
