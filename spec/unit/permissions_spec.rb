# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../support/module_tree"

# What docs/safety.md says that code of modules may do, and the switches for it.
RSpec.describe Puppetfn::Runtime, "permissions" do
  include ModuleTree

  # Leaves a trace where it runs.
  traced = ->(code) { "File.write(File.join(ENV.fetch('TRACES'), File.basename(__FILE__)), '')\n#{code}" }

  files = {
    "m/lib/puppet/functions/m/f.rb" => traced["Puppet::Functions.create_function(:'m::f') { def f = 'ran' }"],
    "m/lib/puppet/functions/m/data.rb" => traced["Puppet::Functions.create_function(:'m::data') { def data(*) = {'m::key' => 'ran'} }"],
    "m/lib/puppet/functions/m/helped.rb" => traced["require 'puppet_x/helper'\nPuppet::Functions.create_function(:'m::helped') { def helped = 'ran' }"],
    "m/lib/puppet_x/helper.rb" => traced["module PuppetX; end"],
    "m/lib/puppet/parser/functions/old.rb" => traced["Puppet::Parser::Functions.newfunction(:old, type: :rvalue) { |_arguments| 'ran' }"],
    "m/lib/puppet/datatypes/typed.rb" => traced["Puppet::DataTypes.create_type('Typed') { interface 'attributes => {}' }"],
    "m/lib/puppet/type/thing.rb" => traced["Puppet::Type.newtype(:thing) { newparam(:name) }"],
    "m/lib/puppet/provider/service/own.rb" => traced["Puppet::Type.type(:service).provide(:own) { }"],
    "m/lib/facter/fact.rb" => traced["Facter.add(:fact) { setcode { 'ran' } }"],
    "m/templates/t.erb" => "<% #{traced["'ran'"].tr("\n", ";")} %>ran",
    "m/templates/t.epp" => "ran",
    "m/functions/puppet.pp" => "function m::puppet() { 'ran' }",
    "m/manifests/init.pp" => "class m { notify { 'ran': } }",
    "m/files/f" => "ran",
    "m/hiera.yaml" => "version: 5\nhierarchy: [{name: x, data_hash: m::data}]\n",
    "environments/production/hiera.yaml" => "version: 5\nhierarchy: [{name: x, path: c.yaml}, {name: out, path: '../../../outside/data.yaml'}, {name: glob, glob: '../../../outside/*.yaml'}]\n",
    "environments/production/data/c.yaml" => "inside: ran",
    "environments/production/manifests/site.pp" => "notify { 'a': message => m::puppet() }",
    "environments/production/environment.conf" => "modulepath = ../../\nconfig_version = /bin/touch $environmentpath_traces/version\n",
    "outside/data.yaml" => "outside: ran",
    "global/hiera.yaml" => "version: 5\nhierarchy: [{name: x, path: c.yaml}]\n",
    "global/data/c.yaml" => "global: ran",
    "traces/.keep" => ""
  }

  around do |example|
    with_modules(files) do |root|
      @root = root
      conf = "#{root}/environments/production/environment.conf"
      File.write(conf, File.read(conf).sub("$environmentpath_traces", "#{root}/traces"))
      before, ENV["TRACES"] = ENV["TRACES"], "#{root}/traces"
      example.run
    ensure
      ENV["TRACES"] = before
    end
  end

  def runtime(**options)
    described_class.new(modulepath: [@root], **options)
  end

  def traces
    Dir.children("#{@root}/traces").reject { |name| name == ".keep" }
  end

  def puppetfn(*arguments)
    command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), *arguments, "--modulepath", @root]
    Open3.capture2e(*command).then { |said, status| [said, status.exitstatus] }
  end

  uses = {
    "m/lib/puppet/functions/m/f.rb" => [%w[call m::f], ->(runtime) { runtime.call_function("m::f") }],
    "m/lib/puppet/functions/m/helped.rb" => [%w[call m::helped], ->(runtime) { runtime.call_function("m::helped") }],
    "m/lib/puppet/functions/m/data.rb" => [%w[lookup m::key], ->(runtime) { runtime.lookup("m::key") }],
    "m/lib/puppet/parser/functions/old.rb" => [%w[call old], ->(runtime) { runtime.call_function("old") }],
    "m/lib/puppet/datatypes/typed.rb" => [%w[eval Typed()], ->(runtime) { runtime.type("Typed").new }],
    "m/lib/puppet/type/thing.rb" => [nil, ->(runtime) { runtime.evaluate_string("thing { 'a': }") }],
    "m/templates/t.erb" => [%w[call template "m/t.erb"], ->(runtime) { runtime.call_function("template", "m/t.erb") }]
  }

  describe "ruby: false" do
    uses.each do |path, (command, use)|
      it "does not run #{path}" do
        expect { use.call(runtime(ruby: false)) }
          .to raise_error(StandardError, %r{#{path} is in Ruby, which this runtime does not run \(--no-ruby, Puppetfn::Runtime\.new\(ruby: false\)\)})
        expect(traces).to be_empty
        next unless command

        expect(puppetfn(*command, "--no-ruby")).to match([/#{path} is in Ruby, which this runtime does not run/, 1])
        expect(traces).to be_empty
        expect(puppetfn(*command).last).to eq(0)
        expect(traces).not_to be_empty
      end
    end

    it "does not run what another runtime of the same modules has loaded" do
      expect(runtime.call_function("m::f")).to eq("ran")
      expect { runtime(ruby: false).call_function("m::f") }.to raise_error(Puppetfn::RefusedError)
      expect(runtime.call_function("m::f")).to eq("ran")
    end

    it "renders no template that is a text" do
      expect { runtime(ruby: false).call_function("inline_template", "<%= 1 %>") }
        .to raise_error(Puppet::ParseError, /the template that was given as a text is in Ruby, which this runtime does not run/)
    end

    it "loads no providers" do
      refused = runtime(ruby: false).evaluate_string("service { 'a': provider => own }").then { nil }
      expect(refused).to be_nil
      catalog = described_class.new(modulepath: [@root], ruby: false).tap { |made| made.evaluate_string("service { 'a': provider => own }") }.catalog
      expect { catalog.to_ral }.to raise_error(StandardError, %r{provider/service/own.rb is in Ruby})
      expect(traces).to be_empty
    end

    it "lists, checks and documents modules without running them" do
      expect(puppetfn("list", "^m::", "--no-ruby")).to match([%r{error: m::f: .*m/f.rb is in Ruby, which this runtime does not run}, 1])
      expect(puppetfn("check", "#{@root}/m").last).to eq(0)
      expect(puppetfn("doc", "m::f").last).to eq(0)
      expect(traces).to be_empty
    end

    it "runs all else" do
      made = runtime(ruby: false)
      code = "[m::puppet(), epp('m/t.epp'), file('m/f'), [1].map |$x| { upcase('ran') }]"
      expect(made.evaluate_string(code)).to eq(["ran", "ran", "ran", ["RAN"]])
      made.define_function("own") { def own = "ran" }
      expect(made.evaluate_string("include m\nfile { '/a': ensure => file }\nown()")).to eq("ran")
      expect(made.catalog.to_ral.resources.map(&:ref)).to include("Notify[ran]", "File[/a]")
      expect(puppetfn("compile", "web", "--environment", "#{@root}/environments/production", "--no-ruby", "--format", "text").last).to eq(0)
    end
  end

  describe "outside_files: false" do
    around do |example|
      Dir.mktmpdir { |directory| (@outside = File.realpath(directory)) && File.write("#{@outside}/f.epp", "secret") && example.run }
    end

    it "lets code read no other files than those of modules and the environment" do
      path = "#{@outside}/f.epp"
      refused = "The file #{path} cannot be read: it is outside of the modulepath and the environment, and nothing else is to be read " \
                "(--no-outside-files, Puppetfn::Runtime.new(outside_files: false))"
      %w[file find_file binary_file epp find_template template].each do |name|
        expect { runtime(outside_files: false).call_function(name, path) }.to raise_error(StandardError, /#{Regexp.escape(refused)}/)
        expect(runtime.call_function(name, path).to_s).not_to be_empty
        expect(puppetfn("call", name, path.to_json, "--no-outside-files")).to match([/#{Regexp.escape(refused)}/, 1])
      end
      expect { runtime(outside_files: false).call_function("file", "#{@root}/m/../../../../../../../../etc/passwd") }
        .to raise_error(StandardError, /it is outside of the modulepath/)
    end

    it "follows no links that lead out, but modules that are links" do
      File.symlink("#{@outside}/f.epp", "#{@root}/m/files/link")
      FileUtils.mkdir_p("#{@outside}/module/files")
      File.write("#{@outside}/module/files/f", "ran")
      File.symlink("#{@outside}/module", "#{@root}/linked")
      confined = runtime(outside_files: false)
      expect { confined.call_function("file", "m/link") }.to raise_error(StandardError, /Could not find any files from m\/link|it is outside/)
      expect(runtime.call_function("file", "m/link")).to eq("secret")
      expect(confined.evaluate_string("[file('m/f'), epp('m/t.epp'), file('linked/f'), m::f()]")).to eq(%w[ran ran ran ran])
    end

    it "lets data be in modules, in the environment and beside the configuration" do
      data = ->(key, **options) do
        described_class.new(modulepath: ["#{@root}/none"].each { |path| FileUtils.mkdir_p(path) }, environment: "#{@root}/environments/production",
                            hiera_config: "#{@root}/global/hiera.yaml", **options).lookup(key, default: nil)
      end
      expect(%w[inside global outside].map { |key| data.call(key) }).to eq(%w[ran ran ran])
      expect(%w[inside global outside].map { |key| data.call(key, outside_files: false) }).to eq(["ran", "ran", nil])
    end
  end

  it "runs the command of environment.conf unless that is switched off" do
    compile = ["compile", "web", "--environment", "#{@root}/environments/production", "--format", "summary"]
    expect(puppetfn(*compile, "--no-config-version").last).to eq(0)
    expect(traces).to be_empty
    expect(puppetfn(*compile).last).to eq(0)
    expect(traces).to eq(["version"])
  end

  describe "allow: [:exec]" do
    code = "generate('/bin/echo', 'ran')"

    it "lets `generate` run programs, which it does not otherwise" do
      refused = %r{generate\(\) may not run '/bin/echo': functions run no programs unless that is allowed \(--allow exec, }
      expect { runtime.evaluate_string(code) }.to raise_error(StandardError, refused)
      expect(runtime(allow: [:exec]).evaluate_string(code)).to eq("ran\n")
      expect(puppetfn("eval", code)).to match([refused, 1])
      expect(puppetfn("eval", code, "--allow", "exec")).to eq(["ran\n\n", 0])
    end

    it "can be said by the project, unless no Ruby of its modules is run" do
      File.write("#{@root}/environments/production/puppetfn.toml", "allow = [\"exec\"]\n")
      File.write("#{@root}/environments/production/manifests/site.pp", "notice(#{code})")
      compile = ["compile", "web", "--environment", "#{@root}/environments/production", "--format", "summary"]
      expect(puppetfn(*compile)).to match([/^Notice: Scope\(Class\[main\]\): ran$/, 0])
      expect(puppetfn(*compile, "--no-ruby")).to match([/generate\(\) may not run/, 1])
      expect(puppetfn(*compile, "--no-ruby", "--allow", "exec").last).to eq(0)
    end
  end
end
