# frozen_string_literal: true

module Native
  # A platform that gems are made for.
  #
  # - name: as RubyGems writes it
  # - gem: its processor, system, and C library if it is Linux
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
      ::Gem::Platform.new(gem)
    end
  end

  # The C library is given as a field of its own: RubyGems before 3.3.22 drops `gnu` from a name.
  PLATFORMS = [
    Platform.new(name: "x86_64-linux-gnu", gem: %w[x86_64 linux gnu], target: "x86_64-unknown-linux-gnu", oldest: "2.17", suffix: "so", cross: true),
    Platform.new(name: "aarch64-linux-gnu", gem: %w[aarch64 linux gnu], target: "aarch64-unknown-linux-gnu", oldest: "2.17", suffix: "so", cross: true),
    Platform.new(name: "x86_64-linux-musl", gem: %w[x86_64 linux musl], target: "x86_64-unknown-linux-musl", suffix: "so", cross: true),
    Platform.new(name: "aarch64-linux-musl", gem: %w[aarch64 linux musl], target: "aarch64-unknown-linux-musl", suffix: "so", cross: true),
    Platform.new(name: "arm64-darwin", gem: %w[arm64 darwin], target: "aarch64-apple-darwin", suffix: "bundle", cross: false),
    Platform.new(name: "x86_64-darwin", gem: %w[x86_64 darwin], target: "x86_64-apple-darwin", suffix: "bundle", cross: false),
    Platform.new(name: "x64-mingw-ucrt", gem: %w[x64 mingw ucrt], target: "x86_64-pc-windows-gnu", suffix: "so", cross: false)
  ].to_h { |platform| [platform.name, platform] }.freeze
end
