# frozen_string_literal: true

desc "Write the page about the Ruby API, docs/reference/api.md"
task reference: :compile do
  ruby "-I", "lib", "docs/reference.rb"
end

desc "Write the documentation of the Ruby API to doc/ and of the crates to Cargo's target directory; a warning fails"
task doc: %i[ruby_doc rust_doc]

task :ruby_doc do
  sh "yard", "doc", "--quiet", "--fail-on-warning"
end

task :rust_doc do
  # The extension's comments are YARD. In release, to share the checked dependencies with clippy.
  sh({"RUSTDOCFLAGS" => "--deny warnings"}, "cargo", "doc", "--quiet", "--locked", "--release", "--workspace",
     "--exclude", "puppetfn-ext", "--lib", "--no-deps")
end
