# frozen_string_literal: true

require "json"
require_relative "../support/module_tree"

RSpec.describe Puppetfn::Environment, "#compile" do
  include ModuleTree

  files = {
    "env/environment.conf" => "modulepath = site\n",
    "env/site/role/manifests/init.pp" => "class role { notify { \"role ${facts['os']} ${trusted['hostname']}\": } }",
    "env/manifests/site.pp" => "include role\nnotice('compiled')"
  }.freeze

  def logged(catalog)
    catalog.runtime.logs.map { |level, message| [level, message] }
  end

  it "compiles a node with its facts, and the modules of environment.conf" do
    with_modules(files) do |root|
      environment = described_class.new("#{root}/env")
      expect(environment.modulepath).to eq(["#{root}/env/site"])
      catalog = environment.compile("web1.example.com", facts: {"os" => "Linux"})
      expect(catalog.resource("Notify[role Linux web1]")).not_to be_nil
      expect(logged(catalog)).to eq([[:notice, "compiled"]])
      expect(catalog.name).to eq("web1.example.com")
    end
  end

  it "has the options of the command" do
    with_modules(files.merge("env/facts.json" => '{"name": "other", "values": {"os": "BSD"}}')) do |root|
      environment = described_class.new("#{root}/env", name: "test")
      File.write("#{root}/env/manifests/site.pp", "notice($server_facts, $servername, $settings::storeconfigs, $environment)")
      options = {server_fact: {servername: "p", serverip: "", serverip6: ""}, setting: ["storeconfigs=true"], limit: {fuel: 1000}}
      catalog = environment.compile("web1", facts: "#{root}/env/facts.json", classes: ["role"], **options)
      facts = "{serverversion => 8.11.0, servername => p, environment => test}"
      expect(logged(catalog)).to eq([[:warning, "These are the facts of other, not of web1"], [:notice, "#{facts} p true test"]])
      expect(catalog.resource("Class[role]")).not_to be_nil
      expect(Puppetfn.limits).to include(fuel: nil)
    end
  end

  it "collects exported resources" do
    rows = [{"certname" => "web2", "type" => "Notify", "title" => "x", "exported" => true, "parameters" => {"message" => "m"}}]
    with_modules("env/manifests/site.pp" => "Notify <<| |>>", "rows.json" => JSON.generate(rows)) do |root|
      catalog = described_class.new("#{root}/env").compile("web1", exports: "#{root}/rows.json")
      expect(catalog.resource("Notify[x]")[:message]).to eq("m")
    end
  end

  it "fails with the class of the error, its node and its place" do
    with_modules(files.merge("env/manifests/site.pp" => "\nfail('no')")) do |root|
      environment = described_class.new("#{root}/env")
      expect { environment.compile("web1") }.to raise_error(Puppet::PreformattedError, /Function Call, no/) { |error|
        expect([error.node, error.file, error.line]).to eq(["web1", "#{root}/env/manifests/site.pp", 2])
      }
      expect { environment.compile("web1", facts: {"server_facts" => 1}) }.to raise_error(Puppet::Error, /reserved variable name: 'server_facts' on node web1/)
      expect { environment.compile("web1", facts: "/nope") }.to raise_error(ArgumentError, %r{\Afacts: /nope: No such file})
      expect { environment.compile("web1", hiera_config: "/nope") }.to raise_error(ArgumentError, %r{\Ahiera_config: /nope: })
      expect { environment.compile("web1", nosuch: 1) }.to raise_error(ArgumentError, /unknown field `nosuch`/)
    end
  end
end
