# frozen_string_literal: true

# The catalog terminus alone, for puppetserver: its JRuby cannot install the gem with the extension.
main = Gem::Specification.load(File.join(__dir__, "puppetfn.gemspec"))

Gem::Specification.new do |spec|
  spec.name = "puppetfn-terminus"
  spec.version = main.version
  spec.summary = "Has puppetserver compile catalogs with puppetfn"
  spec.description = "The catalog terminus `puppetfn` for puppetserver, OpenVox server and Puppet. It asks puppetfn's compile service for " \
                     "catalogs, and leaves them to Puppet's own compiler where the service cannot."
  spec.authors, spec.license, spec.homepage = main.authors, main.license, main.homepage
  spec.metadata = main.metadata.except("cargo_crate_name").merge("rubygems_mfa_required" => "true")

  # JRuby 9.2, of puppetserver 7, is Ruby 2.5.
  spec.required_ruby_version = ">= 2.5" # rubocop:disable Gemspec/RequiredRubyVersion -- the rest of the repository is for later ones
  spec.files = Dir.glob(%w[LICENSE lib/puppet/**/*.rb lib/puppetfn/terminus/**/*.rb], base: __dir__)
end
