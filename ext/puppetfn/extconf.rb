# frozen_string_literal: true

# Compiles the extension for `gem install`, and leaves nothing but the library: what Cargo makes on the way has close to a gigabyte,
# which RubyGems' own builder for Cargo keeps. `gem install -V` shows which crates are compiled.

require "fileutils"
require "rbconfig"

# What goes wrong before anything is compiled.
def stop(reason)
  abort <<~MESSAGE
    #{reason}
    The extension of puppetfn is written in Rust. It takes cargo #{required_rust} or later (https://rustup.rs), Ruby's headers, a C compiler, make and libclang.
    Gems for platforms need none of these: https://github.com/puppetfn/puppetfn/blob/main/docs/platforms.md
  MESSAGE
end

def required_rust
  File.read(File.join(__dir__, "../../Cargo.toml"), encoding: "UTF-8")[/^rust-version = "(.+)"$/, 1]
end

def installed_rust
  IO.popen(%w[cargo --version], &:read)[/\d+(?:\.\d+)+/] || stop("cargo does not run.")
rescue SystemCallError
  stop("There is no cargo in PATH.")
end

def compile(target)
  puts "compiling puppetfn with cargo: some minutes, in which #{target} grows to a gigabyte"
  $stdout.flush
  manifest = File.expand_path("../../Cargo.toml", __dir__)
  # The library is for this Ruby, whatever other platform Cargo is set up for.
  environment = {"RUBY" => RbConfig.ruby, "CARGO_BUILD_TARGET" => nil}
  # With musl, Rust makes no libraries otherwise.
  environment["RUSTFLAGS"] = "#{ENV.fetch("RUSTFLAGS", nil)} -C target-feature=-crt-static" if RbConfig::CONFIG["host_os"].include?("musl")
  command = ["cargo", "build", "--release", "--package", "puppetfn-ext", "--manifest-path", manifest, "--target-dir", target]
  system(environment, *command) || abort("cargo has failed: its errors are above")
  FileUtils.mv("#{target}/release/#{built_name}", LIBRARY)
ensure
  FileUtils.rm_rf(target)
end

def built_name
  "#{"lib" unless Gem.win_platform?}puppetfn_ext.#{RbConfig::CONFIG["SOEXT"]}"
end

LIBRARY = "puppetfn.#{RbConfig::CONFIG["DLEXT"]}".freeze

version = installed_rust
stop("cargo #{version} is too old.") if Gem::Version.new(version) < Gem::Version.new(required_rust)
compile(File.expand_path("target"))

# RubyGems cleans before it builds, and the library is already there. It is moved, since RubyGems copies it as well.
File.write("Makefile", <<~MAKEFILE)
  # Where RubyGems wants it.
  sitearchdir = #{RbConfig::CONFIG["sitearchdir"]}

  all:
  \t@:

  install:
  \tmkdir -p "$(DESTDIR)$(sitearchdir)/puppetfn"
  \tmv #{LIBRARY} "$(DESTDIR)$(sitearchdir)/puppetfn/#{LIBRARY}"

  clean:
  \t@:

  .PHONY: all install clean
MAKEFILE
