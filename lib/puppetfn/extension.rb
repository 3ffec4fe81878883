# frozen_string_literal: true

require "rbconfig"

# `rake compile` builds the first of these, RubyGems the second, RubyGems before 3.4.6 the third.
extension = %w[puppetfn/puppetfn puppetfn/puppetfn_ext puppetfn]
  .map { |name| File.expand_path("../#{name}.#{RbConfig::CONFIG["DLEXT"]}", __dir__) }
  .find { |path| File.file?(path) }

unless extension
  root = File.expand_path("../..", __dir__)
  remedy =
    if File.file?(File.join(root, "Rakefile"))
      "run `rake compile` (on a new machine `script/setup` first) in #{root}"
    else
      "run `gem pristine puppetfn`"
    end
  raise LoadError, "the native extension of puppetfn is not built; #{remedy}"
end

require extension

module Puppetfn
  autoload :Cty, File.join(__dir__, "cty")
end
