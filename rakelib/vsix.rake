# frozen_string_literal: true

# The extension for VS Code.
module VsCode
  DIRECTORY = File.expand_path("../editors/vscode", __dir__)
  # VS Code's names of platforms, and ours of the static programs that run on them.
  PROGRAMS = {
    "linux-x64" => "x86_64-linux-musl", "alpine-x64" => "x86_64-linux-musl", "linux-arm64" => "aarch64-linux-musl",
    "alpine-arm64" => "aarch64-linux-musl", "win32-x64" => "x64-mingw"
  }.freeze

  PAGES = "https://github.com/puppetfn/puppetfn"

  module_function

  # Installs the locked packages of a directory, unless they are installed.
  def install(directory)
    lock, installed = %w[package-lock.json node_modules/.package-lock.json].map { |name| File.join(directory, name) }
    return if File.exist?(installed) && File.mtime(installed) >= File.mtime(lock)

    system("npm", "ci", "--prefer-offline", "--loglevel", "error", chdir: directory) ||
      abort("npm ci failed in #{directory}: it needs npm, and its registry or its cache. WITHOUT_NPM=1 skips the tests of the extension.")
  end

  def npm(*arguments)
    system("npm", "run", "--silent", *arguments, chdir: DIRECTORY, exception: true)
  end

  # Packages the extension: for a platform with its program, or for all without one.
  def package(target, program)
    version = Gem::Specification.load("puppetfn.gemspec").version.to_s
    file = File.expand_path("pkg/puppetfn-vscode-#{[version, target].compact.join("-")}.vsix")
    bin = File.join(DIRECTORY, "bin")
    FileUtils.rm_rf(bin)
    FileUtils.mkdir_p([File.dirname(file), bin])
    FileUtils.cp("LICENSE", DIRECTORY)
    FileUtils.install(program, File.join(bin, "puppetfn#{".exe" if target.start_with?("win32")}"), mode: 0o755) if target
    vsce = File.join(DIRECTORY, "packaging/node_modules/.bin/vsce")
    # The page of the extension is shown outside of the repository.
    links = %w[Content Images].zip(%w[blob raw]).flat_map { |kind, view| ["--base#{kind}Url", "#{PAGES}/#{view}/main/editors/vscode"] }
    options = ["--no-dependencies", "--out", file, *links, *(["--target", target] if target)]
    system(vsce, "package", *options, chdir: DIRECTORY, exception: true)
    puts format("%s: %.1f MB", file, File.size(file) / 1e6)
  ensure
    FileUtils.rm_rf(bin)
  end
end

desc "Check and test the extension for VS Code, with the command of the checkout; needs Node.js and npm"
task :vscode do
  if ENV["WITHOUT_NPM"] == "1"
    puts "skipped: WITHOUT_NPM=1"
    next
  end
  VsCode.install(VsCode::DIRECTORY)
  %w[check test].each { |script| VsCode.npm(script) }
end

desc "Package the extension for VS Code into pkg/; for a platform, such as linux-x64, with a program that is given or built"
task :vsix, [:target, :program] do |_, arguments|
  target, program = arguments.values_at(:target, :program)
  platform = VsCode::PROGRAMS.fetch(target) { abort("the platforms are #{VsCode::PROGRAMS.keys.join(", ")}") } if target
  [VsCode::DIRECTORY, File.join(VsCode::DIRECTORY, "packaging")].each { |directory| VsCode.install(directory) }
  VsCode.package(target, target && (program || Binary.build(platform)))
end
