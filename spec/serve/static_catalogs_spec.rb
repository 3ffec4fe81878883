# frozen_string_literal: true

require_relative "../support/agent_service"
require_relative "../terminus/server"

RSpec.describe "Static catalogs of `puppetfn serve --listen`" do
  include AgentService

  let(:code) do
    <<~'PUPPET'
      file { '/a': source => 'puppet:///modules/m/a' }
      file { '/b': source => ['puppet:///modules/m/none', 'puppet://other.example.com:8140/modules/m/deep/b c/'], checksum => 'md5', source_permissions => 'use', links => 'follow' }
      file { '/link': source => 'puppet:///modules/m/link' }
      file { '/tree': ensure => directory, recurse => true, source => ['puppet:///modules/m/none', 'puppet:///modules/m/deep', 'puppet:///modules/m/a'] }
      file { '/all': ensure => directory, recurse => remote, sourceselect => all, ignore => ['*.bak', 'x'], recurselimit => 1, max_files => 20,
        source => ['puppet:///modules/m/deep', 'puppet:///modules/m/other'] }
      file { '/absent': ensure => absent, source => 'puppet:///modules/m/a' }
      file { '/local': source => ['/etc/hostname', 'puppet:///modules/m/a'] }
      file { '/content': content => 'x' }
      file { '/outside': source => 'puppet:///modules/global/x' }
      file { '/mount': source => 'puppet:///extra/x' }
      file { '/tree of a mount': recurse => true, source => 'puppet:///extra' }
      @file { '/virtual': source => 'puppet:///modules/m/a' }
      @@file { '/exported': source => 'puppet:///modules/m/a' }
    PUPPET
  end
  let(:files) do
    {
      "environments/production/manifests/site.pp" => code,
      "environments/production/environment.conf" => "modulepath = modules:site:../../modules\n",
      "environments/production/modules/m/files/a" => "a",
      "environments/production/modules/m/files/deep/b c" => "b",
      "environments/production/modules/m/files/deep/x/y" => "y",
      "environments/production/modules/m/files/deep/old.bak" => "old",
      "environments/production/site/n/files/z" => "z",
      "environments/production/modules/m/files/other/o" => "o",
      "modules/global/files/x" => "x",
      "extra/x" => "x"
    }
  end

  # Runs a service with commands for versions of code.
  def serve(files = self.files, id: "echo \"id:$1\"", content: "cat \"$(dirname \"$0\")/code/$2/$3\"", **options)
    Dir.mktmpdir do |directory|
      {"id" => id, "content" => content}.each do |name, script|
        File.write("#{directory}/#{name}", "#!/bin/sh\n#{script}\n")
        File.chmod(0o755, "#{directory}/#{name}")
      end
      before = lambda do |root, _certificates|
        File.write("#{root}/fileserver.conf", "[extra]\n  path #{root}/extra\n")
        File.symlink("a", "#{root}/environments/production/modules/m/files/link") if files == self.files
        {}
      end
      listen(files, "--code-id-command", "#{directory}/id", "--code-content-command", "#{directory}/content", before: before, **options) do |requests, root, _certificates, service|
        yield requests, root, directory, service
      end
    end
  end

  def static(requests, **options)
    answer = requests.catalog("web", static_catalog: "true", checksum_type: "unknown.sha256.md5", **options)
    [answer.code, JSON.parse(answer.body)]
  end

  def get(requests, path, **parameters)
    requests.ask("GET", "/puppet/v3/static_file_content/#{path}?#{URI.encode_www_form(parameters)}").then { |answer| [answer.code, answer.body] }
  end

  # The catalog of Puppet's own compiler for the same files.
  def of_puppet(root)
    server = TerminusSpec::Server.new(root, {"enc/web.yaml" => "{}"})
    FileUtils.cp("#{root}/fileserver.conf", "#{root}/conf/fileserver.conf")
    result = server.plain(node: "web", static_catalog: true, checksum_type: "unknown.sha256.md5", code_id: "id:production")
    raise result.error if result.error

    result.answer["filtered"]
  ensure
    server&.stop
  end

  def normal(catalog)
    catalog.slice("metadata", "recursive_metadata", "code_id").tap do |members|
      members["recursive_metadata"]&.each_value { |sources| sources.each_value { |files| files.sort_by! { |file| file["relative_path"] } } }
    end
  end

  it "have the metadata that Puppet's own compiler adds" do
    serve do |requests, root|
      status, catalog = static(requests)
      expect(status).to eq("200"), catalog.inspect
      puppet = of_puppet(root)
      expect(catalog["metadata"].keys).to contain_exactly("/a", "/b", "/link", "/exported")
      expect(catalog["metadata"].keys).to eq(puppet["metadata"].keys)
      expect(normal(catalog)).to eq(normal(puppet))
      expect(catalog["recursive_metadata"].transform_values(&:keys)).to eq("/tree" => ["puppet:///modules/m/deep"], "/all" => ["puppet:///modules/m/deep", "puppet:///modules/m/other"])
      expect(catalog.keys).to eq(puppet.keys)
      expect(catalog["metadata"]["/b"]["content_uri"]).to eq("puppet://other.example.com:8140/modules/m/files/deep/b c")
    end
  end

  it "are only for agents that ask for them, where the settings have them" do
    files = self.files.merge("environments/production/manifests/site.pp" => "file { '/a': source => 'puppet:///modules/m/a' }")
    serve(files) do |requests, root|
      expect(static(requests).last.keys).to include("metadata")
      plain = JSON.parse(requests.catalog("web").body)
      expect([plain["code_id"], plain.key?("metadata")]).to eq(["id:production", false])
      status, error = static(requests, checksum_type: "crc.sha3")
      known = "[:sha256, :sha256lite, :md5, :md5lite, :sha1, :sha1lite, :sha512, :sha384, :sha224, :mtime, :ctime, :none]"
      expect([status, error["message"]]).to eq(
        ["500", "Server Error: Unable to find a common checksum type between agent 'crc.sha3' and master '#{known}'."]
      )
      File.write("#{root}/environments/production/environment.conf", "static_catalogs = false\n")
      catalog = static(requests).last
      expect([catalog["code_id"], catalog.key?("metadata")]).to eq(["id:production", false])
    end
    serve(files, settings: {static_catalogs: false}) { |requests| expect(static(requests).last).not_to have_key("metadata") }
    listen(files) { |requests| expect(static(requests).last).to include("code_id" => nil).and(satisfy { |catalog| !catalog.key?("metadata") }) }
  end

  it "have a real agent get the files of the identifier" do
    code = <<~'PUPPET'
      file { $facts['target']: source => 'puppet:///modules/m/a' }
      file { "${facts['target']}.d": ensure => directory, recurse => true, source => 'puppet:///modules/m/deep' }
    PUPPET
    script = 'echo "$3" >>"$(dirname "$0")/asked"; cat "$(dirname "$0")/code/$1/$2/$3"'
    serve(files.merge("environments/production/manifests/site.pp" => code), id: "echo v1", content: script) do |requests, root, directory|
      FileUtils.mkdir_p("#{directory}/code/production")
      FileUtils.cp_r("#{root}/environments/production", "#{directory}/code/production/v1")
      target = "#{root}/target"
      results = Array.new(2) { puppet(requests, root, "agent", "-t", "--color=false", variables: {"FACTER_target" => target}) }
      expect(results.map { |_, status| status.exitstatus }).to eq([2, 0]), results.map(&:first).join("\n")
      expect([target, "#{target}.d/b c", "#{target}.d/x/y"].map { |file| File.read(file) }).to eq(%w[a b y])
      asked = File.readlines("#{directory}/asked", chomp: true)
      expect(asked).to contain_exactly("modules/m/files/a", "modules/m/files/deep/b c", "modules/m/files/deep/x/y", "modules/m/files/deep/old.bak")
    end
  end

  it "fail for files that do not exist" do
    files = self.files.merge("environments/production/manifests/site.pp" => "file { '/a': source => ['puppet:///modules/m/x', 'puppet:///modules/m/y'] }")
    serve(files) do |requests|
      expect(static(requests)).to eq(
        ["500", {"message" => 'Server Error: Could not get metadata for ["puppet:///modules/m/x", "puppet:///modules/m/y"]', "issue_kind" => "RUNTIME_ERROR"}]
      )
    end
  end

  it "refer to contents that a command prints" do
    serve do |requests, _root, directory|
      FileUtils.mkdir_p("#{directory}/code/v1/modules/m/files/deep")
      File.binwrite("#{directory}/code/v1/modules/m/files/deep/b c", "old\0\xFF".b)
      version = {environment: "production", code_id: "v1"}
      expect(get(requests, "modules/m/files/deep/b%20c", **version)).to eq(["200", "old\0\xFF".b])
      code, body = get(requests, "modules/m/files/none", **version)
      expect([code, body]).to match(["500", /\AInternal Server Error: Non-zero exit code returned while running '.*content'\. exit-code: '1'\z/])
      denied = "Request Denied: A /static_file_content request must be a file within the files, lib, scripts, or tasks directory of a module."
      incomplete = "Error: A /static_file_content request requires an environment, a code-id, and a file-path"
      {
        ["modules/m/manifests/init.pp", version] => ["403", denied], ["modules/m/files/", version] => ["403", denied],
        ["modules/m/files/a", {environment: "production"}] => ["400", incomplete], ["", version] => ["400", incomplete],
        ["modules/m/files/a", version.merge(code_id: "$(id)")] => ["400", "Invalid code-id '$(id)'. Must contain only alpha-numerics and '-', '_', ';', or ':'"],
        ["modules/m/files/a", version.merge(environment: "../x")] => ["400", "The environment must be purely alphanumeric, not '../x'"]
      }.each { |(path, parameters), expected| expect(get(requests, path, **parameters)).to eq(expected) }
      expect(get(requests, "modules/m/files/../../x", **version).first).to eq("400")
    end
    listen { |requests| expect(get(requests, "modules/m/files/a", environment: "production", code_id: "v1")).to match(["500", /code-content-command/]) }
  end

  it "fail when a command fails, prints too much, or no identifier, and log that" do
    {
      "echo secret; echo trouble >&2; exit 3" => [/exit-code: '3'\z/, /exit-code: '3', stderr: 'trouble/], "echo 'not an identifier'" => [/Invalid code-id 'not an identifier'/, nil],
      "yes" => [/the output is larger than 65536 bytes/, /Running script generated an error/], "kill -9 $$" => [/exit-code: '137'/, nil]
    }.each do |script, (message, logged)|
      serve(id: script) do |requests, _root, _directory, service|
        status, error = static(requests)
        expect([status, error["message"]]).to match(["500", message])
        expect(service.log).to match(logged) if logged
      end
    end
    serve(id: "echo careful >&2; printf 'urn:a-1;b_2\n'") do |requests, _root, _directory, service|
      expect(static(requests).last["code_id"]).to eq("urn:a-1;b_2")
      expect(service.log).to match(/ERROR Error output generated while running '.*id'\. stderr: 'careful/)
    end
  end
end
