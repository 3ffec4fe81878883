# frozen_string_literal: true

require "digest"
require "json"
require "tmpdir"

# Packages of Python and npm that carry the program.
module Carriers
  # Our names of platforms, and npm's system and processor.
  NPM = {"x86_64-linux-musl" => %w[linux x64], "aarch64-linux-musl" => %w[linux arm64], "x64-mingw" => %w[win32 x64]}.freeze
  COMMON = {
    "version" => Gem::Specification.load(File.expand_path("../puppetfn.gemspec", __dir__)).version.to_s, "license" => "Apache-2.0",
    "homepage" => "https://github.com/puppetfn/puppetfn",
    "repository" => {"type" => "git", "url" => "git+https://github.com/puppetfn/puppetfn.git"}
  }.freeze
  PKG = File.expand_path(ENV.fetch("PKG", "pkg"))
  PACKAGING = File.expand_path("../packaging", __dir__)

  module_function

  # @param platform [String] one of the keys of NPM
  # @param program [String, nil] an existing program, instead of a new one
  # @return [String] the program
  def program(platform, program)
    NPM.key?(platform) || abort("the platforms are #{NPM.keys.join(", ")}")
    program || Binary.build(platform)
  end

  def wheel(platform, program)
    FileUtils.mkdir_p(PKG)
    system("python3", "#{PACKAGING}/python/wheel.py", COMMON["version"], program, platform, "#{PACKAGING}/python/README.md", PKG, exception: true)
  end

  # Packs the package of a platform, with its program.
  def platform_package(platform, program)
    system, processor = NPM.fetch(platform)
    command = system == "win32" ? "puppetfn.exe" : "puppetfn"
    manifest = {"name" => "@puppetfn/#{system}-#{processor}", "description" => "The program puppetfn for #{system} on #{processor}",
                "os" => [system], "cpu" => [processor], "preferUnplugged" => true}
    pack(manifest, "bin/#{command}" => program)
  end

  # Packs the package with the command, which depends on the packages of all platforms: npm installs the one for the machine.
  def command_package
    platforms = NPM.values.to_h { |system, processor| ["@puppetfn/#{system}-#{processor}", COMMON["version"]] }
    manifest = {"name" => "puppetfn", "description" => "Test, check, format, document, compile and serve Puppet code, without Puppet",
                "keywords" => %w[puppet linter formatter lsp], "bin" => {"puppetfn" => "bin/puppetfn.js"}, "engines" => {"node" => ">=16"},
                "optionalDependencies" => platforms}
    pack(manifest, "bin/puppetfn.js" => "#{PACKAGING}/npm/puppetfn.js")
  end

  def pack(manifest, files)
    FileUtils.mkdir_p(PKG)
    Dir.mktmpdir("puppetfn-npm-") do |root|
      File.write("#{root}/package.json", "#{JSON.pretty_generate(manifest.merge(COMMON))}\n")
      files.merge("README.md" => "#{PACKAGING}/npm/README.md", "LICENSE" => "LICENSE").each do |name, source|
        FileUtils.mkdir_p(File.dirname("#{root}/#{name}"))
        FileUtils.install(source, "#{root}/#{name}", mode: name.start_with?("bin/") ? 0o755 : 0o644)
      end
      system("npm", "pack", "--silent", "--pack-destination", PKG, chdir: root, exception: true)
    end
  end
end

# The packages of a release.
module Distribution
  GEMS = %w[x86_64-linux-gnu aarch64-linux-gnu x86_64-linux-musl aarch64-linux-musl].freeze
  PROGRAMS = %w[x86_64-linux-musl aarch64-linux-musl].freeze

  module_function

  # Returns the tasks that write into pkg/, the gem first, which is tried.
  def tasks
    targets = VsCode::PROGRAMS.select { |_, platform| PROGRAMS.include?(platform) }.keys
    ["pkg", "terminus", *GEMS.map { |platform| "gem:native[#{platform}]" },
     *PROGRAMS.flat_map { |platform| %w[binary wheel npm].map { |task| "#{task}[#{platform}]" } },
     "source", "deb", "apt", "homebrew", "installers", "vsix", *targets.map { |target| "vsix[#{target}]" }, "sbom"]
  end

  # Writes the checksums of all files.
  def checksums(directory)
    files = Dir.children(directory).reject { |name| name.start_with?("SHA256SUMS") }.sort
    File.write("#{directory}/SHA256SUMS", files.map { |name| "#{Digest::SHA256.file("#{directory}/#{name}").hexdigest}  #{name}\n" }.join)
  end
end

desc "Build all packages of a release into an empty pkg/, with a list of the crates and checksums; needs cargo-zigbuild, ziglang and npm"
task :dist do
  rm_rf Carriers::PKG, verbose: false
  # In a process each: a task with arguments runs once in a process.
  Distribution.tasks.each { |task| sh "rake", "--silent", task }
  Rake::Task["checksums"].invoke
end

desc "Copy the script that installs the program, and the description of the images, into pkg/"
task :installers do
  mkdir_p Carriers::PKG, verbose: false
  cp %W[#{Carriers::PACKAGING}/install.sh #{Carriers::PACKAGING}/docker/Dockerfile], Carriers::PKG, verbose: false
end

desc "Write pkg/SHA256SUMS, the checksums of the packages"
task :checksums do
  Distribution.checksums(Carriers::PKG)
end

desc "Build a wheel with the program for a platform into pkg/; with a program that is given or built"
task :wheel, [:platform, :program] do |_, arguments|
  platform, program = arguments.values_at(:platform, :program)
  Carriers.wheel(platform, Carriers.program(platform, program))
end

desc "Build the packages of npm into pkg/: the command, and the program for a platform, which is given or built"
task :npm, [:platform, :program] do |_, arguments|
  platform, program = arguments.values_at(:platform, :program)
  Carriers.platform_package(platform, Carriers.program(platform, program))
  Carriers.command_package
end
