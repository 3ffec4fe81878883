# frozen_string_literal: true

require "fileutils"
require "open3"
require "rbconfig"
require "shellwords"
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

    it "is that of the extension for VS Code" do
      manifest, lock = %w[package.json package-lock.json].map { |name| JSON.parse(read(root, "editors/vscode", name)) }

      expect([manifest, lock, lock.dig("packages", "")].map { |file| file.fetch("version") }).to all(eq(gemspec.version.to_s))
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

    it "leaves out editors, which have packages of their own" do
      expect(gemspec.files.grep(%r{\Aeditors/})).to be_empty
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

  describe "the Debian package" do
    # Fills a package with this library's command in place of the program.
    def package(root, directory)
      program = File.join(directory, "program")
      File.write(program, "#!/bin/sh\nexec #{Puppetfn::CLI.command.shelljoin} \"$@\"\n", perm: 0o755)
      code = 'require "rake"; include Rake::DSL; TARGET_DIR = nil; load "rakelib/binary.rake"; Binary.fill(ARGV[0], ARGV[1], ARGV[1], "all")'
      output, status = Open3.capture2e(RbConfig.ruby, "-e", code, "#{directory}/package", program, chdir: root)
      status.success? ? "#{directory}/package" : raise(output)
    end

    it "has a service with its socket, which dpkg and systemd take" do
      Dir.mktmpdir do |directory|
        filled = package(root, directory)
        units = Dir.glob("#{filled}/usr/lib/systemd/system/*")
        expect(units.map { |unit| File.basename(unit) }).to contain_exactly("puppetfn.service", "puppetfn.socket")
        expect(Dir.glob("#{filled}/usr/share/man/man1/puppetfn-serve.1.gz").size).to eq(1)
        expect(read(filled, "DEBIAN/conffiles")).to eq("/etc/default/puppetfn\n")
        Dir.glob("#{filled}/DEBIAN/p*") { |script| expect(Open3.capture2e("sh", "-n", script)).to match(["", be_success]) }

        if system("which", "dpkg-deb", out: File::NULL, err: File::NULL)
          output, status = Open3.capture2e("dpkg-deb", "--root-owner-group", "--build", filled, "#{directory}/p.deb")
          expect(status).to be_success, output
        end
        if system("which", "systemd-analyze", out: File::NULL, err: File::NULL)
          # The program is not installed here.
          output, = Open3.capture2e({"SYSTEMD_UNIT_PATH" => "#{File.dirname(units.first)}:"}, "systemd-analyze", "verify", "--man=no", *units)
          expect(output.lines.grep_v(%r{/usr/bin/puppetfn is not executable}).grep(/puppetfn/)).to eq([])
        end
      end
    end

    it "starts the service with options that it knows, on the terminus's socket" do
      service, socket, options = %w[puppetfn.service puppetfn.socket default].map { |file| read(root, "packaging/debian", file) }
      expect(service).to include("Type=notify\n", "ExecStart=/usr/bin/puppetfn serve $PUPPETFN_SERVE\n")
      expect(socket).to include("ListenStream=/run/puppetfn/puppetfn.sock\n", "SocketMode=0660\n")
      help, = Open3.capture2(*Puppetfn::CLI.command, "serve", "--help")
      used = options[/^PUPPETFN_SERVE="(.*)"$/, 1].scan(/--[\w-]+/)
      expect(used).not_to be_empty
      expect(used.reject { |option| help.include?("#{option} <") }).to eq([])
    end
  end

  describe "the compilation of the extension by RubyGems" do
    # The complaint where PATH has no cargo, or one of this version.
    def complaint(version = nil)
      Dir.mktmpdir do |dir|
        File.write("#{dir}/cargo", "#!/bin/sh\necho 'cargo #{version} (abc 2022-01-01)'\n", perm: 0o755) if version
        extconf = File.expand_path("../../ext/puppetfn/extconf.rb", __dir__)
        output, status = Open3.capture2e({"PATH" => dir}, RbConfig.ruby, extconf, chdir: dir)
        expect([status.success?, Dir.children(dir) - ["cargo"]]).to eq([false, []])
        output
      end
    end

    it "names what it needs, where cargo is missing or too old" do
      needs = <<~TEXT
        The extension of puppetfn is written in Rust. It takes cargo 1.88 or later (https://rustup.rs), Ruby's headers, a C compiler, make and libclang.
        Gems for platforms need none of these: https://github.com/puppetfn/puppetfn/blob/main/docs/platforms.md
      TEXT
      expect(complaint).to eq("There is no cargo in PATH.\n#{needs}")
      expect(complaint("1.63.0")).to eq("cargo 1.63.0 is too old.\n#{needs}")
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
