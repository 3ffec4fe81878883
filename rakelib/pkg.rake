# frozen_string_literal: true

require "rbconfig"
require "rubygems"
require "tmpdir"

# Keeps the library that the installation has built, for tests of the same sources.
def keep_library(home)
  built = Dir.glob("#{home}/{extensions,gems}/**/*.#{RbConfig::CONFIG["DLEXT"]}").first || abort("no library below #{home}")
  mkdir_p File.dirname(PACKED_LIBRARY), verbose: false
  install built, PACKED_LIBRARY, mode: 0o755, verbose: false
end

PACKED_LIBRARY = File.join(TARGET_DIR, "gem", "puppetfn.#{RbConfig::CONFIG["DLEXT"]}")

desc "Build the gem into pkg/, install it into an empty GEM_HOME and use it from outside the checkout"
task :pkg do
  gemspec = Gem::Specification.load("puppetfn.gemspec")
  package = File.expand_path("pkg/#{gemspec.file_name}")
  demo = File.expand_path("script/demo.rb")

  mkdir_p "pkg", verbose: false
  sh "gem", "build", "--quiet", "--strict", "--output", package, "puppetfn.gemspec"

  Dir.mktmpdir("puppetfn-gem-home-") do |home|
    # RubyGems gives Cargo a target directory of its own; the build directory is where the compiled
    # dependencies are, and sharing that leaves only the gem's own crates to compile.
    env = {"GEM_HOME" => home, "GEM_PATH" => home, "RUBYLIB" => nil, "RUBYOPT" => nil,
           "CARGO_BUILD_BUILD_DIR" => TARGET_DIR}
    outside = lambda do |*command|
      puts command.join(" ").lines.first
      sh env, *command, chdir: "/", verbose: false
    end

    outside.call("gem", "install", "--local", "--no-document", package)
    left = Dir.glob("#{home}/**/{target,*.rlib,*.o}")
    abort "the installation leaves what only the compiler needs: #{left.first(3).join(", ")}" if left.any?
    outside.call("ruby", "-e", <<~'RUBY', home, gemspec.version.to_s)
      home, version = ARGV
      require "puppetfn"
      foreign = $LOADED_FEATURES.grep(/puppetfn/).reject { |path| path.start_with?(File.realpath(home)) }
      abort "loaded from outside the GEM_HOME: #{foreign.join(", ")}" if foreign.any?
      abort "expected version #{version}, got #{Puppetfn::VERSION}" unless Puppetfn::VERSION == version
    RUBY
    outside.call("#{home}/bin/puppetfn", "--version")
    outside.call("ruby", demo)
    keep_library(home)
  end
end
