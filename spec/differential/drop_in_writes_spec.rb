# frozen_string_literal: true

require_relative "../support/drop_in"

# Writes of functions in Ruby to the catalog that puppetfn makes in Puppet's place: Puppet compiles it then.
RSpec.describe "Writes under the drop-in, compared with real Puppet's", :differential do
  # A program that compiles a catalog while functions run `code`, and prints its resources.
  def program(code)
    off, on = %w[off on].map { |mode| DropIn.run(mode, "-e", <<~RUBY) }
      require "puppet"
      require "tmpdir"
      directory = Dir.mktmpdir
      at_exit { FileUtils.rm_rf(directory) }
      Puppet.initialize_settings(["--vardir", "\#{directory}/var", "--confdir", "\#{directory}/conf"])
      Puppet::Util::Log.close_all
      environment = Puppet::Node::Environment.create(:production, [])
      Puppet::Parser::Functions.newfunction(:write, environment: environment) do |_|
        scope, found = self, ->(reference) { catalog.resource(reference) }
        begin
          #{code}
        rescue StandardError
          nil
        end
      end
      Puppet[:code] = <<~PUPPET
        class k($password = 'none') { write() notify { 'in': message => ['x'] } }
        class { 'k': password => 'hunter2' }
        notify { ['a', 'b']: message => ['y'] }
      PUPPET
      node = Puppet::Node.new("web", environment: environment, facts: Puppet::Node::Facts.new("web", {}))
      Puppet.override(current_environment: environment) do
        Puppet::Parser::Compiler.compile(node).resources.each { |found| puts found.ref, found.to_hash.inspect, found.tags.to_a.inspect }
      end
    RUBY
    expect(on.output).to eq(off.output)
    [on.output, on.report["catalog"].values_at("taken", "declined")]
  end

  {
    "found['Class[k]'].parameters[:password].value = '<<redacted>>'" => "Puppet::Parser::Resource::Param#value=",
    "found['Class[k]'].parameters[:password] = found['Class[k]'].parameters[:password].dup.tap { |copy| copy.value = '<<redacted>>' }" =>
      "Puppet::Parser::Resource#parameters.[]=",
    "found['Class[k]'].parameters.delete(:password)" => "Puppet::Parser::Resource#parameters.delete",
    "found['Class[k]'].parameters.each_value { |param| param.instance_variable_set(:@value, '<<redacted>>') }" =>
      "the instance variable @value of a Puppet::Parser::Resource::Param",
    "found['Class[k]'].instance_variable_set(:@parameters, {})" => "the instance variable @parameters of a Puppet::Parser::Resource"
  }.each do |code, reason|
    it "leave no secret behind with `#{code}`" do
      output, (taken, declined) = program(code)
      expect([taken, declined]).to eq([0, {reason => 1}])
      expect(output).not_to include("hunter2")
    end
  end

  {
    "def scope.lookupdefaults(_) = {}" => "the method lookupdefaults of a Puppet::Parser::Scope",
    "scope.extend(Module.new { def lookupdefaults(_) = {} })" => "Puppet::Parser::Scope#extend",
    "catalog.add_edge(found['Class[k]'], found['Class[k]'])" => "Puppet::Graph::SimpleGraph#add_edge"
  }.each do |code, reason|
    it "are Puppet's with `#{code}`" do
      expect(program(code).last).to eq([0, {reason => 1}])
    end
  end

  it "have the tags of resources that functions declare" do
    output, (taken, declined) = program("added = Puppet::Parser::Resource.new('notify', 'new', scope: scope, source: source); " \
                                        "added.tag('extra'); compiler.add_resource(scope, added)")
    expect([taken, declined]).to eq([1, {}])
    expect(output).to include("Notify[new]").and include('"extra"')
  end
end
