# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "../support/module_tree"

# `$settings::NAME` and `Puppet[:name]`. The values are Puppet 8.11's, `puppet apply` as root.
RSpec.describe Puppetfn::Settings do
  include ModuleTree

  def puppetfn(*arguments, chdir: ".")
    said, status = Open3.capture2e(RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), *arguments, chdir: chdir)
    [said, status.exitstatus]
  end

  def value_of(code, **settings)
    Puppetfn::Runtime.new(settings: settings).evaluate_string(code)
  end

  # All of Puppet's but `name`, which is the name of the class.
  it "has Puppet's 237 settings" do
    expect(value_of("$settings::all_local.length")).to eq(237)
    expect(value_of("[$settings::name, $settings::title, $settings::all_local['name']]")).to eq(["settings", "settings", nil])
  end

  {
    storeconfigs: false, environment: "production", maxwaitforcert: Float::INFINITY, runinterval: 1800, statettl: 2_764_800,
    certificate_revocation: "chain", node_terminus: "plain", node_cache_terminus: nil, server_list: [], serverport: 8140, ca_port: 8140,
    reports: "store", config_version: "", autosign: "/c/autosign.conf", ssldir: "/c/ssl", hostcert: "/c/ssl/certs/web.pem",
    ca_name: "Puppet CA: web", factpath: "/v/lib/facter:/v/facts", statefile: "/v/state/state.yaml", hiera_config: "/c/hiera.yaml",
    pidfile: "/run/p/user.pid", splaylimit: 1800, strict: "error", strict_variables: true, maximum_uid: 4_294_967_290,
    supported_checksum_types: %w[sha256 sha384 sha512 sha224 md5], disable_warnings: [], ldapstring: "(&(objectclass=puppetClient)(cn=%s))"
  }.each do |name, value|
    it "has the default of #{name}" do
      given = {confdir: "/c", vardir: "/v", rundir: "/run/p", codedir: "/code", certname: "web"}
      expect(value_of("$settings::#{name}", **given)).to eq(value)
    end
  end

  it "makes of values what Puppet does" do
    {
      [:runinterval, "2h"] => 7200, [:waitforcert, "30"] => 30, [:environment_timeout, "unlimited"] => Float::INFINITY,
      [:certificate_revocation, "true"] => "chain", [:certificate_revocation, "false"] => false, [:autosign, "true"] => true,
      [:server_list, "a:1,b"] => [%w[a 1], ["b"]], [:disable_warnings, "a, b"] => %w[a b], [:priority, "low"] => 10,
      [:basemodulepath, "/a/../b:/c/"] => "/b:/c", [:ssldir, "$confdir/${certname}"] => "/c/web", [:serverport, "8141"] => 8141
    }.each do |(name, set), value|
      expect(value_of("$settings::#{name}", confdir: "/c", certname: "web", name => set)).to eq(value), name.name
    end
  end

  it "refuses what Puppet does" do
    {
      {storeconfigs: "maybe"} => "Invalid value '\"maybe\"' for boolean parameter: storeconfigs",
      {runinterval: "soon"} => "Invalid duration format '\"soon\"' for parameter: runinterval",
      {environment_timeout: "soon"} => "Invalid 'time to live' format '\"soon\"' for parameter: environment_timeout",
      {keylength: "long"} => "Cannot convert '\"long\"' to an integer for parameter: keylength",
      {key_type: "dsa"} => "Invalid value 'dsa' for parameter key_type. Allowed values are 'rsa', 'ec'",
      {ssldir: "$nothing/x"} => "Error converting value for param 'certdir': Error converting value for param 'ssldir': Could not find value for $nothing",
      {ssldir: "$ssldir/x"} => /it refers to itself/
    }.each do |settings, message|
      expect { value_of("$settings::noop", **settings) }.to raise_error(StandardError, message)
    end
  end

  it "is what functions in Ruby read and assign" do
    runtime = Puppetfn::Runtime.new(settings: {confdir: "/c"})
    runtime.activate do
      expect([Puppet[:ssldir], Puppet[:strict], Puppet[:node_terminus], Puppet[:noop], Puppet[:nonsense]])
        .to eq(["/c/ssl", :error, :plain, false, nil])
      Puppet[:confdir] = "/d"
      expect(Puppet[:ssldir]).to eq("/d/ssl")
      expect { Puppet[:nonsense] = 1 }.to raise_error(ArgumentError, "Attempt to assign a value to unknown setting :nonsense")
    end
  end

  it "makes the directory of `vardir` when functions first ask for it" do
    with_modules({}) do |root|
      vardir = "#{root}/var/lib"
      runtime = Puppetfn::Runtime.new(settings: {vardir: vardir})
      expect(runtime.evaluate_string("$settings::vardir")).to eq(vardir)
      expect(File.exist?(vardir)).to be(false)
      runtime.activate { expect(Puppet[:vardir]).to eq(vardir) }
      expect(File.directory?(vardir)).to be(true)
    end
  end

  describe "the command" do
    files = {
      "puppet.conf" => <<~CONF,
        confdir = /early
        [main]
        # a comment
        certname = "main.example.com"
        environmentpath = $confdir/envs
        nonsense = 1
        [server]
        storeconfigs = true
        certname = 'server.example.com'
        [user]
        certname = user.example.com
      CONF
      "wrong.conf" => "[production]\nmodulepath = x\n", "bad.conf" => "[main]\nno setting\n",
      "puppetfn.toml" => "[settings]\nreports = \"none\"\nnoop = true\ncertname = \"toml\"\n",
      "env/manifests/site.pp" => "notice($settings::certname, $settings::reports, $settings::manifest)"
    }
    around { |example| with_modules(files) { |root| (@root = File.realpath(root)) && example.run } }

    {
      %w[--config puppet.conf] => "[server.example.com, true, /early/envs, none]",
      %w[--config puppet.conf --run-mode user] => "[user.example.com, false, /early/envs, none]",
      %w[--config puppet.conf --setting certname=x --setting reports=a,b] => "[x, true, /early/envs, a,b]",
      %w[--setting confdir=/c] => "[toml, false, /etc/puppetlabs/code/environments, none]"
    }.each do |options, said|
      it "takes settings from #{options.join(" ")}" do
        code = "[$settings::certname, $settings::storeconfigs, $settings::environmentpath, $settings::reports]"
        expect(puppetfn("eval", code, *options, "--setting", "codedir=/etc/puppetlabs/code", chdir: @root)).to eq(["#{said}\n", 0])
      end
    end

    {
      %w[--setting certnam=x] => "Puppet has no setting 'certnam'; did you mean 'certname'?",
      %w[--config wrong.conf] => "line 1: Illegal section 'production' in config file",
      %w[--config bad.conf] => "line 2: Could not match line no setting",
      %w[--setting noop=perhaps] => "Invalid value '\"perhaps\"' for boolean parameter: noop"
    }.each do |options, problem|
      it "refuses #{options.join(" ")}" do
        said, status = puppetfn("eval", "1", *options, chdir: @root)
        expect(said).to include(problem)
        expect(status).not_to eq(0)
      end
    end

    it "compiles catalogs with them" do
      said, status = puppetfn("compile", "web", "--environment", "env", "--setting", "certname=s", "--format", "summary", chdir: @root)
      expect([said[/^Notice: Scope.*$/], status]).to eq(["Notice: Scope(Class[main]): s none #{@root}/env/manifests", 0])
    end

    it "obeys `strict` and `strict_variables`, unless an option says otherwise" do
      expect(puppetfn("eval", "$unknown =~ Undef", "--setting", "strict_variables=false", "--setting", "strict=off", chdir: @root)).to eq(["true\n", 0])
      said, status = puppetfn("eval", "'1' + 1", "--setting", "strict=error", chdir: @root)
      expect([said, status]).to match([/The string '1' was automatically coerced/, 1])
      expect(puppetfn("eval", "'1' + 1", "--setting", "strict=error", "--strict", "off", chdir: @root)).to eq(["2\n", 0])
    end
  end

  it "is known to `puppetfn check`" do
    with_modules("site.pp" => "notice($settings::ssldir, $::settings::storeconfigs, $settings::all_local, $settings::title)\n" \
                              "notice($settings::sslldir)\n") do |root|
      said, status = puppetfn("check", "#{root}/site.pp")
      message = "error: Unknown variable: 'settings::sslldir'. Puppet has no setting sslldir; did you mean 'ssldir'? [unknown-class-variable]"
      expect([said.scan(/^(?:error|warning).*$/), status]).to eq([[message], 1])
    end
  end
end
