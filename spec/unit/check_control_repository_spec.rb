# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require_relative "../support/module_tree"

RSpec.describe "puppetfn check and doc, of a control repository" do
  include ModuleTree

  def run(root, *args)
    command = File.expand_path("../../exe/puppetfn", __dir__)
    out, err, status = Open3.capture3(RbConfig.ruby, command, *args, chdir: root)
    [out, err, status.exitstatus]
  end

  base = {
    "environment.conf" => "modulepath = site:modules:$basemodulepath\n",
    "manifests/site.pp" => "node default { include role::web }",
    "site/role/manifests/web.pp" => "# A web server.\nclass role::web { file { '/x': content => epp(\"${module_name}/x.epp\") } }",
    "site/role/templates/x.epp" => "hello",
  }
  metadata = {"metadata.json" => JSON.generate("name" => "acme-control", "version" => "0.1.0", "dependencies" => [])}

  it "is not taken for a module because of a metadata.json at its root" do
    with_modules(base.merge(metadata, "Puppetfile" => "mod 'puppetlabs/stdlib', '9.6.0'\n")) do |root|
      expect(run(root, "check", ".")).to match(["", "", 0])
      out, = run(root, "doc", ".")
      expect(out).to include("role::web", "A web server.")
    end
  end

  it "may use functions of modules that its Puppetfile or environment.conf name and that are not installed" do
    site = "node default { ensure_packages(['vim']) $x = other::thing(1) include elsewhere }"
    [
      {"Puppetfile" => "forge 'x'\nmod 'puppetlabs/stdlib', '9.6.0'\n", "modules/.keep" => ""},
      {"environment.conf" => "modulepath = site:modules\n"},
    ].each do |files|
      with_modules(base.merge(files, "manifests/site.pp" => site)) do |root|
        out, _, code = run(root, "check", ".")
        expect([out, code]).to eq(["", 0])
      end
    end
  end

  it "may not use functions that no module defines where all modules are installed" do
    files = {"manifests/site.pp" => "ensure_packages(['vim'])", "Puppetfile" => "mod 'acme/tools'\n",
             "modules/tools/manifests/init.pp" => "class tools { }"}
    with_modules(base.merge(files)) do |root|
      out, _, code = run(root, "check", ".")
      expect([out, code]).to match([/Unknown function: 'ensure_packages'/, 1])
    end
  end

  it "may use the facts in its files of facts, its hierarchy, its data and the output of its classifier" do
    names = %w[$role $tier $site_name $zone_name $datacenter]
    files = {
      "manifests/site.pp" => "node default { notice(#{names.join(", ")}, $nowhere) }",
      "facts/web1.json" => '{"name": "web1", "values": {"role": "web"}}', "facts/berlin/web2.yaml" => "tier: 1\n",
      "enc/web1.yaml" => "classes: []\nparameters:\n  datacenter: berlin\n", "data/common.yaml" => "a: '%{facts.zone_name}'\n",
      "hiera.yaml" => "version: 5\nhierarchy:\n  - name: site\n    path: '%{::site_name}.yaml'\n  - name: all\n    path: common.yaml\n",
    }
    with_modules(files.merge("environment.conf" => "", "modules/.keep" => "")) do |root|
      out, = run(root, "check", ".", "--format", "json")
      expect(JSON.parse(out).map { |finding| finding["message"][/\$\w+/] }).to eq(["$nowhere"])
    end
  end

  it "has the resource defaults of its main manifest for modules that are checked alone" do
    files = {
      "manifests/site.pp" => "Exec { path => '/bin' }\ninclude role::web",
      "site/role/manifests/web.pp" => "class role::web { exec { 'x': command => 'visudo -c' } }",
    }
    with_modules(base.merge(files)) do |root|
      [".", "site/role", "site/role/manifests/web.pp"].each { |path| expect(run(root, "check", path)).to match(["", anything, 0]) }
      File.write("#{root}/manifests/site.pp", "include role::web")
      expect(run(root, "check", "site/role").first).to include("'visudo' is not qualified and no path was specified")
    end
  end

  it "may look up data with functions of its modules in a module without code that is checked alone" do
    files = {
      "environment.conf" => "modulepath = modules:installed\n",
      "modules/secrets/hiera.yaml" => "version: 5\nhierarchy:\n  - name: vault\n    lookup_key: vault::data\n",
      "installed/vault/functions/data.pp" => "function vault::data($key, $options, $context) { $context.not_found() }",
    }
    with_modules(base.merge(files)) do |root|
      expect(run(root, "check", "modules/secrets").first).not_to include("Unable to find")
      expect(run(root, "check", ".").first).not_to include("Unable to find")
    end
  end

  it "may look up data with undef as the default of another type, which stands for no default" do
    files = {"site/role/manifests/web.pp" => "class role::web { $x = lookup('a', Array, undef, undef) $y = lookup('a', Array, undef, 'b') }"}
    with_modules(base.merge(files)) do |root|
      out, = run(root, "check", ".", "--format", "json")
      expect(JSON.parse(out).map { |finding| finding["message"] }).to eq(["Default value has wrong type, expects Array"])
    end
  end

  it "may set parameters of the type Optional without another, of which Puppet accepts all values" do
    files = {
      "site/role/manifests/web.pp" => "class role::web (Optional $x, Array[Optional] $y = []) { role::thing { 'a': x => 5, y => ['b'] } }",
      "site/role/manifests/thing.pp" => "define role::thing (Optional $x, Array[Optional] $y) { }",
      "hiera.yaml" => "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n", "data/common.yaml" => "role::web::x: a\nrole::web::y: b\n"
    }
    with_modules(base.merge(files)) do |root|
      out, = run(root, "check", ".", "--format", "json")
      expect(JSON.parse(out).map { |finding| finding["message"] })
        .to eq(["Class[Role::Web]: parameter 'y' has wrong type, expects an Array[Optional] value, got 'b'"])
    end
  end

  it "may have types without constructors make instances of themselves" do
    code = <<~'PUPPET'
      type Ensure = Enum['absent', 'present']
      type Address = Variant[Pattern[/^\d/], Pattern[/:/]]
      class app(String $ensure = 'present', String $ip = '10.0.0.1', Pattern[/a/] $p = 'a') {
        notice(Ensure($ensure), Address.new(split($ip, '/')[0]), Pattern[/a/].new($ensure), Variant[Integer, String].new($ip))
      }
    PUPPET
    with_modules("site.pp" => code, "bad.pp" => "notice(Enum['a'].new('b'))") do |root|
      expect(run(root, "check", "site.pp")).to eq(["", "", 0])
      expect(run(root, "check", "bad.pp").first).to include("Creation of new instance of type 'Enum['a']' is not supported")
    end
  end
end
