# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require_relative "../support/module_tree"

# Repositories as people lay them out. Their code is right, so nothing is reported, wherever the command runs.
RSpec.describe "puppetfn check, of layouts of repositories" do
  include ModuleTree

  def check(root, *args, directory: ".")
    command = File.expand_path("../../exe/puppetfn", __dir__)
    out, err, status = Open3.capture3(RbConfig.ruby, command, "check", *args, chdir: File.join(root, directory))
    [out, err, status.exitstatus]
  end

  def self.metadata_json(name, *dependencies)
    JSON.generate("name" => name, "version" => "1.0.0", "author" => name[/\A\w+/], "summary" => "", "license" => "Apache-2.0",
      "source" => "https://example.com", "dependencies" => dependencies.map { |module_name| {"name" => module_name, "version_requirement" => ">= 1.0.0 < 2.0.0"} })
  end

  broken = "class broken { $x = 1 + 'a' }\n"

  one_module = {
    "metadata.json" => metadata_json("acme-ntp", "puppetlabs/stdlib"),
    ".fixtures.yml" => "fixtures:\n  forge_modules:\n    stdlib: puppetlabs/stdlib\n",
    "hiera.yaml" => "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n",
    "data/common.yaml" => "ntp::servers:\n  - a\n",
    "manifests/init.pp" => "class ntp (Array[String] $servers, Ntp::Mode $mode = 'on') {\n  ensure_packages(['ntp'])\n  contain ntp::config\n}\n",
    "manifests/config.pp" => "class ntp::config {\n  file { '/etc/ntp.conf':\n    content => epp('ntp/ntp.conf.epp', { 'servers' => $ntp::servers }),\n  }\n}\n",
    "templates/ntp.conf.epp" => "<%- | Array $servers | -%>\n<%= $servers.join(' ') %>\n",
    "types/mode.pp" => "type Ntp::Mode = Enum['on', 'off']\n",
    "functions/port.pp" => "function ntp::port() >> Integer {\n  123\n}\n",
    "examples/init.pp" => "class { 'ntp':\n  servers => ['a'],\n}\n",
    "spec/fixtures/modules/other/manifests/init.pp" => broken,
    "vendor/bundle/broken.pp" => broken,
    ".gitignore" => "/vendor/\n/spec/fixtures/modules/\n",
  }

  control_repository = {
    "environment.conf" => "modulepath = site:modules:$basemodulepath\n",
    "Puppetfile" => "forge 'https://forge.puppet.com'\nmod 'puppetlabs/stdlib', '9.6.0'\nmod 'puppet-nginx',\n  git: 'https://example.com/nginx'\n",
    "hiera.yaml" => "version: 5\ndefaults:\n  datadir: data\n  data_hash: yaml_data\nhierarchy:\n  - name: nodes\n    path: \"nodes/%{trusted.certname}.yaml\"\n" \
                    "  - name: common\n    path: common.yaml\n",
    "data/common.yaml" => "profile::web::port: 80\nnginx::confd_purge: true\nlookup_options:\n  profile::web::names:\n    merge: unique\n",
    "data/nodes/web1.yaml" => "profile::web::names: ['a']\n",
    "manifests/site.pp" => "node default {\n  include role::web\n  stdlib::ensure_packages(['vim'])\n  ensure_packages(['git'])\n}\n",
    "site/role/manifests/web.pp" => "class role::web {\n  include profile::web\n}\n",
    "site/profile/manifests/web.pp" => "class profile::web (Integer $port, Array[String] $names = []) {\n  include nginx\n" \
                                       "  nginx::resource::server { 'a':\n    listen_port => $port,\n  }\n" \
                                       "  file { '/a':\n    content => epp(\"${module_name}/a.epp\", { 'name' => $facts['networking']['fqdn'] }),\n  }\n}\n",
    "site/profile/templates/a.epp" => "<%- | String $name | -%>\n<%= $name %>\n",
  }

  at_root = control_repository.merge("metadata.json" => metadata_json("acme-control"))

  installed = at_root.merge(
    "modules/stdlib/metadata.json" => metadata_json("puppetlabs-stdlib"),
    "modules/stdlib/manifests/init.pp" => "class stdlib { }\n",
    "modules/stdlib/manifests/broken.pp" => "class stdlib::broken { $x = 1 + 'a' }\n",
    "modules/stdlib/lib/puppet/functions/stdlib/ensure_packages.rb" =>
      "Puppet::Functions.create_function(:'stdlib::ensure_packages') do\n  dispatch :a do\n    param 'Array', :a\n  end\nend\n",
    "modules/stdlib/lib/puppet/functions/ensure_packages.rb" =>
      "Puppet::Functions.create_function(:ensure_packages) do\n  dispatch :a do\n    param 'Array', :a\n  end\nend\n",
    "modules/nginx/metadata.json" => metadata_json("puppet-nginx", "puppetlabs/stdlib", "puppetlabs/concat"),
    "modules/nginx/manifests/init.pp" => "class nginx (Boolean $confd_purge = false) { $x = 1 + 'a' }\n",
    "modules/nginx/manifests/resource/server.pp" => "define nginx::resource::server (Integer $listen_port = 80) { concat::fragment { $name: } }\n",
    ".gitignore" => "/modules/\n",
  )

  monorepo = {
    "modules/base/metadata.json" => metadata_json("acme-base", "puppetlabs/stdlib"),
    "modules/base/manifests/init.pp" => "class base (Array[String] $packages = []) {\n  ensure_packages($packages)\n}\n",
    "modules/app/metadata.json" => metadata_json("acme-app", "acme/base"),
    "modules/app/manifests/init.pp" => "class app {\n  class { 'base':\n    packages => ['a'],\n  }\n  app::instance { 'a': }\n}\n",
    "modules/app/manifests/instance.pp" => "define app::instance (Integer $port = app::port()) {\n  notify { \"${name}:${port}\": }\n}\n",
    "modules/app/functions/port.pp" => "function app::port() >> Integer {\n  80\n}\n",
    "README.md" => "# Modules\n",
  }

  vendored = control_repository.except("Puppetfile").merge(
    "environment.conf" => "modulepath = site-modules:modules\n",
    "site-modules/role/manifests/web.pp" => control_repository["site/role/manifests/web.pp"],
    "site-modules/profile/manifests/web.pp" => control_repository["site/profile/manifests/web.pp"],
    "site-modules/profile/templates/a.epp" => control_repository["site/profile/templates/a.epp"],
  ).merge(installed.slice(*installed.keys.grep(%r{\Amodules/}))).reject { |path, _| path.start_with?("site/") }

  {
    "a module" => [one_module, ["stdlib"]],
    "a control repository" => [control_repository, %w[nginx stdlib]],
    "a control repository with a metadata.json at its root" => [at_root, %w[nginx stdlib]],
    "a control repository with installed modules" => [installed, []],
    "a repository of modules" => [monorepo, ["stdlib"]],
    "site-modules beside vendored modules" => [vendored, []],
  }.each do |layout, (files, missing)|
    it "reports nothing in #{layout}" do
      with_modules(files) do |root|
        out, err, code = check(root)
        expect([out, code]).to eq(["", 0])
        notes = err.lines
        expect(notes.size).to eq(missing.empty? ? 0 : 1)
        expect(notes.first.to_s.scan(/(?:modules?) (.*?) (?:is|are) /).flatten.join.scan(/'(\w+)'/).flatten).to eq(missing)
      end
    end
  end

  it "finds the environment around a directory" do
    with_modules(installed) do |root|
      expect(check(root, directory: "site/profile")).to eq(["", "", 0])
      expect(check(root, "site/profile/manifests/web.pp")).to eq(["", "", 0])
    end
    wrong = installed.merge("site/profile/manifests/web.pp" => "class profile::web {\n  include nginx::absent\n}\n")
    with_modules(wrong) do |root|
      expect(check(root, directory: "site/profile").first).to include("nginx::absent")
    end
  end

  it "reports findings in libraries that are named, and in all with --all" do
    with_modules(installed) do |root|
      expect(check(root, "--all").first).to include("modules/nginx/manifests/init.pp:1", "modules/stdlib/manifests/broken.pp:1")
      expect(check(root, "modules/stdlib").first).to include("broken.pp:1")
      expect(check(root, directory: "modules/nginx").first).to include("manifests/init.pp:1")
    end
    with_modules(one_module) do |root|
      expect(check(root, "--all").first).to include("vendor/bundle/broken.pp:1")
    end
  end

  it "names the command that installs missing modules" do
    with_modules(control_repository) { |root| expect(check(root)[1]).to end_with("; install with `puppetfn fixtures`\n") }
    with_modules(one_module) { |root| expect(check(root)[1]).to end_with("; install with `puppetfn fixtures`\n") }
    with_modules(monorepo) { |root| expect(check(root)[1]).to end_with("`ensure_packages`\n") }
  end
end
