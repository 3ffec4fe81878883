# frozen_string_literal: true

require "open3"
require "tmpdir"
require_relative "native/profile"

# The program for machines without Ruby.
module Binary
  # Rust's names, with the oldest C library where the program is not static, and Debian's.
  TARGETS = {
    "x86_64-linux-musl" => ["x86_64-unknown-linux-musl", "amd64"], "aarch64-linux-musl" => ["aarch64-unknown-linux-musl", "arm64"],
    "x86_64-linux-gnu" => ["x86_64-unknown-linux-gnu.2.17", nil], "aarch64-linux-gnu" => ["aarch64-unknown-linux-gnu.2.17", nil],
    "x64-mingw" => ["x86_64-pc-windows-gnu", nil]
  }.freeze
  # Cargo's profile. The one of `gem install` takes half the time.
  PROFILE = ENV.fetch("PROFILE", "dist")
  COMPLETIONS = {
    "bash" => "usr/share/bash-completion/completions/puppetfn", "zsh" => "usr/share/zsh/vendor-completions/_puppetfn",
    "fish" => "usr/share/fish/vendor_completions.d/puppetfn.fish"
  }.freeze

  module_function

  # Builds the program, and returns where it is.
  def build(platform)
    target, = TARGETS[platform] || abort("name one of the platforms #{TARGETS.keys.join(", ")} in brackets")
    rust_target = target.delete_suffix(".2.17")
    profile = Native::ProgramProfile.new(rust_target, PROFILE, TARGET_DIR)
    system({"CARGO_TARGET_DIR" => TARGET_DIR, **profile.environment}, "cargo", "zigbuild", "--quiet", "--profile", PROFILE, "--locked",
           "--package", "puppetfn-cli", "--target", target, exception: true)
    Dir.glob(File.join(TARGET_DIR, rust_target, PROFILE, "puppetfn{,.exe}")).first
  end

  def version
    Gem::Specification.load("puppetfn.gemspec").version.to_s
  end

  # The service's units, and the scripts of the package.
  PACKAGING = File.expand_path("../packaging/debian", __dir__)
  UNITS = %w[puppetfn.service puppetfn.socket].freeze
  SCRIPTS = %w[postinst prerm postrm].freeze

  # Fills a directory with what the package has. `own` is the program for this machine, which writes manuals and completions.
  def fill(root, program, own, architecture)
    bin, man, doc = FileUtils.mkdir_p(%w[usr/bin usr/share/man/man1 usr/share/doc/puppetfn].map { |path| File.join(root, path) })
    FileUtils.install(program, File.join(bin, "puppetfn"), mode: 0o755)
    system(own, "man", man, out: File::NULL, exception: true)
    Dir.glob("#{man}/*").each { |page| system("gzip", "-9n", page, exception: true) }
    COMPLETIONS.each do |shell, path|
      FileUtils.mkdir_p(File.dirname(File.join(root, path)))
      File.write(File.join(root, path), Open3.capture2(own, "completions", shell).first)
    end
    FileUtils.cp("LICENSE", File.join(doc, "copyright"))
    File.binwrite(File.join(doc, "changelog.gz"), Open3.capture2("gzip", "-9nc", "CHANGELOG.md").first)
    control(root, architecture)
    service(root)
  end

  def service(root)
    UNITS.each { |unit| install("#{PACKAGING}/#{unit}", File.join(root, "usr/lib/systemd/system", unit)) }
    install("#{PACKAGING}/default", File.join(root, "etc/default/puppetfn"))
    SCRIPTS.each { |script| install("#{PACKAGING}/#{script}", File.join(root, "DEBIAN", script), mode: 0o755) }
    File.write(File.join(root, "DEBIAN/conffiles"), "/etc/default/puppetfn\n")
  end

  def install(file, path, mode: 0o644)
    FileUtils.mkdir_p(File.dirname(path))
    FileUtils.install(file, path, mode: mode)
  end

  def control(root, architecture)
    size = Dir.glob("#{root}/**/*").select { |path| File.file?(path) }.sum { |path| File.size(path) } / 1024
    FileUtils.mkdir_p(File.join(root, "DEBIAN"))
    File.write(File.join(root, "DEBIAN/control"), <<~CONTROL)
      Package: puppetfn
      Version: #{version}
      Architecture: #{architecture}
      Maintainer: The puppetfn authors <puppetfn@users.noreply.github.com>
      Installed-Size: #{size}
      Section: utils
      Priority: optional
      Homepage: https://github.com/puppetfn/puppetfn
      Description: Puppet's language without Puppet
       Checks and formats manifests, documents modules, compiles, compares and serves
       catalogs, and serves editors, with Puppet 8's results. It needs no Puppet and no
       Ruby; functions and types in Ruby need the gem.
    CONTROL
  end
end

desc "Build the program puppetfn, which needs no Ruby, for a platform; needs cargo-zigbuild and ziglang"
task :binary, [:platform] do |_, arguments|
  program = Binary.build(arguments[:platform])
  mkdir_p "pkg", verbose: false
  archive = "pkg/puppetfn-#{Binary.version}-#{arguments[:platform]}.tar.gz"
  sh "tar", "--create", "--gzip", "--file", archive, "--directory", File.dirname(program), File.basename(program), verbose: false
  puts format("%s: %.1f MB", archive, File.size(program) / 1e6)
end

desc "Build Debian packages of the program, for amd64 and arm64 or one of them, into pkg/; needs cargo-zigbuild and ziglang"
task :deb, [:architecture] do |_, arguments|
  own = Binary.build("x86_64-linux-musl")
  mkdir_p "pkg", verbose: false
  Binary::TARGETS.each do |platform, (_, architecture)|
    next unless architecture && [nil, architecture].include?(arguments[:architecture])

    Dir.mktmpdir("puppetfn-deb-") do |root|
      File.chmod(0o755, root)
      Binary.fill(root, Binary.build(platform), own, architecture)
      sh "dpkg-deb", "--root-owner-group", "--build", root, "pkg/puppetfn_#{Binary.version}_#{architecture}.deb", verbose: false
    end
  end
end
