# frozen_string_literal: true

desc "Check the format of the Rust code and its lints"
task lint: %i[fmt clippy]

desc "Check the format of the Rust code"
task :fmt do
  sh "cargo", "fmt", "--all", "--check"
  sh "cargo", "fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"
  sh "cargo", "fmt", "--manifest-path", "bench/rust/Cargo.toml", "--check"
end

desc "Run clippy on all crates; a warning fails"
task :clippy do
  # In release, to share the build scripts (bindgen above all) with the extension's build.
  sh "cargo", "clippy", "--locked", "--release", "--workspace", "--all-targets", "--", "--deny", "warnings"
end
