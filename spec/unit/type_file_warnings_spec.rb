# frozen_string_literal: true

require "open3"
require_relative "../support/module_tree"

# Files of type aliases are read when a type is needed. Their warnings are logged then, as by Puppet 8.11.
RSpec.describe "puppetfn compile" do
  include ModuleTree

  def compile(files, *options)
    with_modules(files) do |directory|
      _, log, = Open3.capture3(*Puppetfn::CLI.command, "compile", "web1", "--environment", directory, *options)
      log.lines(chomp: true).grep_v(/Compiled catalog/).map { |line| line.sub(directory, "") }
    end
  end

  let(:files) do
    {
      "manifests/site.pp" => "notice('first')\nnotice({port => 'a'} =~ M::Options)\nnotice({} =~ M::Options)\nnotice('a/b' =~ M::Path)\n",
      "modules/m/types/options.pp" => "type M::Options = Struct[{\n  Optional['port'] => Integer,\n  Optional['port'] => String,\n}]\n",
      "modules/m/types/path.pp" => "type M::Path = Pattern[\"a\\/b\"]\n"
    }
  end

  let(:escape) { "Warning: Unrecognized escape sequence '\\/' (file: /modules/m/types/path.pp, line: 1, column: 30)" }

  it "logs what is questionable in the file of a type, when the type is first used" do
    expect(compile(files, "--strict", "warning")).to eq([
      "Notice: Scope(Class[main]): first",
      "Warning: The key '[\"port\"]' is declared more than once (file: /modules/m/types/options.pp, line: 3, column: 20)",
      "Notice: Scope(Class[main]): true",
      "Notice: Scope(Class[main]): true",
      escape,
      "Notice: Scope(Class[main]): true"
    ])
  end

  it "logs only wrong escape sequences where nothing is to be strict" do
    expect(compile(files, "--strict", "off")).to eq([
      "Notice: Scope(Class[main]): first",
      "Notice: Scope(Class[main]): true",
      "Notice: Scope(Class[main]): true",
      escape,
      "Notice: Scope(Class[main]): true"
    ])
  end

  it "logs them before the messages of Ruby and before errors" do
    site = "notice(m::warn(M::Path))\nfail(\"${M::Options}\")\n"
    ruby = "Puppet::Functions.create_function(:'m::warn') { def warn(t) = Puppet.warning('Ruby') }\n"
    changed = {"manifests/site.pp" => site, "modules/m/lib/puppet/functions/m/warn.rb" => ruby}
    expect(compile(files.merge(changed), "--strict", "warning")).to match([
      escape,
      "Warning: Ruby",
      "Notice: Scope(Class[main]): Ruby",
      a_string_starting_with("Warning: The key '[\"port\"]' is declared more than once (file: /modules/m/types/options.pp"),
      a_string_starting_with("Error: Evaluation Error: Error while evaluating a Function Call, M::Options = Struct[")
    ])
  end
end
