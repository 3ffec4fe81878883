# frozen_string_literal: true

require_relative "../support/module_tree"

# What Puppet does when it reads definitions, whether they are used or not. All answers are Puppet 8.11's.
RSpec.describe "Reading definitions" do
  include ModuleTree

  def outcome(files)
    with_modules({"environment.conf" => "", **files}) do |root|
      catalog = Puppetfn::Environment.new(root, name: "test").compile("n")
      catalog.runtime.logs.to_a
    rescue Puppet::Error => e
      e.message.gsub("#{root}/", "")
    end
  end

  def failure(text, file, line, column)
    "Evaluation Error: #{text} (file: #{file}, line: #{line}, column: #{column}) on node n"
  end

  unknown = "Resource type not found: Nope::A"
  init = "modules/m/manifests/init.pp"

  it "evaluates the types of parameters of a main manifest before its code" do
    expect(outcome("manifests/site.pp" => "notice(1) class unused(Nope::A $y) { }"))
      .to eq(failure(unknown, "manifests/site.pp", 1, 24))
    expect(outcome("manifests/site.pp" => "notice(1) define unused(Integer[0, 'a'] $r) { }"))
      .to eq(failure("Integer-Type [] requires all arguments to be integers (or default). Got String", "manifests/site.pp", 1, 36))
  end

  it "reads all files of a main manifest first" do
    files = {"manifests/a.pp" => "class a(Nope::A $y) { }", "manifests/b.pp" => "class {"}
    expect(outcome(files)).to start_with("Could not parse for environment test: Syntax error at end of input")
  end

  it "evaluates the types of parameters of a module's file when a name is looked for in it" do
    ["notice(defined('m'))", "include m"].each do |code|
      expect(outcome("manifests/site.pp" => code, init => "class m(Nope::A $x = 1) { }")).to eq(failure(unknown, init, 1, 9))
    end
  end

  it "evaluates the types of parameters of all definitions in that file" do
    definitions = ["class m { define inner(Nope::A $x) { } }", "class m { } class m::unused(Nope::A $x) { }"]
    columns = definitions.map do |text|
      outcome("manifests/site.pp" => "include m", init => text)[/column: (\d+)/, 1]
    end
    expect(columns).to eq(%w[24 29])
  end

  it "evaluates the types of a file before it refuses names that are defined already" do
    expect(outcome("manifests/site.pp" => "class a { } class a(Nope::A $x) { }")).to eq(failure(unknown, "manifests/site.pp", 1, 21))
  end

  it "reads init.pp before the file that is named for a class" do
    files = {"manifests/site.pp" => "include m::x", init => "class other { }", "modules/m/manifests/x.pp" => "class another { }"}
    expect(outcome(files)).to include("Unacceptable location. The name 'other' is unacceptable in file '#{init}'")
  end

  it "parses both before it takes their definitions" do
    files = {"manifests/site.pp" => "include m::x", init => "class m(Nope::A $x) { }", "modules/m/manifests/x.pp" => "class {"}
    expect(outcome(files)).to start_with("Syntax error at end of input")
  end

  it "reports a parameter named like a metaparameter where the class is included" do
    expect(outcome("manifests/site.pp" => "include m", init => "class m($alias) { }")).to eq(
      failure("Error while evaluating a Function Call, alias is a metaparameter; please choose another parameter name in the m " \
              "definition", "manifests/site.pp", 1, 1)
    )
  end

  it "refuses modules named like Puppet's loaders" do
    %w[environment pcore_resource_types puppet_system].each do |name|
      expect(outcome("manifests/site.pp" => "notice(", "modules/#{name}/manifests/init.pp" => ""))
        .to eq("Internal Error: Attempt to redefine loader named '#{name}' on node n")
    end
    expect(outcome("manifests/site.pp" => "notice(1)", "modules/static/manifests/init.pp" => "")).to eq([[:notice, "1"]])
  end
end
