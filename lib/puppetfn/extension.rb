# frozen_string_literal: true

# Loads the native extension; where that is not possible, the error names the alternative. It is the first file of the
# library that is loaded, whatever is required, and so the only one that engines without extensions read.

unless RUBY_ENGINE == "ruby"
  raise LoadError, "puppetfn runs on Ruby itself (CRuby, MRI) only: #{RUBY_ENGINE} #{RUBY_ENGINE_VERSION} loads no native extensions. " \
                   "Use the program puppetfn, which needs no Ruby (`puppetfn compile`, `puppetfn check`, `puppetfn lsp`): " \
                   "https://github.com/puppetfn/puppetfn/blob/main/docs/platforms.md"
end

require "rbconfig"

minor = RUBY_VERSION[/\A\d+\.\d+/]
library = "puppetfn.#{RbConfig::CONFIG["DLEXT"]}"
# A gem for a platform has the first of these, for each Ruby that it supports; `rake compile` and RubyGems build the second.
extension = ["#{minor}/#{library}", library].map { |name| File.join(__dir__, name) }.find { |path| File.file?(path) }

unless extension
  root = File.expand_path("../..", __dir__)
  supported = Dir.glob("#{__dir__}/*/#{library}").map { |path| File.basename(File.dirname(path)) }.sort
  raise LoadError,
        if supported.any?
          "this gem of puppetfn has native extensions for Ruby #{supported.join(", ")}, and this is #{minor}; " \
          "`gem install puppetfn --platform ruby` builds one, which takes Rust"
        elsif File.file?(File.join(root, "Rakefile"))
          "the native extension of puppetfn is not built; run `rake compile` (on a new machine `script/setup` first) in #{root}"
        else
          "the native extension of puppetfn is not built; run `gem pristine puppetfn`"
        end
end

require extension

module Puppetfn
  autoload :Cty, File.join(__dir__, "cty")
end
