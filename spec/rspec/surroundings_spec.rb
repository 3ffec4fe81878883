# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../support/module_tree"

# What specs find around them without asking for it.
RSpec.describe "puppetfn test" do
  command = [RbConfig.ruby, File.expand_path("../../exe/puppetfn", __dir__), "test"]

  around { |example| Dir.mktmpdir { |directory| Dir.chdir(directory) { example.run } } }

  def write(path, text)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  it "gives specs the methods of libraries that Puppet has loaded" do
    write("spec/functions/size_spec.rb", <<~RUBY)
      describe "size" do
        it { expect({"a" => 1}.to_json).to eq('{"a":1}') }
        it { expect([nil, "x"].to_json).to eq('[null,"x"]') }
        it { expect({"a" => 1}.to_yaml).to eq("---\\na: 1\\n") }
        it { expect(File.directory?(Dir.tmpdir)).to be(true) }
        it { expect(Dir.mktmpdir("x") { |path| File.basename(path)[0] }).to eq("x") }
        it { expect(Open3.capture2("cat", stdin_data: "a").first).to eq("a") }
      end
    RUBY
    expect(Open3.capture2(*command).first).to include("6 examples, 0 failures")
  end

  it "knows groups by the types that a spec helper gives them" do
    write("spec/unit/size_spec.rb", <<~RUBY)
      RSpec.configure { |config| config.define_derived_metadata(file_path: /unit/) { |data| data[:type] = :function } }

      describe "size" do
        it { is_expected.to run.with_params("ab").and_return(2) }

        context "with a type of its own", type: :type_alias do
          it { expect(self).not_to respond_to(:allow_value) }
        end
      end
    RUBY
    expect(Open3.capture2(*command, "spec/unit/size_spec.rb").first).to include("2 examples, 0 failures")
  end

  it "adds modules to groups, and to examples only if they have a type of their own" do
    write("spec/classes/cup_spec.rb", <<~RUBY)
      require "puppetlabs_spec_helper/module_spec_helper"

      describe "cup" do
        it { expect(singleton_class.const_defined?(:LetDefinitions, false)).to be(false) }
        it { expect([self, self.class]).to all(respond_to(:my_fixture_dir)) }
        it { expect(self).to respond_to(:catalogue) }
        it("has no matchers of type aliases") { expect(self).not_to respond_to(:allow_value) }
        it("has matchers of its type", type: :type_alias) { expect(self).to respond_to(:allow_value) }
      end
    RUBY
    expect(Open3.capture2(*command, "spec/classes/cup_spec.rb").first).to include("5 examples, 0 failures")
  end

  it "loads types and providers on the platform of the machine, whose libraries they need, as rspec-puppet does" do
    write("metadata.json", %({"name": "acme-cups", "version": "1.0.0", "author": "acme", "source": "x", "license": "x", "dependencies": []}))
    write("manifests/init.pp", "class cups { package { 'a': provider => 'shelf' } cup { 'b': } }")
    write("lib/puppet/provider/package/shelf.rb", <<~RUBY)
      Puppet::Type.type(:package).provide(:shelf) do
        require "win32/registry" if Puppet::Util::Platform.windows? || File::PATH_SEPARATOR == ";"
      end
    RUBY
    write("lib/puppet/type/cup.rb", <<~RUBY)
      require "win32/registry" if Puppet::Util::Platform.windows?
      Puppet::Type.newtype(:cup) do
        newparam(:name, namevar: true) { validate { |_| raise "posix" unless Puppet::Util::Platform.windows? } }
      end
    RUBY
    write("spec/classes/cups_spec.rb", <<~RUBY)
      describe "cups" do
        let(:facts) { {os: {"family" => "windows", "name" => "windows"}} }
        it { is_expected.to compile.with_all_deps }
        it { expect(File::PATH_SEPARATOR).to eq(";") }
      end
    RUBY
    expect(Open3.capture2(*command, "spec/classes/cups_spec.rb").first).to include("2 examples, 0 failures")
  end

  it "loads files as Ruby does, once for all links to them, and before an extension of the same name" do
    write("lib/cups/etc.rb", "CUPS = 1\n")
    FileUtils.mkdir("linked")
    File.symlink("../lib", "linked/lib")
    write("spec/unit/cups_spec.rb", <<~RUBY)
      describe "cups" do
        it { expect([require("etc"), require("etc")]).to eq([false, false]) }

        it "are on the load path" do
          $LOAD_PATH.unshift(File.expand_path("linked/lib/cups"))
          expect([require("etc"), require("etc"), CUPS]).to eq([true, false, 1])
          expect(require(File.expand_path("lib/cups/etc"))).to be(false)
        end
      end
    RUBY
    expect(Open3.capture2(*command, "--order", "defined", "spec/unit/cups_spec.rb").first).to include("2 examples, 0 failures")
  end

  # As `bundle exec` does: the libraries of the gems of the Gemfile come first on the load path.
  it "replaces the gems that a Gemfile names" do
    root = File.expand_path("../..", __dir__)
    write("Gemfile", "gem \"puppetfn\", path: #{root.inspect}\ngem \"rspec\"\n")
    %w[puppet rspec-puppet puppetlabs_spec_helper rspec-puppet-facts].each do |name|
      File.write("Gemfile", "gem #{name.inspect}, path: #{name.inspect}\n", mode: "a")
      write("#{name}/#{name}.gemspec", <<~RUBY)
        Gem::Specification.new do |gem|
          gem.name, gem.version, gem.summary, gem.authors = #{name.inspect}, "9", "fails if it is loaded", ["none"]
        end
      RUBY
      library = name == "puppetlabs_spec_helper" ? "#{name}/module_spec_helper" : name
      write("#{name}/lib/#{library}.rb", "raise 'the gem #{name} was loaded'\n")
    end
    %w[type/service util/feature].each { |file| write("puppet/lib/puppet/#{file}.rb", "raise 'the gem puppet was loaded'\n") }
    write("lib/puppet/util/mine.rb", "MINE = 1\n")
    write("spec/functions/size_spec.rb", <<~RUBY)
      require "puppetlabs_spec_helper/module_spec_helper"
      require "rspec-puppet"
      require "rspec-puppet-facts"
      require "puppet"
      require "puppet/type/service"
      require "puppet/util/feature"
      require "puppet/util/mine"

      describe "size" do
        it { is_expected.to run.with_params("ab").and_return(MINE + 1) }
      end
    RUBY
    environment = {"BUNDLE_GEMFILE" => File.expand_path("Gemfile"), "RUBYOPT" => "-rbundler/setup"}
    expect(Open3.capture2(environment, *command).first).to include("1 example, 0 failures")
  end

  it "knows this machine where an example has no node, and custom facts by the names of their files" do
    write("lib/facter/colour.rb", 'Facter.add(:colour) { setcode { "red #{Facter.value(:kernel)}" } }')
    write("lib/facter/others.rb", "Facter.add(:taste) { setcode { 'sweet' } }\n")
    write("lib/puppet/functions/facts.rb", <<~'RUBY')
      Puppet::Functions.create_function(:facts) do
        def facts(*names) = names.map { |name| Facter.value(name) }
      end
    RUBY
    write("spec/functions/facts_spec.rb", <<~RUBY)
      describe "facts" do
        let(:facts) { {kernel: "Plan9"} }
        it { is_expected.to run.with_params("kernel", "timezone", "colour", "taste").and_return(["Plan9", nil, "red Plan9", nil]) }

        it "sees mocks" do
          allow(Facter).to receive(:value).with("taste").and_return("sour")
          is_expected.to run.with_params("taste").and_return(["sour"])
        end
      end
    RUBY
    write("spec/unit/facter/colour_spec.rb", <<~RUBY)
      describe "colour" do
        before { Facter.clear }
        it { expect(Facter.value(:colour)).to eq("red \#{Etc.uname[:sysname]}") }
        it { expect(Facter.value(:taste)).to eq("sweet") }
        it { expect(Facter.fact(:timezone).value).to eq(Time.now.zone) }
      end
    RUBY
    write("metadata.json", ModuleTree.metadata("me-mod"))
    expect(Open3.capture2(*command).first).to include("5 examples, 0 failures")
  end

  it "says that a module is not used, as in Puppet, whose metadata.json lacks something" do
    write("metadata.json", '{"name": "me-mod", "version": "1.0.0"}')
    write("manifests/init.pp", "class mod {}")
    write("spec/classes/mod_spec.rb", "describe('mod') { it { is_expected.to compile } }")
    output, error, = Open3.capture3(*command)
    expect(output).to include("Could not find class ::mod")
    expect(error).to eq "puppetfn: No source module metadata provided for mod\n"
  end

  # The libraries of modules are also on the load path: required from there, they would not see what files of modules do.
  it "has files of types require Puppet's and those of modules" do
    write("metadata.json", ModuleTree.metadata("me-mod"))
    write("lib/puppet_x/me/lid.rb", "module PuppetX; module Me; LID = 'tin'; end; end\n")
    write("lib/puppet/type/jar.rb", <<~RUBY)
      require "puppet/type/file/owner"
      require "puppet_x/me/lid"
      Puppet::Type.newtype(:jar) do
        newparam(:name)
        newproperty(:owner, parent: Puppet::Type::File::Owner)
        newproperty(:lid) { defaultto { PuppetX::Me::LID } }
      end
    RUBY
    write("manifests/init.pp", "class mod { jar { 'jam': owner => root } }")
    write("spec/classes/mod_spec.rb", <<~RUBY)
      describe "mod" do
        it { is_expected.to compile }
        it { expect(catalogue.resource("Jar[jam]").to_ral[:lid]).to eq("tin") }
      end
    RUBY
    expect(Open3.capture2(*command).first).to include("2 examples, 0 failures")
  end

  it "takes providers that a spec helper defines, in all modulepaths" do
    write("spec/helper.rb", <<~RUBY)
      Puppet::Type.type(:service).provide(:systemd).class_eval { defaultfor operatingsystem: :debian }
      RSpec.configure { |config| config.module_path = "modules" }
    RUBY
    write("modules/mod/manifests/init.pp", "class mod { service { 'cup': enable => mask } }")
    write("spec/classes/mod_spec.rb", <<~RUBY)
      require_relative "../helper"

      describe "mod" do
        context "where the provider without features is the default" do
          let(:facts) { {os: {"name" => "Debian", "family" => "Debian"}, operatingsystem: "Debian"} }
          it { is_expected.to compile }
        end

        context "where another one is" do
          let(:facts) { {os: {"name" => "RedHat", "family" => "RedHat"}, operatingsystem: "RedHat"} }
          it { is_expected.to compile.and_raise_error(/Provider debian must have features 'maskable'/) }
        end
      end
    RUBY
    expect(Open3.capture2(*command).first).to include("2 examples, 0 failures")
  end

  it "does not start without any module of .fixtures.yml" do
    write("metadata.json", '{"name": "me-own"}')
    write(".fixtures.yml", "fixtures: {forge_modules: {stdlib: puppetlabs/stdlib}, repositories: {apt: 'https://example.com/apt'}}")
    write("spec/functions/size_spec.rb", "describe('size') { it { is_expected.to run.with_params('a').and_return(1) } }")
    out, error, status = Open3.capture3(*command)
    expect([out, error, status.exitstatus]).to eq(["", <<~TEXT, 1])
      error: modules of .fixtures.yml are missing in spec/fixtures/modules: apt, stdlib
      help: `puppetfn fixtures` installs them; `puppetfn test --without-fixtures` runs the specs without them
    TEXT
    expect(Open3.capture2(*command, "--without-fixtures").first).to include("1 example, 0 failures")
    FileUtils.mkdir_p("spec/fixtures/modules/stdlib")
    out, error, status = Open3.capture3(*command)
    sentence = "puppetfn test: modules of .fixtures.yml are missing in spec/fixtures/modules: apt; install them with `puppetfn fixtures`\n"
    expect([out, error, status.exitstatus]).to match([/1 example, 0 failures/, ending_with(sentence), 0])
    FileUtils.mkdir_p("spec/fixtures/modules/apt")
    expect(Open3.capture3(*command)[1]).not_to include("are missing")
  end

  it "says that acceptance specs need machines, and starts none" do
    write("metadata.json", '{"name": "me-own"}')
    write("spec/functions/size_spec.rb", "describe('size') { it { is_expected.to run.with_params('a').and_return(1) } }")
    write("spec/acceptance/own_spec.rb", "raise 'started'")
    sentence = "puppetfn test: skipped 1 file of spec/acceptance: acceptance specs run Puppet on machines, which Beaker or Litmus starts\n"
    [[], ["--with-puppet"], %w[spec/functions spec/acceptance/own_spec.rb]].each do |arguments|
      out, error, status = Open3.capture3(*command, *arguments)
      expect([out, error, status.exitstatus]).to match([/1 example, 0 failures/, ending_with(sentence), 0])
    end
  end
end
