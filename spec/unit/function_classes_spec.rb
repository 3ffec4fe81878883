# frozen_string_literal: true

require_relative "../support/module_tree"

# The classes of functions, as Ruby sees them. All answers are Puppet 8.11's.
RSpec.describe "Classes of functions" do
  include ModuleTree

  files = {
    "own/functions/code.pp" => "function own::code(Integer $x) { $x }",
    "own/lib/puppet/functions/own/ruby.rb" => "Puppet::Functions.create_function(:'own::ruby') { def ruby = 1 }",
    "own/lib/puppet/parser/functions/old.rb" => "Puppet::Parser::Functions.newfunction(:old) { |_| }"
  }.freeze

  define_method(:function) do |name, &block|
    with_runtime(files) { |runtime| runtime.activate { block.call(runtime.loader.load(:function, name)) } }
  end

  internal = "Puppet::Functions::InternalFunction"
  {
    "upcase" => ["Puppet::Functions::Function", "Puppet::Pops::Functions::Function"],
    "each" => ["Puppet::Functions::Function", "Puppet::Pops::Functions::Function"],
    "include" => [internal, "Puppet::Functions::Function"],
    "lookup" => [internal, "Puppet::Functions::Function"],
    "md5" => ["Puppet::Functions::Function3x", internal],
    "create_resources" => ["Puppet::Functions::Function3x", internal],
    "hiera_array" => ["Hiera::PuppetFunction", internal],
    "own::code" => ["Puppet::Functions::PuppetFunction", "Puppet::Functions::Function"],
    "own::ruby" => ["Puppet::Functions::Function", "Puppet::Pops::Functions::Function"],
    "old" => ["Puppet::Functions::Function3x", internal]
  }.each do |name, ancestors|
    it "are those of Puppet for #{name}" do
      function(name) do |found|
        expect(found.class.name).to eq(name)
        expect(found.class.ancestors.grep(Class)[1, 2].map(&:name)).to eq(ancestors)
        expect(found.is_a?(Puppet::Pops::Functions::Function)).to be(true)
        expect(found.is_a?(Puppet::Functions::InternalFunction)).to be(ancestors.include?(internal))
        expect(found.class.signatures.size).to be >= 1
      end
    end
  end

  it "are the same each time, with the signatures of the function" do
    function("own::code") do |found|
      expect(found.class).to equal(found.class)
      expect(found.class.signatures.map(&:parameter_names)).to eq([["x"]])
    end
    function("upcase") { |found| expect(found.class.signatures.size).to eq(4) }
  end

  it "refuse to tell the dispatcher of a function that is not in Ruby" do
    function("upcase") { |found| expect { found.class.dispatcher }.to raise_error(Puppetfn::UnavailableError, /dispatcher of the function upcase/) }
  end
end
