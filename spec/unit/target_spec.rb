# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"

RSpec.describe Puppetfn::Target do
  root = File.expand_path("../..", __dir__)

  def runtime(target)
    Puppetfn::Runtime.new(target: target)
  end

  it "documents all differences, in the order of the table" do
    rows = described_class.differences.map do |row|
      "| #{row[:summary]} | #{row[:area]} | `#{row[:since]}` | #{row[:source]} |"
    end
    table = ["| Difference | Part | Since | Source |", "| --- | --- | --- | --- |", *rows].join("\n")
    text = File.read(File.join(root, "docs/openvox.md"))
    expect(text[/<!-- begin of the table .*? -->\n(.*)\n<!-- end/m, 1]).to eq(table)
  end

  it "has no difference in the table that no code asks for" do
    code = Dir[File.join(root, "{crates,ext,lib}/**/*.{rs,rb}")].reject { |path| path.end_with?("base/src/target.rs") }
    code = code.map { |path| File.read(path) }.join
    own = File.read(File.join(root, "crates/base/src/target.rs"))
    unused = described_class.differences.reject do |row|
      name = row[:name].name.split("_").map(&:capitalize).join.sub("Openvox", "OpenVox")
      code.include?("Difference::#{name}") || code.include?("has?(:#{row[:name]})") || own.include?("has(Difference::#{name})")
    end
    expect(unused.map { |row| row[:name] }).to eq([])
  end

  it "is Puppet 8 unless something else is named" do
    expect(described_class.default.name).to eq("puppet8")
    expect(Puppetfn::Runtime.new.target).to eq(described_class.named("puppet8"))
    expect(described_class.all.map(&:version)).to eq(%w[8.11.0 8.28.1 9.0.0-beta2])
    expect { Puppetfn::Runtime.new(target: "puppet9") }
      .to raise_error(ArgumentError, "unknown target: expected puppet8, openvox8, openvox9, got 'puppet9'")
  end

  it "decides on versions, facts of the server and settings" do
    code = "[$serverversion, $server_facts['serverimplementation'], $settings::reports, $settings::preprocess_deferred,
             $settings::all_local['pluginsync'], $settings::http_user_agent[0, 16]]"
    expect(runtime("puppet8").evaluate_string(code)).to eq(["8.11.0", nil, "store", false, true, "Puppet/8.11.0 Ru"])
    expect(runtime("openvox8").evaluate_string(code)).to eq(["8.28.1", "openvox", "store", false, true, "Puppet/8.28.1 Ru"])
    expect(runtime("openvox9").evaluate_string(code)).to eq(["9.0.0-beta2", "openvox", "none", true, nil, "Puppet/9.0.0-bet"])
    expect { runtime("openvox9").evaluate_string("$settings::configprint") }.to raise_error(/Unknown variable: 'settings::configprint'/)
    expect(runtime("openvox9").settings.include?(:puppetfn_target)).to be(false)
  end

  it "decides on signatures of functions" do
    code = "regsubst('aa', 'a', 'b', 'G', 'U')"
    expect(runtime("openvox8").evaluate_string(code)).to eq("bb")
    expect { runtime("openvox9").evaluate_string(code) }.to raise_error(/'regsubst' expects between 3 and 4 arguments, got 5/)
    expect(runtime("openvox9").evaluate_string("regsubst(['aa', 'ba'], /a/, 'c', 'G')")).to eq(%w[cc bc])
    expect { runtime("openvox9").call_function("regsubst", "a", "a", "b", "G", "U") }.to raise_error(ArgumentError, /between 3 and 4/)
  end

  it "decides on texts" do
    deprecated = lambda do |target|
      runtime = runtime(target)
      runtime.evaluate_string("hiera('a', 1)")
      runtime.logs.map(&:last)
    end
    expect(deprecated.call("puppet8")).to include(%r{See https://puppet.com/docs/puppet/8.11/deprecated_language.html})
    expect(deprecated.call("openvox9")).to include(%r{See https://docs.openvoxproject.org/openvox/latest/deprecated_language.html})
  end

  it "decides on resource types, for each runtime of a process" do
    package = "package { 'a': environment => ['A=b'] }"
    expect(runtime("openvox8").tap { |one| one.evaluate_string(package) }.catalog.resource("Package", "a")["environment"]).to eq(["A=b"])
    expect { runtime("puppet8").tap { |one| one.evaluate_string(package) }.catalog }.to raise_error(/no parameter named 'environment'/)
    parameters = %w[puppet8 openvox8].map { |target| runtime(target).resource_type("package").parameters.include?(:environment) }
    expect(parameters).to eq([false, true])
    checksums = described_class.all.map { |target| runtime(target).activate { Puppetfn::Puppet::Util::Checksums.known_checksum_types.last } }
    expect(checksums).to eq(%i[none etag etag])
  end

  it "takes contents that look like checksums for contents in OpenVox 9" do
    code = <<~RUBY
      require "puppetfn/rspec"
      runtime = Puppetfn::RSpec::ExampleRuntime.new(Puppetfn::Environment.new(nil, []))
      file = runtime.activate { runtime.resource_type("file").new(path: "/a", content: "{md5}0123456789abcdef0123456789abcdef") }
      print file.property(:content).actual_content.inspect
    RUBY
    contents = %w[openvox8 openvox9].map do |target|
      Open3.capture2e({"PUPPETFN_TARGET" => target}, RbConfig.ruby, "-I", File.join(root, "lib"), "-e", code).first
    end
    expect(contents).to eq(["nil", "{md5}0123456789abcdef0123456789abcdef".inspect])
  end

  it "decides on Puppet's methods, for each runtime of a process" do
    versions = described_class.all.to_h do |target|
      runtime = runtime(target)
      runtime.define_function("seen") do
        dispatch(:seen) {}

        def seen
          [Puppet.version, Puppetfn::Facter.version, Puppet.respond_to?(:implementation) ? Puppet.implementation : nil]
        end
      end
      [target.name, runtime.call_function("seen")]
    end
    expect(versions).to eq("puppet8" => ["8.11.0", "4.10.0", nil], "openvox8" => ["8.28.1", "5.7.0", "openvox"],
                           "openvox9" => ["9.0.0-beta2", "6.0.0", "openvox"])
    expect { Puppet.implementation }.to raise_error(NoMethodError)
  end

  it "can be named for a process, whose constants are the release's" do
    code = <<~RUBY
      require "puppetfn"
      require "puppetfn/pal"
      print [Puppet.version, Puppet::PUPPETVERSION, Puppet::IMPLEMENTATION, Puppet::Pal.respond_to?(:evaluate_script_string)].join(" ")
    RUBY
    environment = {"PUPPETFN_TARGET" => "openvox9"}
    output, = Open3.capture2e(environment, RbConfig.ruby, "-I", File.join(root, "lib"), "-e", code)
    expect(output).to eq("9.0.0-beta2 9.0.0-beta2 openvox false")
  end

  describe "the command" do
    # Standard output and standard error.
    define_method(:run) do |*arguments|
      Open3.capture2e(RbConfig.ruby, File.join(root, "exe/puppetfn"), *arguments).first
    end

    around { |example| Dir.mktmpdir { |directory| Dir.chdir(directory) { example.run } } }

    it "has an option, which a project can set" do
      File.write("site.pp", "notice($implementation, $clientversion)")
      compile = ["compile", "web", "--environment", ".", "--manifest", "site.pp"]
      expect(run(*compile, "--target", "openvox8")).to include(": openvox 8.28.1\n")
      File.write("puppetfn.toml", 'target = "openvox9"')
      expect(run(*compile)).to include(": openvox 9.0.0-beta2\n")
      expect(run(*compile, "--target", "puppet9")).to include("[possible values: puppet8, openvox8, openvox9]")
    end

    it "accepts settings of the release only" do
      File.write("puppetfn.toml", "target = \"openvox9\"\n[settings]\npluginsync = true\n")
      expect(run("eval", "1", "--environment", ".")).to include("`settings.pluginsync`: OpenVox 9 has no such setting")
      File.write("puppetfn.toml", 'target = "openvox9"')
      File.write("environment.conf", "environment_data_provider = hiera\n")
      File.write("site.pp", "")
      expect(run("compile", "web", "--environment", ".", "--manifest", "site.pp"))
        .to include("The following unknown setting(s) are being ignored: environment_data_provider")
    end

    it "checks modules for the release that their metadata requires" do
      requirements = [{"name" => "openvox", "version_requirement" => ">= 9.0.0 < 10.0.0"}]
      File.write("metadata.json", JSON.generate("name" => "a-b", "version" => "1.0.0", "author" => "a", "license" => "MIT", "summary" => "",
        "source" => "", "dependencies" => [], "requirements" => requirements))
      Dir.mkdir("manifests")
      File.write("manifests/init.pp", "class b {\n  $a = regsubst('a', 'a', 'b', 'G', 'U')\n  notice($a, $settings::pluginsync)\n}\n")
      expect(run("check", ".")).to include("'regsubst' expects between 3 and 4 arguments, got 5")
        .and include("Unknown variable: 'settings::pluginsync'. OpenVox 9 has no setting pluginsync")
      expect(run("check", ".", "--target", "puppet8")).not_to match(/regsubst|pluginsync/)
    end

    it "finds removed settings and methods" do
      File.write("environment.conf", "modulepath = modules\nenvironment_data_provider = hiera\n")
      File.write("puppet.conf", "[main]\ncertname = a\npluginsync = true\nown = 1\n")
      FileUtils.mkdir_p("modules/m/lib/puppet/util")
      File.write("modules/m/lib/puppet/util/m.rb", <<~RUBY)
        require "puppet/indirector/hiera"
        class MyHiera < Puppet::Indirector::Hiera
          def find(request)
            Puppet::Pal.evaluate_script_string("1")
            Puppet[:pluginsync] = Puppet[:certname]
            call_function("regsubst", request.key, "a", "b", "G", "U")
          end
        end
      RUBY
      found = JSON.parse(run("check", ".", "--target", "openvox9", "--format", "json"))
      expect(found.map { |one| [File.basename(one["file"]), one["line"], one["severity"], one["message"]] }).to contain_exactly(
        ["environment.conf", 2, "warning", "OpenVox 9 has no setting environment_data_provider"],
        ["puppet.conf", 3, "warning", "OpenVox 9 has no setting pluginsync"],
        ["m.rb", 1, "error", "OpenVox 9 has no file puppet/indirector/hiera"],
        ["m.rb", 2, "error", "OpenVox 9 has no Puppet::Indirector::Hiera: Puppet::DataBinding::Hiera has its methods"],
        ["m.rb", 4, "error", "OpenVox 9 has no method Puppet::Pal.evaluate_script_string: use with_script_compiler"],
        ["m.rb", 5, "error", "OpenVox 9 has no setting pluginsync"],
        ["m.rb", 6, "error", "regsubst of OpenVox 9 has no parameter for an encoding"]
      )
      expect(run("check", ".", "--target", "openvox8")).to eq("")
    end
  end
end
