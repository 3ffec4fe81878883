# frozen_string_literal: true

require "rubygems"

desc "Build the gem of the catalog terminus, and an archive of the same files, into pkg/"
task :terminus do
  gemspec = Gem::Specification.load("puppetfn-terminus.gemspec")
  mkdir_p "pkg", verbose: false
  sh "gem", "build", "--quiet", "--strict", "--output", "pkg/#{gemspec.file_name}", "puppetfn-terminus.gemspec"
  # Owners, modes and times do not depend on the checkout.
  sh "tar", "--create", "--gzip", "--file", "pkg/#{gemspec.full_name}.tar.gz", "--sort=name", "--owner=0", "--group=0", "--mode=u=rwX,go=rX",
     "--mtime=2026-01-01", "--transform=s,^lib/,,;s,^LICENSE,puppetfn/terminus/LICENSE,", *gemspec.files.sort
end
