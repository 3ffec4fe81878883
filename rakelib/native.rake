# frozen_string_literal: true

namespace :gem do
  gem_of = lambda do |name|
    require_relative "native/gem"
    platform = Native::PLATFORMS[name] or abort "name one of the platforms #{Native::PLATFORMS.keys.join(", ")} in brackets"
    Native::Gem.new(platform, TARGET_DIR)
  end

  desc "Build pkg/puppetfn-VERSION-PLATFORM.gem, with the extension for each Ruby; needs cargo-zigbuild and ziglang"
  task :native, [:platform] do |_, arguments|
    gem = gem_of.call(arguments[:platform])
    # Further arguments are the Rubies, unless it is all.
    gem.compile(*[arguments.extras].reject(&:empty?))
    puts gem.pack
  end

  desc "Pack a platform's extensions, CARGO_TARGET_DIR/gems/PLATFORM/MINOR/puppetfn.*, wherever they were compiled"
  task :pack, [:platform] do |_, arguments|
    puts gem_of.call(arguments[:platform]).pack
  end
end
