# frozen_string_literal: true

require "digest"
require "fileutils"
require "open3"
require "rubygems"
require "tmpdir"
require "zlib"

# What package managers read of a release: a repository for apt, and a formula for Homebrew.
module Channels
  VERSION = Gem::Specification.load(File.expand_path("../puppetfn.gemspec", __dir__)).version.to_s
  RELEASES = "https://github.com/puppetfn/puppetfn/releases/download/v#{VERSION}".freeze
  FORMULA = File.expand_path("../packaging/homebrew/puppetfn.rb.in", __dir__)
  ARCHITECTURES = %w[amd64 arm64].freeze
  # The suite and the component of the repository.
  SUITE = "stable"
  COMPONENT = "main"

  module_function

  # Fills a directory with a repository of the Debian packages, which are the same for all suites of Debian.
  #
  # @param packages [Array<String>] files
  # @param root [String] an empty directory
  # @param time [Time] of the repository
  # @param key [String, nil] of gpg, which signs it
  def repository(packages, root, time, key)
    pool = File.join(root, "pool", COMPONENT, "p", "puppetfn")
    FileUtils.mkdir_p(pool)
    FileUtils.cp(packages, pool)
    suite = File.join(root, "dists", SUITE)
    ARCHITECTURES.each { |architecture| index(root, suite, architecture) }
    File.write(File.join(suite, "Release"), release(suite, time))
    sign(suite, key) if key
  end

  def index(root, suite, architecture)
    directory = File.join(suite, COMPONENT, "binary-#{architecture}")
    FileUtils.mkdir_p(directory)
    output, errors, status = Open3.capture3("dpkg-scanpackages", "--arch", architecture, "pool", chdir: root)
    abort("dpkg-scanpackages failed:\n#{errors}") unless status.success?

    File.write("#{directory}/Packages", output)
    Zlib::GzipWriter.open("#{directory}/Packages.gz") { |file| file.write(output) }
  end

  # The format is that of https://wiki.debian.org/DebianRepository/Format.
  def release(suite, time)
    files = Dir.glob("**/Packages*", base: suite).sort.map do |name|
      path = File.join(suite, name)
      " #{Digest::SHA256.file(path).hexdigest} #{File.size(path)} #{name}"
    end
    fields = {"Origin" => "puppetfn", "Label" => "puppetfn", "Suite" => SUITE, "Codename" => SUITE, "Architectures" => ARCHITECTURES.join(" "),
              "Components" => COMPONENT, "Date" => time.utc.strftime("%a, %d %b %Y %T UTC")}
    [*fields.map { |name, value| "#{name}: #{value}" }, "SHA256:", *files].map { |line| "#{line}\n" }.join
  end

  def sign(suite, key)
    system("gpg", "--batch", "--local-user", key, "--clearsign", "--output", "#{suite}/InRelease", "#{suite}/Release", exception: true)
  end

  def checksum(archive)
    File.exist?(archive) || abort("#{archive} is missing: rake binary and rake source make the archives")
    Digest::SHA256.file(archive).hexdigest
  end

  # @param directory [String] with the archives of the release
  # @return [String] the formula
  def formula(directory)
    File.read(FORMULA).gsub(/@(VERSION|URL|SHA256)(?::(\S+?))?@/) do
      field, name = Regexp.last_match.captures
      name = name&.sub("VERSION", VERSION)
      case field
      when "URL" then "#{RELEASES}/#{name}"
      when "SHA256" then checksum(File.join(directory, name))
      else VERSION
      end
    end
  end
end

desc "Pack a repository for apt of the Debian packages in pkg/; PUPPETFN_SIGNING_KEY names the key of gpg that signs it"
task :apt do
  packages = Dir.glob("#{Carriers::PKG}/puppetfn_#{Channels::VERSION}_*.deb")
  abort("pkg/ has no Debian packages: run rake deb") if packages.empty?

  Dir.mktmpdir("puppetfn-apt-") do |root|
    Channels.repository(packages, root, Time.now, ENV.fetch("PUPPETFN_SIGNING_KEY", nil))
    archive = "#{Carriers::PKG}/puppetfn-#{Channels::VERSION}-apt.tar.gz"
    sh "tar", "--create", "--gzip", "--owner=root:0", "--group=root:0", "--file", archive, "--directory", root, "dists", "pool", verbose: false
  end
end

desc "Pack the source of the last commit into pkg/, for package managers that compile it"
task :source do
  mkdir_p Carriers::PKG, verbose: false
  name = "puppetfn-#{Channels::VERSION}"
  sh "git", "archive", "--prefix", "#{name}/", "--output", "#{Carriers::PKG}/#{name}.tar.gz", "HEAD", verbose: false
end

desc "Write the formula for Homebrew, with the checksums of the archives in pkg/"
task :homebrew do
  File.write("#{Carriers::PKG}/puppetfn.rb", Channels.formula(Carriers::PKG))
end
