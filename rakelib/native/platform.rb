# frozen_string_literal: true

module Native
  # A platform that gems are made for.
  #
  # - name: what it is called here, and in the name of the file
  # - gem: processor, system and C library, as the gem has them
  # - target: what Rust calls it
  # - oldest: the oldest C library that the extension runs with
  # - suffix: that of extensions
  # - cross: whether it can be compiled for on a machine with Debian, from Debian's packages
  Platform = Struct.new(:name, :gem, :target, :oldest, :suffix, :cross, keyword_init: true) do
    def cpu
      target[/\A[^-]+/]
    end

    def musl?
      target.end_with?("musl")
    end

    # What cargo-zigbuild is asked for.
    def build_target
      [target, oldest].compact.join(".")
    end

    def to_gem
      # Of fields, as RubyGems before 3.3.22 forgets the C library in a text.
      ::Gem::Platform.new(gem)
    end
  end

  # RubyGems before 3.3.22, which Debian 12 has, takes no gem whose platform names glibc. Those for glibc are therefore plain
  # `linux` to RubyGems, which prefers the gem for musl where it finds musl.
  PLATFORMS = [
    Platform.new(name: "x86_64-linux-gnu", gem: %w[x86_64 linux], target: "x86_64-unknown-linux-gnu", oldest: "2.17", suffix: "so", cross: true),
    Platform.new(name: "aarch64-linux-gnu", gem: %w[aarch64 linux], target: "aarch64-unknown-linux-gnu", oldest: "2.17", suffix: "so", cross: true),
    Platform.new(name: "x86_64-linux-musl", gem: %w[x86_64 linux musl], target: "x86_64-unknown-linux-musl", suffix: "so", cross: true),
    Platform.new(name: "aarch64-linux-musl", gem: %w[aarch64 linux musl], target: "aarch64-unknown-linux-musl", suffix: "so", cross: true),
    Platform.new(name: "arm64-darwin", gem: %w[arm64 darwin], target: "aarch64-apple-darwin", suffix: "bundle", cross: false),
    Platform.new(name: "x86_64-darwin", gem: %w[x86_64 darwin], target: "x86_64-apple-darwin", suffix: "bundle", cross: false),
    Platform.new(name: "x64-mingw-ucrt", gem: %w[x64 mingw ucrt], target: "x86_64-pc-windows-gnu", suffix: "so", cross: false)
  ].to_h { |platform| [platform.name, platform] }.freeze
end
