# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "tmpdir"

RSpec.describe "the package" do
  root = File.expand_path("../..", __dir__)
  gemspec = Gem::Specification.load(File.join(root, "puppetfn.gemspec"))

  def read(*path) = File.read(File.join(*path), encoding: "UTF-8")

  describe "the version" do
    it "is the extension's" do
      expect(Puppetfn::VERSION).to eq(gemspec.version.to_s)
    end

    it "is that of both crates in the lock file" do
      versions = read(root, "Cargo.lock").scan(/^name = "(puppetfn|puppetfn-ext)"\nversion = "(.+)"$/).to_h

      expect(versions).to eq("puppetfn" => gemspec.version.to_s, "puppetfn-ext" => gemspec.version.to_s)
    end

    it "is the first in the changelog" do
      expect(read(root, "CHANGELOG.md")[/^## \[(.+?)\]/, 1]).to eq(gemspec.version.to_s)
    end
  end

  describe "the gem" do
    it "holds what it promises to build, run and load" do
      promised = gemspec.extensions + gemspec.executables.map { |name| "#{gemspec.bindir}/#{name}" } +
        %w[Cargo.toml Cargo.lock src/lib.rs crates/cli/src/main.rs ext/puppetfn/build.rs lib/puppetfn.rb sig/puppetfn.rbs LICENSE]

      expect(gemspec.files).to include(*promised)
    end

    it "holds the catalog terminus, as does its own gem for puppetserver" do
      terminus = Gem::Specification.load(File.join(root, "puppetfn-terminus.gemspec"))
      expect(terminus.files).to include("lib/puppet/indirector/catalog/puppetfn.rb", "lib/puppetfn/terminus/compile_service.rb")
      expect([terminus.files - gemspec.files, terminus.version, terminus.extensions]).to eq([[], gemspec.version, []])
    end

    it "holds no test runner" do
      expect(gemspec.files.grep(%r{vectors|\Acrates/\w+/tests/})).to eq([])
    end

    it "holds no build product" do
      expect(gemspec.files.grep(/\.(so|bundle|dylib|gem)\z|(\A|\/)(target|tmp)\//)).to eq([])
    end
  end

  describe "an extension that is not built" do
    # What `require "puppetfn"` says where the library is alone with +others+, after the code +before+.
    def require_alone(root, *others, before: nil)
      Dir.mktmpdir do |dir|
        FileUtils.mkdir_p(File.join(dir, "lib/puppetfn"))
        %w[lib/puppetfn.rb lib/puppetfn/extension.rb].each { |file| FileUtils.cp(File.join(root, file), File.join(dir, file)) }
        others.each do |name|
          FileUtils.mkdir_p(File.dirname(File.join(dir, name)))
          FileUtils.touch(File.join(dir, name))
        end

        script = "#{before}; begin; require 'puppetfn'; rescue LoadError => e; print e.message; end"
        output, = Open3.capture2e(RbConfig.ruby, "-I", File.join(dir, "lib"), "-e", script)
        output.gsub(dir, "DIR")
      end
    end

    it "names the task to run, in a checkout" do
      expect(require_alone(root, "Rakefile")).to eq(
        "the native extension of puppetfn is not built; " \
        "run `rake compile` (on a new machine `script/setup` first) in DIR"
      )
    end

    it "names RubyGems' own command, in an installed gem" do
      expect(require_alone(root)).to eq(
        "the native extension of puppetfn is not built; run `gem pristine puppetfn`"
      )
    end

    it "names the Rubies of a platform's gem, where this is none of them" do
      others = %w[2.7 3.0].map { |minor| "lib/puppetfn/#{minor}/puppetfn.#{RbConfig::CONFIG["DLEXT"]}" }

      expect(require_alone(root, *others)).to eq(
        "this gem of puppetfn has native extensions for Ruby 2.7, 3.0, and this is #{RUBY_VERSION[/\A\d+\.\d+/]}; " \
        "`gem install puppetfn --platform ruby` builds one, which takes Rust"
      )
    end

    it "prefers the library that a platform's gem has for this Ruby" do
      extension = RbConfig::CONFIG["DLEXT"]
      others = ["lib/puppetfn/#{RUBY_VERSION[/\A\d+\.\d+/]}/puppetfn.#{extension}", "lib/puppetfn/puppetfn.#{extension}"]

      # It is empty, and so the system's loader names it.
      expect(require_alone(root, *others)).to include("DIR/#{others.first}")
    end

    it "names what to use instead, on an engine without native extensions" do
      before = 'Object.send(:remove_const, :RUBY_ENGINE); RUBY_ENGINE = "jruby"'

      expect(require_alone(root, before: before)).to eq(
        "puppetfn runs on Ruby itself (CRuby, MRI) only: jruby #{RUBY_ENGINE_VERSION} loads no native extensions. " \
        "Use the program puppetfn, which needs no Ruby (`puppetfn compile`, `puppetfn check`, `puppetfn lsp`): " \
        "https://github.com/puppetfn/puppetfn/blob/main/docs/platforms.md"
      )
    end
  end
end
