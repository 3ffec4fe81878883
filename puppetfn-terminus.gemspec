# frozen_string_literal: true

# The catalog terminus alone, for puppetserver: its JRuby cannot install the gem with the extension.
main = Gem::Specification.load(File.join(__dir__, "puppetfn.gemspec"))

Gem::Specification.new do |spec|
  spec.name = "puppetfn-terminus"
  spec.version = main.version
  spec.summary = "The catalog terminus for compiling puppetserver's catalogs with puppetfn"
  spec.description = "The catalog terminus `puppetfn` for puppetserver, OpenVox server and Puppet. It gets catalogs from puppetfn's compile " \
                     "service, and leaves declined catalogs to Puppet's own compiler."
  spec.authors, spec.license, spec.homepage = main.authors, main.license, main.homepage
  spec.metadata = main.metadata.merge("rubygems_mfa_required" => "true")

  # JRuby 9.2, of puppetserver 7, is Ruby 2.5.
  spec.required_ruby_version = ">= 2.5" # rubocop:disable Gemspec/RequiredRubyVersion -- the rest of the repository is for later ones
  spec.files = Dir.glob(%w[LICENSE lib/puppet/**/*.rb lib/puppetfn/terminus/**/*.rb], base: __dir__)
end
