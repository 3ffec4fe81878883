# frozen_string_literal: true

cargo_toml = File.read(File.join(__dir__, "Cargo.toml"), encoding: "UTF-8")

Gem::Specification.new do |spec|
  spec.name = "puppetfn"
  spec.version = cargo_toml[/^\[workspace\.package\]\nversion = "([^"]+)"/, 1]
  spec.summary = "Test, check, format, document, compile and serve Puppet code, without Puppet"
  spec.description = "Runs specs of modules, finds errors in Puppet code and Hiera data, compiles and compares catalogs, serves agents and " \
                     "editors, and embeds Puppet's language in Ruby programs, with Puppet 8's results, on a core in Rust."
  spec.authors = ["The puppetfn authors"]
  spec.license = "Apache-2.0"
  spec.homepage = "https://github.com/puppetfn/puppetfn"
  spec.metadata = {
    "source_code_uri" => spec.homepage,
    "bug_tracker_uri" => "#{spec.homepage}/issues",
    "changelog_uri" => "#{spec.homepage}/blob/main/CHANGELOG.md",
    "rubygems_mfa_required" => "true"
  }

  spec.required_ruby_version = ">= 3.1"
  spec.extensions = ["ext/puppetfn/extconf.rb"]
  spec.bindir = "exe"
  spec.executables = ["puppetfn"]

  # What only tests need is left out: the members of the workspace are named by a pattern, so that Cargo
  # does not miss one.
  spec.files = Dir.glob(
    %w[Cargo.toml Cargo.lock LICENSE README.md CHANGELOG.md {src,crates,ext,lib,exe,sig,docs}/**/*], base: __dir__
  ).reject do |path|
    !File.file?(File.join(__dir__, path)) || path.end_with?(".so", ".bundle") ||
      path.start_with?("crates/vectors/") || path.match?(%r{\Acrates/\w+/tests/})
  end
end
