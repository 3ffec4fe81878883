# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "../support/module_tree"

# Every subcommand that looks for modules obeys the `environment.conf` of its environment.
RSpec.describe "environment.conf" do
  include ModuleTree

  # As in the official template of control repositories.
  files = {
    "env/environment.conf" => "modulepath = \"site-modules:modules:$basemodulepath\"\nmanifest = 'manifests/nodes.pp'\nenvironment_timeout = 3m\n",
    "env/manifests/nodes.pp" => "notice(own::f(), $environment, $settings::environment_timeout)\ninclude own",
    "env/site-modules/own/functions/f.pp" => "# Says so.\nfunction own::f() { 'own' }",
    "env/site-modules/own/manifests/init.pp" => "class own(String $k) { notify { $k: } }",
    "env/site-modules/own/hiera.yaml" => "version: 5\nhierarchy: [{name: x, path: c.yaml}]\n",
    "env/site-modules/own/data/c.yaml" => "own::k: from data\n",
    "empty/README.md" => ""
  }
  around { |example| with_modules(files) { |root| (@root = File.realpath(root)) && example.run } }

  def puppetfn(*arguments)
    said, status = Open3.capture2e(RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), *arguments, chdir: @root)
    [said, status.exitstatus]
  end

  {
    %w[call own::f] => /\Aown\n\z/, %w[eval own::f()] => /\Aown\n\z/, %w[lookup own::k] => /from data/, ["list", "^own::"] => /own::f/,
    %w[doc own::f] => /Says so/, %w[compile web --format text] => /notify \{ ['"]from data/, %w[why web Notify[from\ data]] => /own/
  }.each do |arguments, said|
    it "counts for `#{arguments.first}`" do
      expect(puppetfn(*arguments, "--environment", "env")).to match([said, 0])
    end
  end

  it "counts for `check`" do
    expect(puppetfn("check", "env")).to match([/no (?:errors|problems)|0 errors|\A\z/i, 0])
  end

  it "gives the settings that code sees" do
    expect(puppetfn("compile", "web", "--environment", "env", "--format", "text").first).to include("Scope(Class[main]): own env 180")
  end

  it "counts for runtimes" do
    expect(Puppetfn::Runtime.new(environment: "#{@root}/env").call_function("own::f")).to eq("own")
    other = Puppetfn::Runtime.new(environment: "#{@root}/env", modulepath: [@root])
    expect { other.call_function("own::f") }.to raise_error(StandardError, /own::f/)
  end

  it "has to be in the directory, or anything else that environments have" do
    problem = "error: --environment: #{@root}/empty is not an environment: it has no environment.conf, manifests, modules, hiera.yaml\n"
    said, status = puppetfn("compile", "web", "--environment", "empty")
    expect(said).to eq(problem)
    expect(status).not_to eq(0)
  end

  it "is that of the environment that a checkout is of" do
    FileUtils.mkdir_p("#{@root}/env/.git")
    expect(puppetfn("compile", "web", "--environment", "env", "--format", "text").first).to include("own production 180")
  end
end
