# frozen_string_literal: true

require "json"
require "tmpdir"
require "puppetfn"

RSpec.describe Puppetfn::Program do
  let(:runtime) { Puppetfn::Runtime.new }

  it "has its tree in Puppet Notation" do
    program = runtime.parse_string("[1, 'a'].map |$x| { $x }", "site.pp")
    expect(program.to_pn).to eq('(call-method {:functor (. (array 1 "a") (qn "map")) :args [] :block (lambda {:params {:x {}} :body [(var "x")]})})')
    expect(runtime.parse_string("$x").to_pn(true)).to eq("(var\n  \"x\")")
    expect(program.file).to eq("site.pp")
  end

  it "has its tree as JSON" do
    tree = JSON.parse(runtime.parse_string("# Why\nclass a { }", "site.pp").to_json)
    expect(tree["file"]).to eq("site.pp")
    expect(tree["statements"].first).to include("type" => "class", "doc" => "Why", "span" => [6, 17])
    expect(JSON.parse(JSON.generate([runtime.parse_string("1")]))).to match([hash_including("version" => 1)])
  end

  it "is read from a file, which may be a template" do
    Dir.mktmpdir do |dir|
      File.write(File.join(dir, "a.epp"), "é<%= $x %>")
      File.write(File.join(dir, "a.pp"), "1 +")
      expect(runtime.parse_file(File.join(dir, "a.epp")).to_pn).to include('(render-s "é")')
      expect { runtime.parse_file(File.join(dir, "a.pp")) }
        .to raise_error(Puppet::ParseError, "Syntax error at end of input (file: #{dir}/a.pp)")
    end
  end

  it "is refused with Puppet's text" do
    expect { runtime.parse_string("$a = ]", "site.pp") }
      .to raise_error(Puppet::ParseError, "Syntax error at ']' (file: site.pp, line: 1, column: 6)")
    expect { runtime.parse_string("$a::b = 1\n$c::d = 2") }
      .to raise_error(Puppet::ParseError, "Language validation logged 2 errors. Giving up")
    expect(runtime.logs.map(&:first)).to eq(%i[err err])
  end

  it "knows plans and scripts only if it is told to" do
    expect(runtime.parse_string("plan p() { }", tasks: true).to_pn).to eq('(plan {:name "p"})')
    expect { runtime.parse_string("plan p() { }") }.to raise_error(Puppet::ParseError)
    expect(runtime.validate_string("file { 'a': }", tasks: true).map(&:code)).to eq(["EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING"])
    expect(runtime.validate_string("file { 'a': }")).to be_empty
  end

  it "defines only what its file in a module is named for" do
    in_module = Puppetfn::Runtime.new(modulepath: ["/usr"])
    expect { in_module.parse_string("class b { }", "/usr/a/manifests/init.pp") }.to raise_error(Puppet::ParseError, /unacceptable in file/)
    expect(in_module.parse_string("class a { }", "/usr/a/manifests/init.pp")).to be_a(described_class)
  end

  it "has diagnostics, each with its place" do
    found = runtime.validate_string(%(notice("\\d")\n$a::b = 1), "site.pp")
    expect(found.map(&:severity)).to eq(%i[warning error])
    expect(found.last.to_s).to eq("Illegal attempt to assign to 'a::b'. Cannot assign to variables in other namespaces (file: site.pp, line: 2, column: 1)")
    expect(runtime.validate_string("1 + ").map(&:message)).to eq(["Syntax error at end of input"])
    expect(runtime.logs).to be_empty
  end

  it "cannot nest without end" do
    expect { runtime.parse_string("[" * 100_000) }.to raise_error(Puppetfn::LimitError)
  end
end
