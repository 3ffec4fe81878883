# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require "stringio"
require_relative "../support/module_tree"

RSpec.describe "exe/puppetfn" do
  include ModuleTree

  def command
    [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__)]
  end

  # What the command writes to standard output and standard error, and its exit code.
  def puppetfn(*args)
    out, err, status = Open3.capture3(*command, *args, chdir: "/")
    [out, err, status.exitstatus]
  end

  # A module file that defines a function.
  def function(name, body)
    {"#{name[/\w+/]}/lib/puppet/functions/#{name.gsub("::", "/")}.rb" =>
      "Puppet::Functions.create_function(:'#{name}') do\n#{body}\nend\n"}
  end

  it "calls a function, and prints the result as Puppet shows it or as JSON" do
    expect(puppetfn("call", "join", '["a", 1]', "-")).to eq(["a-1\n", "", 0])
    expect(puppetfn("call", "type", "[1]")).to eq(["Tuple[Integer[1, 1]]\n", "", 0])
    expect(puppetfn("call", "then", "{}", "--json").last).to eq(1)
  end

  it "calls and lists functions of the 3.x API" do
    file = "Puppet::Parser::Functions.newfunction(:leg, type: :rvalue, arity: 1) { |args| args.inspect }"
    with_modules("mod/lib/puppet/parser/functions/leg.rb" => file) do |modules|
      expect(puppetfn("call", "leg", "null", "--modulepath", modules)).to eq(["[\"\"]\n", "", 0])
      expect(puppetfn("list", "leg", "--modulepath", modules)).to eq(["leg(Any p0)  # #{modules}/mod/lib/puppet/parser/functions/leg.rb\n", "", 0])
    end
  end

  it "parses and validates code" do
    with_modules("a.pp" => "$x + 1", "b.pp" => "$x = ]") do |dir|
      expect(puppetfn("parse", "#{dir}/a.pp")).to eq(["(+ (var \"x\") 1)\n", "", 0])
      expect(puppetfn("validate", "#{dir}/a.pp")).to eq(["", "", 0])
      out, err, code = puppetfn("validate", dir)
      expect([out, code]).to eq(["", 1])
      expect(err).to start_with("error: Syntax error at ']'\n --> #{dir}/b.pp:1:6\n")
    end
  end

  it "checks calls of functions in Ruby by what their files declare" do
    twice = function("mod::twice", "dispatch(:twice) { param 'Integer', :x; optional_param 'String', :y; return_type 'Integer' }\ndef twice(x, y = nil) = 2 * x")
    code = "class mod { $a = mod::twice('1') $b = mod::twice(1, 'x', 2) $c = mod::twice(1)['x'] $d = mod::twice(1, 'x') + 1 }"
    with_modules(twice.merge("mod/manifests/init.pp" => code)) do |modules|
      out, err, status = puppetfn("check", modules, "--modulepath", modules, "--format", "json")
      expect([err, status]).to eq(["", 1])
      expect(JSON.parse(out).map { |found| found.values_at("rule", "message", "line") }).to eq(
        [
          ["argument-mismatch", "'mod::twice' parameter 'x' expects an Integer value, got String", 1],
          ["argument-mismatch", "'mod::twice' expects between 1 and 2 arguments, got 3", 1],
          ["access", "Operator '[]' is not applicable to Integer.", 1]
        ]
      )
    end
  end

  it "gives JSON arguments as Puppet's values, and gets them back" do
    with_modules(function("mod::echo", "dispatch(:echo) { repeated_param 'Any', :args }\ndef echo(*args) = args")) do |modules|
      values = [1, -2.5, true, nil, "a b", {"k" => [nil, {}]}, "[not JSON", "é"]
      args = values.map { |value| value.is_a?(String) ? value : JSON.generate(value) }
      out, err, code = puppetfn("call", "mod::echo", "--modulepath", modules, "--json", "--", *args)

      expect([JSON.parse(out), err, code]).to eq([values, "", 0])
    end
  end

  it "prints what has no JSON form as the string that Puppet shows" do
    body = "def odd = [:default, /a.b/, Puppet::Pops::Types::PSensitiveType::Sensitive.new('x'), {1 => 0.5}]"
    with_modules(function("mod::odd", body)) do |modules|
      out, = puppetfn("call", "mod::odd", "--modulepath", modules, "--json")

      expect(JSON.parse(out)).to eq(["default", "/a.b/", "Sensitive [value redacted]", {"1" => 0.5}])
    end
  end

  it "lets functions see facts and the environment" do
    body = "def seen = [closure_scope['facts']['os'], closure_scope['environment']]"
    with_modules(function("mod::seen", body).merge("facts.json" => '{"os": {"family": "Debian"}}', "staging/x" => "")) do |dir|
      args = ["--facts", "#{dir}/facts.json", "--environment", "#{dir}/staging", "--modulepath", dir]

      expect(puppetfn("call", "mod::seen", *args)).to eq(["[{family => Debian}, staging]\n", "", 0])
    end
  end

  it "prints on standard error what a function logs" do
    expect(puppetfn("call", "warning", "watch out")).to eq(["\n", "warning: watch out\n", 0])
  end

  describe "a function that fails" do
    {
      "def bad = raise(Puppet::ParseError, 'no luck')" => "no luck",
      "def bad = nil.frobnicate" => "frobnicate",
      "def bad = 10**5000" => "more than the 4,000 digits",
      "def bad = throw(:nowhere)" => "uncaught throw :nowhere",
      "def bad = exit(7)" => "exit",
      "def bad = bad" => "stack level too deep",
      "def bad = call_function('mod::bad')" => "call each other too deep for Ruby's stack"
    }.each do |body, message|
      it "says why on standard error: #{body}" do
        with_modules(function("mod::bad", body)) do |modules|
          out, err, code = puppetfn("call", "mod::bad", "--modulepath", modules)

          expect([out, code]).to eq(["", 1])
          expect(err).to start_with("error: ").and include(message)
          expect(err).not_to match(/\.rb:\d+:in/)
        end
      end
    end

    it "is told from arguments that do not match" do
      out, err, code = puppetfn("call", "join", "x")

      expect([out, code]).to eq(["", 1])
      expect(err).to start_with("error: 'join' parameter 'arg' expects an Array value, got String\n\n")
        .and end_with("  actual:\n    join(String) - arg count {1}\n")
    end

    it "is told from one that does not exist" do
      expect(puppetfn("call", "mod::nothing")).to eq(["", "error: Unknown function 'mod::nothing'\n\nthere is no module 'mod' on the modulepath\n", 1])
    end
  end

  it "lists functions and their signatures, and says which cannot be loaded" do
    good = function("mod::good", "dispatch(:a) { param 'Integer[1]', :x }\ndispatch(:b) { param 'String', :x }\ndef a(x) = 1\ndef b(x) = 2")
    with_modules(good.merge(function("mod::bad", "dispatch(:a) {"))) do |modules|
      out, err, code = puppetfn("list", "^mod::", "--modulepath", modules)

      origin = "#{modules}/mod/lib/puppet/functions/mod/good.rb"
      expect(out).to eq("mod::good(Integer[1] x)  # #{origin}\nmod::good(String x)  # #{origin}\n")
      expect(err).to start_with("error: mod::bad: ")
      expect(code).to eq(1)
    end
  end

  it "lists type aliases" do
    with_modules("mod/types/port.pp" => "type Mod::Port = Integer[1, 65535]") do |modules|
      expect(puppetfn("list", "--types", "::", "--modulepath", modules)).to eq(["Mod::Port = Integer[1, 65535]  # #{modules}/mod/types/port.pp\n", "", 0])
    end
  end

  it "lists resource types with their attributes and providers" do
    files = {"mod/lib/puppet/type/book.rb" => "Puppet::Type.newtype(:book) { ensurable; newparam(:title) }",
             "mod/lib/puppet/type/odd.rb" => "raise",
             "mod/lib/puppet/provider/book/shop.rb" => "Puppet::Type.type(:book).provide(:shop) { }"}
    with_modules(files) do |modules|
      out, err, code = puppetfn("list", "--types", "^(book|odd|notify|group)$", "--modulepath", modules)

      expect(out).to start_with("book { ensure, title } by shop  # #{modules}/mod/lib/puppet/type/book.rb\ngroup { ensure, gid, ")
      expect(out).to match(/ by aix, .*groupadd.*  # built in\nnotify \{ message, withpath, name \}  # built in\n\z/)
      expect([err, code]).to eq(["error: odd: #{modules}/mod/lib/puppet/type/odd.rb should define odd, but does not\n", 1])
      listed = JSON.parse(puppetfn("list", "--types", "book", "--json", "--modulepath", modules).first)
      expect(listed).to eq([{"name" => "book", "attributes" => %w[ensure title], "providers" => %w[shop],
                             "origin" => "#{modules}/mod/lib/puppet/type/book.rb"}])
    end
  end

  it "tells wrong arguments by the exit code 2" do
    [["frob"], ["call"], ["call", "join", "--frob"], ["list", "--facts", "/nowhere.json"], ["list", "("]].each do |args|
      out, err, code = puppetfn(*args)

      expect([out, code]).to eq(["", 2])
      expect(err).to start_with("error: ")
    end
  end

  it "prints its version and its help" do
    expect(puppetfn("--version")).to eq(["puppetfn #{Puppetfn::VERSION} (answers as Puppet 8.11.0)\n", "", 0])
    expect(puppetfn("--help")).to match([/^Examples:\n/, "", 0])
  end

  it "ends quietly when nobody reads on" do
    Open3.popen3(*command, "list") do |stdin, stdout, stderr, process|
      stdin.close
      stdout.close

      expect([stderr.read, process.value.exitstatus]).to eq(["", 0])
    end
  end

  it "says when the output cannot be written" do
    out, err, status = Open3.capture3("#{command.join(" ")} list > /dev/full")

    expect([out, status.exitstatus]).to eq(["", 1])
    expect(err).to start_with("error: cannot write the output: ").and include("No space left on device")
  end

  it "runs within a Ruby program, too" do
    out = StringIO.new
    err = StringIO.new

    expect(Puppetfn::CLI.run(["call", "size", "[1, 2]"], out: out, err: err)).to eq(0)
    expect(Puppetfn::CLI.run(["call", "size", "1"], out: out, err: err)).to eq(1)
    expect(out.string).to eq("2\n")
    expect(err.string).to include("'size' parameter 'arg' expects")
  end
end
