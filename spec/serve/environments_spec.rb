# frozen_string_literal: true

require "open3"
require_relative "../support/agent_service"
require_relative "../support/differential"

RSpec.describe "The environments that `puppetfn serve --listen` describes" do
  include AgentService

  let(:path) { "/puppet/v3/environment_classes?environment=production" }
  let(:files) do
    {
      "environments/production/manifests/site.pp" => "class site { }\nnode default { include site }",
      "environments/production/modules/m/manifests/init.pp" => <<~'PUPPET',
        class m (
          $any,
          Integer $number = 3,
          Integer $negative = -3,
          Float $float = 1.50,
          String $plain = 'literal ünï',
          String $quoted = "literal string",
          String $interpolated = "for os in ${facts['os']['family']}",
          Regexp $pattern = /^.*/,
          Default $default = default,
          Optional[String] $undef = undef,
          Hash $numbers = { 1 => 2, "two" => 3},
          Hash $nested = { "two" => { "three" => 4, 'a' => [true] }, "one" => 2, },
          Array[Variant[Integer, Enum['a', "b"]], 1, default] $list = [ 1, [ 2, default ] ],
          Array $values = [ 1, [ 2, name ] ],
          Struct[{ 'k' => String[1], Optional['o'] => Pattern[/x/] }] $struct = { 'k' => 'v' },
          M::Known $known = lookup('x'),
          Other::Thing[1] $other = $number + 1,
          $conditional = $facts['a'] ? { 'x' => 1, default => (2 * 3) },
          Callable[String, 1] $block = File['/x'],
          $text = @("EOT"),
            a heredoc
              of two lines, ü
            | EOT
          $trimmed = @(EOT),
            three

             lines
            |- EOT
          $raw = @(RAW),
            raw
          RAW
          $brackets = ((1 + 2) * (3)),
          $call = $facts.map |$k, $v| { ($k) },
          $short = $facts ? default => 1,
          $negated = !($facts['x'] =~ /x/),
          $words = [a, 'b', "${number}"],
          $access = $facts['a']['b'],
          $method = 'x'.upcase,
          $last = M::Known,
        ) inherits m::base {
          class inner($x = 1) { }
        }
      PUPPET
      "environments/production/modules/m/types/known.pp" => "type M::Known = String",
      "environments/production/modules/m/manifests/base.pp" => "class m::base { }\ndefine m::thing { }",
      "environments/production/modules/m/manifests/deep/er.pp" => "class m::deep::er { }",
      "environments/production/modules/m/manifests/.hidden.pp" => "class m::hidden { }",
      "environments/production/modules/m/manifests/wrong.pp" => "class m::wrong {\n  $x = \n}",
      "environments/production/modules/m/manifests/named.pp" => "class m::other { }",
      "environments/production/modules/m/manifests/several.pp" => "class m::several { $a = 1\n $a += 2\n 1 \n import 'x' }",
      "environments/production/modules/Not-A-Module/manifests/init.pp" => "class not { }",
      "environments/production/modules/n/metadata.json" => JSON.generate(name: "acme-n", version: "1.2.3", source: "x", author: "a", license: "l", dependencies: []),
      "environments/next/manifests/site.pp" => "",
      "auth.conf" => <<~CONF
        authorization: { version: 1, rules: [
          {match-request: {path: "/puppet/v3/environment_", type: path}, allow: "*", sort-order: 500, name: "environments"}
        ]}
      CONF
    }
  end

  # Puppet's own description of all manifests, as puppetserver sorts it.
  let(:program) do
    <<~'RUBY'
      require "puppet"
      require "puppet/info_service"
      require "json"
      Puppet.initialize_settings(["--confdir", ARGV[0], "--vardir", "#{ARGV[0]}/puppet", "--environmentpath", "#{ARGV[0]}/environments"])
      Puppet.settings.preferred_run_mode = :server
      Puppet::Util::Log.close_all
      Puppet::ApplicationSupport.push_application_context(Puppet::Util::RunMode[:server])
      environment = Puppet.lookup(:environments).get("production")
      files = Dir.glob("#{environment.manifest}/**/*.pp") + environment.modules.flat_map(&:all_manifests)
      sort = ->(data) do
        case data
        when Hash then data.to_h { |key, value| [key.to_s, sort.(value)] }.sort.to_h
        when Array then data.map(&sort)
        else data
        end
      end
      classes = Puppet.override(current_environment: environment) { Puppet::InfoService::ClassInformationService.new.classes_per_environment("production" => files)["production"] }
      described = classes.map { |path, entry| sort.(entry.merge(path: path)) }.sort_by { |entry| entry["path"] }
      print JSON.generate("files" => described, "name" => "production")
    RUBY
  end

  def described(root)
    output, log, status = Open3.capture3(*Differential::RUBY, "-e", program, root)
    raise log unless status.success?

    output
  end

  def with_environments(&block)
    Dir.mktmpdir do |directory|
      rules = files.delete("auth.conf")
      File.write("#{directory}/auth.conf", rules)
      listen(files, "--auth-conf", "#{directory}/auth.conf", settings: {basemodulepath: "#{directory}/modules"}, &block)
    end
  end

  it "have the classes that Puppet's own service finds, byte for byte" do
    with_environments do |requests, root|
      answer = requests.ask("GET", path)
      expect([answer.code, answer["Content-Type"]]).to eq(["200", "application/json"])
      expect(answer.body).to include("default_source")
      ours, puppet = [answer.body, described(root)].map { |text| JSON.parse(text).fetch("files").to_h { |file| [File.basename(file["path"]), file] } }
      ours.each { |name, file| expect(file).to eq(puppet[name]), "#{name}:\n#{JSON.pretty_generate(file)}\n#{JSON.pretty_generate(puppet[name])}" }
      expect(answer.body).to eq(described(root))
    end
  end

  it "have errors of single files" do
    files["environments/production/manifests/types.pp"] = "class types(Enum[1] $x) { }"
    files["environments/production/manifests/bytes.pp"] = "class bytes { } # \xFF".b
    with_environments do |requests|
      errors = JSON.parse(requests.ask("GET", path).body)["files"].to_h { |file| [File.basename(file["path"]), file["error"]] }.compact
      expect(errors).to match(
        "types.pp" => "The parameter '$x' is invalid: Enum parameters must be identifiers or strings", "bytes.pp" => /UTF-8/,
        "wrong.pp" => %r!\ASyntax error at '}' \(file: /.*/wrong\.pp, line: 3, column: 1\)\z!, "several.pp" => /\ALanguage validation logged 2 errors\. Giving up/,
        "named.pp" => /\AUnacceptable location\. The name 'm::other' is unacceptable in file/, "base.pp" => /The name 'm::thing' is unacceptable/
      )
    end
  end

  it "have entity tags, by which clients that know the classes get none" do
    with_environments do |requests, root|
      first = requests.ask("GET", path)
      tag = first["ETag"]
      expect(tag).to eq(OpenSSL::Digest.hexdigest("SHA256", first.body))
      [tag, "#{tag}--gzip"].each do |known|
        again = requests.ask("GET", path, headers: {"If-None-Match" => known})
        expect([again.code, again.body, again["ETag"]]).to eq(["304", nil, tag])
      end
      File.write("#{root}/environments/production/manifests/site.pp", "class site2 { }")
      changed = requests.ask("GET", path, headers: {"If-None-Match" => tag})
      expect([changed.code, changed["ETag"] == tag]).to eq(["200", false])
      expect(changed.body).to include("site2")
    end
  end

  it "have modules with names and versions" do
    with_environments do |requests|
      one = requests.ask("GET", "/puppet/v3/environment_modules?environment=production")
      production = {"modules" => [{"name" => "m", "version" => nil}, {"name" => "acme/n", "version" => "1.2.3"}], "name" => "production"}
      expect([one.code, JSON.parse(one.body)]).to eq(["200", production])
      all = requests.ask("GET", "/puppet/v3/environment_modules")
      expect(JSON.parse(all.body)).to eq([{"modules" => [], "name" => "next"}, production])
    end
  end

  it "are described to clients that rules allow, and errors are puppetserver's" do
    with_environments do |requests|
      {
        "environment_classes" => ["400", "An environment parameter must be specified"],
        "environment_classes?environment=../x" => ["400", "The environment must be purely alphanumeric, not '../x'"],
        "environment_classes?environment=absent" => ["404", "Could not find environment 'absent'"],
        "environment_modules?environment=absent" => ["404", "Could not find environment 'absent'"]
      }.each do |request, expected|
        answer = requests.ask("GET", "/puppet/v3/#{request}")
        expect([answer.code, answer.body]).to eq(expected)
      end
    end
    listen { |requests| expect(requests.ask("GET", path).code).to eq("403") }
  end
end
