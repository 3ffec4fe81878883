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

    it "holds no test runner" do
      expect(gemspec.files.grep(%r{vectors|\Acrates/\w+/tests/})).to eq([])
    end

    it "holds no build product" do
      expect(gemspec.files.grep(/\.(so|bundle|dylib|gem)\z|(\A|\/)(target|tmp)\//)).to eq([])
    end
  end

  describe "an extension that is not built" do
    # What `require "puppetfn"` says where the library is alone with +others+.
    def require_alone(root, *others)
      Dir.mktmpdir do |dir|
        FileUtils.mkdir_p(File.join(dir, "lib/puppetfn"))
        %w[lib/puppetfn.rb lib/puppetfn/extension.rb].each { |file| FileUtils.cp(File.join(root, file), File.join(dir, file)) }
        others.each { |name| FileUtils.touch(File.join(dir, name)) }

        script = 'begin; require "puppetfn"; rescue LoadError => e; print e.message; end'
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
  end
end
