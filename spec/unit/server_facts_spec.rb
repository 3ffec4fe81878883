# frozen_string_literal: true

require "json"
require "open3"
require "tmpdir"

# The keys are Puppet 8.11's: https://github.com/puppetlabs/puppet/blob/8.11.0/lib/puppet/node/server_facts.rb.
RSpec.describe "facts of the server" do
  def command(*words)
    Open3.capture2e(RbConfig.ruby, "-Ilib", "exe/puppetfn", *words).first
  end

  names = %w[serverversion servername serverip serverip6 environment]
  code = "notice($server_facts.keys - $server_facts.keys.filter |$k| { $k in %p }, $server_facts['serverversion'], $serverversion == '8.11.0', $servername == $server_facts['servername'])" % [names]

  it "are the same through every door" do
    expected = /\[\] 8\.11\.0 true true/
    Dir.mktmpdir do |directory|
      Dir.mkdir("#{directory}/manifests")
      File.write("#{directory}/manifests/site.pp", code)
      expect(command("compile", "n", "--environment", directory, "--format", "summary")).to match(expected)
      catalog = Puppetfn::Environment.new(directory).compile("n")
      runtime = Puppetfn::Runtime.new.tap { |made| made.compile(code) }
      [catalog.runtime, runtime].each { |one| expect(one.logs.map { |_, message| message }).to contain_exactly(match(expected)) }
      expect(command("eval", code)).to match(expected)
      File.write("#{directory}/hiera.yaml", JSON.generate(version: 5, hierarchy: [{name: "a", path: "a.yaml"}]))
      Dir.mkdir("#{directory}/data")
      File.write("#{directory}/data/a.yaml", 'k: "%{server_facts.serverversion} %{serverversion} %{server_facts.environment}"')
      expect(command("lookup", "k", "--environment", directory, "--render-as", "s")).to eq("8.11.0 8.11.0 #{File.basename(directory)}\n")
    end
  end

  it "are set by an option" do
    Dir.mktmpdir do |directory|
      File.write("#{directory}/site.pp", "notice($server_facts)")
      compile = ["compile", "n", "--manifest", "#{directory}/site.pp"]
      facts = %w[servername=p.example.com serverip= serverip6=].flat_map { |fact| ["--server-fact", fact] }
      expect(command(*compile, *facts)).to start_with(
        "Notice: Scope(Class[main]): {serverversion => 8.11.0, servername => p.example.com, environment => production}\n"
      )
      expect(command(*compile, "--server-fact", "hostname=x")).to match(/expected serverversion, serverimplementation, servername, serverip, serverip6, got 'hostname'/)
    end
  end
end
