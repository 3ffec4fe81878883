# frozen_string_literal: true

desc "Build the site of the documents below Cargo's target directory, with mdBook (`cargo install mdbook --locked`)"
task :site do
  site = File.join(TARGET_DIR, "site")
  sh "mdbook", "build", "--dest-dir", site do |built, _|
    abort "mdBook is missing or failed: `cargo install mdbook --locked` installs it" unless built
  end
  # mdBook copies all files beside the pages.
  rm Dir[File.join(site, "*.rb")], verbose: false
end
