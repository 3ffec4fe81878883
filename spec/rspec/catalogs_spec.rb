# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../support/module_tree"
require_relative "../support/without_facterdb"

# Specs of classes, as whoever runs them sees them: `verdicts_spec.rb` compares what they say.
RSpec.describe "puppetfn test" do
  root = File.expand_path("../..", __dir__)
  command = [RbConfig.ruby, File.join(root, "exe", "puppetfn"), "test"]
  bakery = File.join(__dir__, "modules", "bakery")

  define_method(:run) do |*arguments, chdir: @module, environment: {}|
    Open3.capture3({**WithoutFacterDB::ENVIRONMENT, "XDG_CACHE_HOME" => Dir.tmpdir, **environment}, *command, *arguments, chdir: chdir)
  end

  def write(path, text)
    path = File.join(@module, path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  around do |example|
    Dir.mktmpdir do |directory|
      @module = directory
      systems = {"Debian" => "12", "RedHat" => "9"}
        .map { |name, release| {"operatingsystem" => name, "operatingsystemrelease" => [release]} }
      write("metadata.json", ModuleTree.metadata("a-tea", operatingsystem_support: systems))
      write("manifests/init.pp", <<~PUPPET)
        class tea {
          file { '/etc/tea': content => $facts['os']['family'] }
          notify { 'ready': }
        }
      PUPPET
      example.run
    end
  end

  it "runs them in several processes, with the output of one" do
    outputs = [[], ["--parallel", "3"]].map do |arguments|
      output, = run(*arguments, "--order", "defined", "--format", "documentation", chdir: bakery)
      output.sub(/^Finished in .*/, "").gsub(/0x\h+/, "")
    end

    expect(outputs.first).to include("Resource coverage: 72.73%")
    expect(outputs.last).to eq(outputs.first)
  end

  it "finds the facts of systems in the files of FACTERDB_SEARCH_PATHS" do
    write("facts/4.3/debian-12-x86_64.facts", JSON.generate("facterversion" => "4.3.1", "os" => {
      "name" => "Debian", "family" => "Ducks", "hardware" => "x86_64", "release" => {"full" => "12.1", "major" => "12"}
    }))
    write("spec/classes/tea_spec.rb", <<~RUBY)
      require "rspec-puppet"
      require "rspec-puppet-facts"
      include RspecPuppetFacts

      describe "tea" do
        on_supported_os.each do |os, facts|
          context os do
            let(:facts) { facts }

            it { is_expected.to contain_file("/etc/tea").with_content("Ducks") }
          end
        end
      end
    RUBY
    environment = {"FACTERDB_SEARCH_PATHS" => File.join(@module, "facts"), "FACTERDB_SKIP_DEFAULTDB" => "1"}
    output, = run("--format", "documentation", environment: environment)

    expect(output).to include("1 example, 0 failures").and include("debian-12-x86_64")
  end

  it "adds the facts of modules that this one depends on, and overrides facts" do
    metadata = JSON.parse(File.read(File.join(@module, "metadata.json")))
    write("metadata.json", JSON.generate(metadata.merge("dependencies" => [{"name" => "puppetlabs/stdlib"}, {"name" => "puppet-systemd"}])))
    write("spec/classes/tea_spec.rb", <<~RUBY)
      require "voxpupuli/test/spec_helper"
      add_mocked_facts!

      describe "tea" do
        on_supported_os.each_value do |known|
          context known[:os]["family"] do
            let(:facts) { known }
            it { expect(facts.values_at(:root_home, :service_provider, :systemd)).to eq(["/root", "systemd", true]) }

            context "overridden" do
              let(:facts) { override_facts(super(), root_home: "/home", os: {family: "Ducks", selinux: {enabled: true}}) }
              it { expect(facts[:root_home]).to eq("/home") }
              it { expect(facts[:os]["selinux"]).to include("enabled" => true) }
              it { expect(facts[:os]["name"]).to eq(self.class.parent_groups[1].description) }
              it { is_expected.to contain_file("/etc/tea").with_content("Ducks") }
            end
            it { is_expected.not_to contain_file("/etc/tea").with_content("Ducks") }
          end
        end

        on_supported_os(supported_os: [{"operatingsystem" => "SLES", "operatingsystemrelease" => ["11", "15"]}]).each do |os, known|
          it(os) { expect(known[:service_provider]).to eq(os.start_with?("sles-11") ? "redhat" : "systemd") }
        end
      end
    RUBY
    output, = run

    # One is of the coverage of resources.
    expect(output).to include("15 examples, 0 failures")
  end

  it "takes the facts of the version of Facter that is asked for" do
    %w[4.3.1 4.3.7 4.6.0].each do |version|
      write("facts/#{version}/debian-12-x86_64.facts", JSON.generate("facterversion" => version, "os" => {
        "name" => "Debian", "hardware" => "x86_64", "release" => {"full" => "12.1", "major" => "12"}
      }))
    end
    write("facts/4.3.7/debian-11-x86_64.facts", JSON.generate("facterversion" => "4.3.7", "os" => {
      "name" => "Debian", "hardware" => "x86_64", "release" => {"full" => "11.9", "major" => "11"}
    }))
    write("spec/classes/tea_spec.rb", <<~RUBY)
      require "rspec-puppet-facts"
      include RspecPuppetFacts

      describe "versions" do
        {"4.3" => "4.3.7", "4.3.1" => "4.3.1", "4.5" => "4.3.7", "4.11" => "4.6.0", "3.14" => "4.6.0"}.each do |asked, found|
          it(asked) { expect(on_supported_os(facterversion: asked).values.dig(0, :facterversion)).to eq(found) }
        end

        it "takes those of all releases where none is named" do
          supported = [{"operatingsystem" => "Debian"}]
          expect(on_supported_os(supported_os: supported, facterversion: "4.3").keys).to eq(%w[debian-11-x86_64 debian-12-x86_64])
        end

        it "has to be a version" do
          expect { on_supported_os(facterversion: "latest") }.to raise_error(ArgumentError, /n\\.n/)
        end

        it "has to be exact" do
          stub_const("ENV", ENV.to_h.merge("SPEC_FACTS_STRICT" => "yes"))
          expect { on_supported_os(facterversion: "4.5") }.to raise_error(ArgumentError, /those of 4.3.7 do not count/)
        end
      end
    RUBY
    environment = {"FACTERDB_SEARCH_PATHS" => File.join(@module, "facts"), "FACTERDB_SKIP_DEFAULTDB" => "1"}
    output, = run(environment: environment)

    expect(output).to include("8 examples, 0 failures")
  end

  it "fails when less than the desired resources were looked at" do
    write("spec/classes/tea_spec.rb", <<~RUBY)
      require "rspec-puppet"

      RSpec.configure { |c| c.after(:suite) { RSpec::Puppet::Coverage.report!(80) } }

      describe "tea" do
        let(:facts) { {os: {family: "Debian"}} }

        it { is_expected.to contain_file("/etc/tea") }
      end
    RUBY
    output, _, status = run

    expect(output).to include("Code coverage must cover at least 80% of resources")
    expect(output).to include("Untouched resources:\n  Notify[ready]")
    expect(status.exitstatus).to eq(1)
  end

  it "compiles a catalog once for the examples that share it" do
    write("lib/puppet/functions/tea/count.rb", <<~RUBY)
      Puppet::Functions.create_function(:"tea::count") do
        dispatch(:count) {}

        def count = $compiled = ($compiled || 0) + 1
      end
    RUBY
    write("spec/classes/tea_spec.rb", <<~RUBY)
      require "rspec-puppet"

      describe "tea" do
        let(:facts) { {os: {family: "Debian"}} }
        let(:pre_condition) { "$number = tea::count()" }
        let(:post_condition) { 'notify { "compiled ${number}": }' }

        3.times { it { is_expected.to contain_notify("compiled 1") } }

        context "with other facts" do
          let(:facts) { super().merge(kernel: "Linux") }

          it { is_expected.to contain_notify("compiled 2") }
        end
      end
    RUBY
    output, = run("--order", "defined")

    expect(output).to include("4 examples, 0 failures")
  end

  it "leaves the class of the module to specs that define it" do
    write("manifests/leaf.pp", "class tea::leaf { notify { 'leaf': } }")
    write("spec/classes/leaf_spec.rb", <<~RUBY)
      require "rspec-puppet"

      describe "tea::leaf" do
        let(:pre_condition) { "class tea {} include tea" }

        it { is_expected.to compile.with_all_deps }
        it { is_expected.to have_resource_count(1) }
      end
    RUBY
    output, = run

    expect(output).to include("2 examples, 0 failures")
  end

  it "reports what was run before it is interrupted" do
    write("spec/classes/tea_spec.rb", <<~RUBY)
      require "rspec-puppet"

      describe "tea" do
        let(:facts) { {os: {family: "Debian"}} }

        it { is_expected.to compile }
        it { Process.kill(:INT, Process.pid) && sleep(0.1) }
        it { raise "this is not run" }
      end
    RUBY
    output, = run("--order", "defined")

    expect(output).to include("2 examples, 0 failures")
  end

  it "is a task of Rakefiles, which installs other modules first" do
    write("spec/classes/tea_spec.rb", <<~RUBY)
      require "rspec-puppet"

      describe "tea" do
        let(:facts) { {os: {family: "Debian"}} }

        it { is_expected.to contain_notify(ENV.fetch("TITLE")) }
      end
    RUBY
    write("Rakefile", <<~RUBY)
      require "puppetfn/rake_task"

      task(:spec_prep) { puts "prepared" }
      Puppetfn::RakeTask.new(:quick) { |task| task.arguments = %w[--format documentation] }
    RUBY
    outputs = %w[ready late].map do |title|
      Open3.capture3({"TITLE" => title}, RbConfig.ruby, "-I", File.join(root, "lib"), "-S", "rake", "quick", chdir: @module)
    end

    expect(outputs.map { |output, _, status| [output[/\A\w+/], output[/\d failures?/], status.exitstatus] })
      .to eq([["prepared", "0 failures", 0], ["prepared", "1 failure", 1]])
  end

  it "has the tasks of other helpers for each command" do
    FileUtils.rm_r(Dir[File.join(@module, "spec/classes")])
    write("spec/functions/size_spec.rb", "describe('size') { it { is_expected.to run.with_params('a').and_return(1) } }")
    write("Rakefile", <<~RUBY)
      task(:lint) { puts "own" }
      require "puppetfn/rake_tasks"
    RUBY
    rake = lambda do |*tasks|
      out, error, status = Open3.capture3(RbConfig.ruby, "-I", File.join(root, "lib"), "-S", "rake", *tasks, chdir: @module)
      [out, error, status.exitstatus]
    end
    expect(rake["-T"].first.scan(/^rake (\S+)/).flatten).to include(*%w[
      fixtures:clean fixtures:prep format format:check lint_fix metadata_lint parallel_spec reference release_checks spec spec:simplecov
      spec_clean spec_list_json spec_prep spec_standalone strings:generate:reference syntax syntax:hiera test validate
    ])
    expect(rake["lint", "syntax"]).to match([/\Aown\n.*0 errors/m, "", 0])
    expect(rake["spec_standalone"]).to match([/1 example, 0 failures/, anything, 0])
    expect(rake["test"]).to match([/\Aown\n.*0 errors.*1 example, 0 failures/m, anything, 0])
    write("REFERENCE.md", "old\n")
    expect(rake["validate"]).to match([/0 errors.*^-old$/m, anything, 1])
    expect(JSON.parse(rake["spec_list_json"].first)["examples"].size).to eq(1)
    # Without a list of modules, there is nothing to install.
    expect(rake["spec"]).to match([/\A(?!.*(?:linked|up to date)).*1 example, 0 failures/m, anything, 0])
    write(".fixtures.yml", "fixtures: {}")
    expect(rake["spec_standalone"].first).not_to match(/linked|up to date/)
    FileUtils.mkdir_p(File.join(@module, "spec/fixtures/modules/foreign"))
    expect(rake["spec"]).to match([/: (?:linked|up to date)\n.*1 example, 0 failures/m, anything, 0])
    expect(rake["spec_clean"].last).to eq(0)
    expect(Dir.children(File.join(@module, "spec/fixtures/modules"))).to eq(["foreign"])

    write("Rakefile", "require 'puppetfn/rake_task'\nPuppetfn::RakeTask.new\n")
    expect(rake["puppetfn"]).to match([/: linked\n.*1 example, 0 failures/m, anything, 0])
  end

  it "finds the module around the working directory" do
    write("spec/functions/size_spec.rb", "describe('size') { it { is_expected.to run.with_params('a').and_return(1) } }")
    [["manifests"], ["spec/functions", "size_spec.rb:1"]].each do |directory, *arguments|
      out, _, status = run(*arguments, chdir: File.join(@module, directory))
      expect([out[/\d+ examples?, \d failures/], status.exitstatus]).to eq(["1 example, 0 failures", 0])
    end
  end

  it "says what to do where files are missing" do
    File.delete(File.join(@module, "metadata.json"))
    write("spec/classes/tea_spec.rb", <<~RUBY)
      require "rspec-puppet-facts"
      include RspecPuppetFacts

      describe("tea") { on_supported_os }
    RUBY
    output, error, = run

    expect(output).to include("on_supported_os needs a metadata.json, and there is none in #{File.realpath(@module)}")
    expect(error).to include("no metadata.json names the module")
    write("metadata.json", JSON.generate("name" => "a-tea"))
    expect(run.first).to include("metadata.json has no operatingsystem_support: list the systems of the module there, or name systems")
  end
end
