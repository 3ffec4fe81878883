# frozen_string_literal: true

require "digest"
require "open3"
require "rubygems"
require "tmpdir"

# The repository for apt, the formula and the images of a release: here, with a script in place of the program.
RSpec.describe "package managers" do
  root = File.expand_path("../..", __dir__)
  version = Gem::Specification.load(File.join(root, "puppetfn.gemspec")).version.to_s

  around do |example|
    Dir.mktmpdir do |directory|
      @directory = File.realpath(directory)
      FileUtils.mkdir_p(@pkg = File.join(@directory, "pkg"))
      example.run
    end
  end

  def sh(*command, env: {}, chdir: @directory)
    output, ended = Open3.capture2e({"RUBYOPT" => nil, **env}, *command, chdir: chdir)
    expect(ended).to be_success, "#{command.join(" ")}\n#{output}"
    output
  end

  define_method(:rake) { |task, **env| sh("rake", "--silent", task, env: {"PKG" => @pkg, **env.transform_keys(&:to_s)}, chdir: root) }

  define_method(:package) do |architecture|
    filled = File.join(@directory, architecture)
    FileUtils.mkdir_p(%W[#{filled}/DEBIAN #{filled}/usr/bin])
    File.write("#{filled}/usr/bin/puppetfn", "#!/bin/sh\necho works\n", perm: 0o755)
    File.write("#{filled}/DEBIAN/control", <<~CONTROL)
      Package: puppetfn
      Version: #{version}
      Architecture: #{architecture}
      Maintainer: nobody <nobody@example.com>
      Description: a script in place of the program
    CONTROL
    sh("dpkg-deb", "--root-owner-group", "--build", filled, "#{@pkg}/puppetfn_#{version}_#{architecture}.deb")
  end

  # Runs apt with directories and a root of its own, and the repository as its only source.
  def apt(*command, options: "trusted=yes")
    File.write("#{@directory}/sources.list", "deb [#{options}] file:#{@directory}/repository stable main\n")
    installed = File.join(@directory, "root/var/lib/dpkg")
    FileUtils.mkdir_p(["root/var/lib/dpkg/info", "root/var/lib/dpkg/updates", "state/lists/partial", "cache/archives/partial"].map { |path| File.join(@directory, path) })
    FileUtils.touch(File.join(installed, "status"))
    settings = {"Dir::Etc::SourceList" => "#{@directory}/sources.list", "Dir::Etc::SourceParts" => "/dev/null", "Dir::State" => "#{@directory}/state",
                "Dir::Cache" => "#{@directory}/cache", "Dir::State::Status" => "#{installed}/status", "APT::Sandbox::User" => "",
                "Dir::Log" => @directory, "DPkg::Options::" => "--root=#{@directory}/root"}
    sh("apt-get", *settings.flat_map { |name, value| ["-o", "#{name}=#{value}"] }, "-o", "APT::Architecture=amd64", *command)
  end

  it "install the Debian package from a repository for apt" do
    %w[amd64 arm64].each { |architecture| package(architecture) }
    rake("apt")
    FileUtils.mkdir_p("#{@directory}/repository")
    sh("tar", "-xzf", "#{@pkg}/puppetfn-#{version}-apt.tar.gz", "-C", "#{@directory}/repository")
    apt("update")
    apt("install", "--yes", "puppetfn")
    expect(sh("#{@directory}/root/usr/bin/puppetfn")).to eq("works\n")
    expect(File.read("#{@directory}/repository/dists/stable/Release")).to include("Architectures: amd64 arm64\n", " main/binary-arm64/Packages.gz\n")
  end

  it "verify the repository's signature" do
    package("amd64")
    home = {"GNUPGHOME" => "#{@directory}/keys"}
    FileUtils.mkdir_p(home["GNUPGHOME"], mode: 0o700)
    sh("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "puppetfn@example.com", "ed25519", "sign", env: home)
    sh("gpg", "--batch", "--output", "puppetfn.gpg", "--export", "puppetfn@example.com", env: home)
    rake("apt", PUPPETFN_SIGNING_KEY: "puppetfn@example.com", **home)
    FileUtils.mkdir_p("#{@directory}/repository")
    sh("tar", "-xzf", "#{@pkg}/puppetfn-#{version}-apt.tar.gz", "-C", "#{@directory}/repository")
    expect(apt("update", options: "signed-by=#{@directory}/puppetfn.gpg")).not_to match(/^[EW]:/)
  ensure
    sh("gpgconf", "--kill", "all", env: home)
  end

  it "find the archives and their checksums in the formula for Homebrew" do
    archives = ["puppetfn-#{version}.tar.gz", *%w[x86_64 aarch64].map { |cpu| "puppetfn-#{version}-#{cpu}-linux-musl.tar.gz" }]
    archives.each { |name| File.write(File.join(@pkg, name), name) }
    rake("homebrew")

    formula = File.read(File.join(@pkg, "puppetfn.rb"))
    sh("ruby", "-c", File.join(@pkg, "puppetfn.rb"))
    urls, sums = formula.scan(/^ +url "(.+)"\n +sha256 "(.+)"$/).transpose
    expect(urls.map { |url| File.basename(url) }).to eq(archives)
    expect(sums).to eq(archives.map { |name| Digest::SHA256.hexdigest(name) })
    expect(formula).not_to include("@")
  end

  it "compile the program from the packed source" do
    rake("source")
    files = sh("tar", "-tzf", "#{@pkg}/puppetfn-#{version}.tar.gz").lines(chomp: true)
    expect(files).to include(*%w[Cargo.toml Cargo.lock crates/cli/Cargo.toml].map { |name| "puppetfn-#{version}/#{name}" })
  end

  it "find the files of a release that the images are made of" do
    code = File.read(File.join(root, "packaging/docker/Dockerfile"))
    files = %w[x86_64 aarch64].flat_map do |cpu|
      code.scan(/^(?:ADD|COPY) (\S+)/).flatten.map { |pattern| [cpu, pattern.sub("${CPU}", cpu)] }
    end
    wanted = files.map { |cpu, pattern| "puppetfn-#{version}-#{cpu}-linux-#{pattern.end_with?(".gem") ? "gnu.gem" : "musl.tar.gz"}" }
    expect(files.zip(wanted)).to all(satisfy { |(_, pattern), file| File.fnmatch(pattern, file) })
    expect(files.size).to eq(4)
  end
end
