# frozen_string_literal: true

desc "Check the format and the lints of the Rust and Ruby code"
task lint: %i[fmt rubocop wording clippy]

desc "Check the format of the Rust code"
task :fmt do
  sh "cargo", "fmt", "--all", "--check"
  sh "cargo", "fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"
  sh "cargo", "fmt", "--manifest-path", "bench/rust/Cargo.toml", "--check"
end

desc "Check the Ruby code with RuboCop"
task :rubocop do
  cache = File.join(TARGET_DIR, "rubocop")
  # Only changed files are inspected again: with --parallel, RuboCop 1.39 does not find its cache.
  parallel = File.directory?(cache) ? "--no-parallel" : "--parallel"
  sh "rubocop", parallel, "--format", "quiet", "--cache-root", cache
end

desc "Check the wording of comments and documents, and the names of Rust types"
task :wording do
  sh "script/wording"
end

desc "Run clippy on all crates; a warning fails"
task :clippy do
  # In release, to share the build scripts (bindgen above all) with the extension's build.
  sh "cargo", "clippy", "--locked", "--release", "--workspace", "--all-targets", "--", "--deny", "warnings"
  sh "cargo", "clippy", "--locked", "--release", "--package", "puppetfn", "--no-default-features", "--", "--deny", "warnings"
end
