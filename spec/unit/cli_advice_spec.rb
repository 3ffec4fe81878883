# frozen_string_literal: true

require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../support/module_tree"

RSpec::Matchers.define_negated_matcher(:not_include, :include)

# What the command says about mistakes that people make in their first hour.
RSpec.describe "exe/puppetfn" do
  include ModuleTree

  command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__)]

  # What the command writes to standard output and standard error, and its exit code.
  define_method(:puppetfn) do |*args, chdir: "/"|
    out, err, status = Open3.capture3(*command, *args, chdir: chdir)
    [out, err, status.exitstatus]
  end

  it "says which argument of a failed call looks like JSON and is not" do
    _, err, code = puppetfn("call", "join", '{"a": 1', '[","', "x")

    expect(code).to eq(1)
    expect(err.lines.last(2)).to eq(
      [
        "help: argument 1 looks like JSON but is invalid, so it was passed as a string: EOF while parsing an object at line 1 column 7\n",
        "help: argument 2 looks like JSON but is invalid, so it was passed as a string: EOF while parsing a list at line 1 column 4\n"
      ]
    )
    expect(puppetfn("call", "size", "[ab")).to eq(["3\n", "", 0])
  end

  it "says that there are no facts where code uses them" do
    hint = "help: no facts were given: `--facts FILE` reads the facts of a node\n"

    ['$facts["os"]["family"]', '"${facts["os"]["family"]}"', '$::facts["os"]["family"]'].each do |code|
      expect(puppetfn("eval", code)).to match(["", end_with(hint), 1])
    end
    with_modules("facts.json" => '{"os": {}}') do |directory|
      _, err, code = puppetfn("eval", '$facts["os"]["family"]["x"]', "--facts", "#{directory}/facts.json")
      expect([err, code]).to match([start_with("error: ").and(not_include("help: ")), 1])
    end
    expect(puppetfn("eval", "$my_facts")[1]).not_to include("help: ")
  end

  it "names `compile` for code that needs a catalog" do
    ["file { '/tmp/x': }", "include ntp", "class a { }"].each do |code|
      expect(puppetfn("eval", code)).to match(
        ["", end_with("\nhelp: `puppetfn compile NODE --manifest FILE` compiles a catalog\n"), 1]
      )
    end
  end

  it "evaluates code that calls functions in Ruby" do
    file = "Puppet::Functions.create_function(:'mod::twice') { def twice(x) = 2 * x + closure_scope['facts']['n'] }"
    with_modules("mod/lib/puppet/functions/mod/twice.rb" => file, "facts.json" => '{"n": 1}') do |modules|
      args = ["--modulepath", modules, "--facts", "#{modules}/facts.json"]

      expect(puppetfn("eval", "notice('hi') [1, 2].map |$x| { mod::twice($x) }", *args)).to eq(["[3, 5]\n", "notice: hi\n", 0])
      expect(puppetfn("eval", "[1, 2].reverse_each", *args)).to eq(["Iterator[Integer]-Value\n", "", 0])
    end
  end

  it "says that nothing matches a pattern, and what may have been meant" do
    more = "help: `--modulepath DIR` adds the functions and types of modules\n"

    expect(puppetfn("list", "nosuch")).to eq(["", "error: no function matches 'nosuch'\n#{more}", 1])
    expect(puppetfn("list", "upcse", "--json"))
      .to eq(["[]\n", "error: no function matches 'upcse'; did you mean 'upcase'?\n#{more}", 1])
    with_modules("mod/types/port.pp" => "type Mod::Port = Integer") do |modules|
      expect(puppetfn("list", "--types", "Mod::Prot", "--modulepath", modules))
        .to eq(["", "error: no type matches 'Mod::Prot'; did you mean 'Mod::Port'?\n", 1])
    end
  end

  it "names the class of exceptions that are no errors of code, such as Puppet's of functions that define methods" do
    files = {
      "old/lib/puppet/parser/functions/old.rb" => "module Puppet::Parser::Functions\n  newfunction(:old) { |_| }\n  def helper; end\nend",
      "old/lib/puppet/functions/old/todo.rb" => "Puppet::Functions.create_function(:'old::todo') { def todo = raise(NotImplementedError, 'later') }",
      "old.pp" => "old()", "todo.pp" => "old::todo()"
    }
    with_modules(files) do |modules|
      compiled = ->(name) { puppetfn("compile", "web", "--manifest", "#{modules}/#{name}.pp", "--modulepath", modules) }
      expect(compiled.call("old"))
        .to match(["", /\AError: SecurityError: Illegal method definition of method 'helper' in source .*old\.rb on line 6 in legacy/, 1])
      expect(compiled.call("todo")).to match(["", /\AError: later/, 1])
    end
  end

  it "names the function that needs a gem which is not there" do
    at_once = "require 'nosuch/gem'\nPuppet::Functions.create_function(:'redis::get') { def get(key) = key }"
    late = "Puppet::Functions.create_function(:'redis::late') { def late(key) = require('nosuch') }"
    legacy = "Puppet::Parser::Functions.newfunction(:old, type: :rvalue) { |args| require 'net/ldap/nosuch' }"
    files = {
      "redis/lib/puppet/functions/redis/get.rb" => at_once, "redis/lib/puppet/functions/redis/late.rb" => late,
      "redis/lib/puppet/parser/functions/old.rb" => legacy, "redis/functions/set.pp" => "function redis::set($x) { redis::get($x) }",
      "site.pp" => "notice(redis::get('x'))"
    }
    with_modules(files) do |modules|
      in_modules = ["--modulepath", modules]
      needs = lambda do |name, file, library, gem = nil|
        "error: cannot load such file -- #{library}\n\nthe function '#{name}' (#{modules}/redis/lib/puppet/#{file}) needs the library " \
          "'#{library}', which is not installed#{"; it is in the gem '#{gem}': gem install #{gem}" if gem}\n"
      end
      get = needs.call("redis::get", "functions/redis/get.rb", "nosuch/gem")

      [%w[call redis::get x], %w[call redis::set x], ["eval", "redis::set('x')"]].each do |args|
        expect(puppetfn(*args, *in_modules)).to eq(["", get, 1])
      end
      expect(puppetfn("compile", "web", "--manifest", "#{modules}/site.pp", *in_modules)).to eq(["", get.sub("error", "Error"), 1])
      expect(puppetfn("call", "redis::late", "x", *in_modules))
        .to eq(["", needs.call("redis::late", "functions/redis/late.rb", "nosuch"), 1])
      expect(puppetfn("call", "old", "x", *in_modules)).to eq(["", needs.call("old", "parser/functions/old.rb", "net/ldap/nosuch", "net-ldap"), 1])
    end
  end

  it "says that there are no specs to test" do
    Dir.mktmpdir do |directory|
      where = "help: run `puppetfn test` in the directory of a module with specs in spec/, or name spec files\n"
      expect(puppetfn("test", chdir: directory)).to eq(["", "error: spec: there is no such file or directory\n#{where}", 1])
      expect(puppetfn("test", "x_spec.rb:3", ".", chdir: directory))
        .to eq(["", "error: x_spec.rb:3: there is no such file or directory\n#{where}", 1])
      Dir.mkdir(File.join(directory, "spec"))
      expect(puppetfn("test", chdir: directory)).to eq(["", "error: there are no specs in spec\n#{where}", 1])
    end
  end
end
