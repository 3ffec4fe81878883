# frozen_string_literal: true

require "stringio"
require_relative "../support/module_tree"

# What the errors of functions that do not exist can explain.
RSpec.describe "the hint to a function that does not exist" do
  include ModuleTree

  files = {
    "modules/m/functions/first.pp" => "function m::first() { m::frist() }",
    "modules/m/functions/last.pp" => "function m::last() { 1 }",
    "modules/m/lib/puppet/functions/m/ruby.rb" =>
      "Puppet::Functions.create_function(:'m::ruby') { def ruby = call_function('m::lats') }",
    "site-modules/own/functions/f.pp" => "function own::f() { 1 }",
    "site-modules/own/lib/puppet/functions/own_global.rb" => "Puppet::Functions.create_function(:own_global) { def own_global = 1 }"
  }

  # The error of a block that gets a runtime with the modules.
  def error(files)
    with_modules(files) do |root|
      yield Puppetfn::Runtime.new(modulepath: ["#{root}/modules"], environment: root)
    rescue Puppet::Error, ArgumentError => e
      e.explain&.gsub(root, "<ROOT>")
    end
  end

  it "is what the name is like, from Ruby and from code, which both word the error as Puppet does" do
    expect(error(files) { |rt| rt.call_function("m::frist") }).to eq("did you mean 'm::first'?")
    expect(error(files) { |rt| rt.evaluate_string("m::frist()") }).to eq("did you mean 'm::first'?")
    expect(error(files) { |rt| rt.evaluate_string("m::first()") }).to eq("did you mean 'm::first'?")
    expect(error(files) { |rt| rt.call_function("m::ruby") }).to start_with("did you mean 'm::last'")
    expect(error(files) { |rt| rt.call_function("last") }).to start_with("did you mean 'm::last'")
    expect(error(files) { |rt| rt.call_function("joinn") }).to eq("did you mean 'join' or 'cty::join'?").or start_with("did you mean 'join'")
    expect { Puppetfn::Runtime.new.call_function("joinn") }.to raise_error(ArgumentError, "Unknown function 'joinn'")
    expect { Puppetfn::Runtime.new.evaluate_string("joinn()") }
      .to raise_error(Puppet::PreformattedError, "Evaluation Error: Unknown function: 'joinn'. (line: 1, column: 1)")
  end

  it "is where the function is, when that is not on the modulepath" do
    elsewhere = "'own::f' is in <ROOT>/site-modules/own/functions/f.pp, " \
                "and <ROOT>/site-modules is not on the modulepath of this environment"
    expect(error(files) { |rt| rt.evaluate_string("own::f()") }).to eq(elsewhere)
    expect(error(files) { |rt| rt.call_function("own_global") }).to include("<ROOT>/site-modules is not on the modulepath")
  end

  it "is that there is no such module" do
    expect(error(files) { |rt| rt.call_function("ghost::walk") }).to eq("there is no module 'ghost' on the modulepath")
  end

  it "is nothing where there is nothing to say" do
    expect(error(files) { |rt| rt.call_function("xyzzyxyzzy") }).to be_nil
    expect(error(files) { |rt| rt.call_function("no function") }).to be_nil
  end

  it "is shown by the command" do
    with_modules(files) do |root|
      err = StringIO.new
      Puppetfn::CLI.run(["call", "m::frist", "--modulepath", "#{root}/modules"], out: StringIO.new, err: err)

      expect(err.string).to eq("error: Unknown function 'm::frist'\n\ndid you mean 'm::first'?\n")
    end
  end
end
