# frozen_string_literal: true

require "zlib"

# The page that runs the core in a browser.
module Playground
  CRATE = File.expand_path("../crates/playground", __dir__)
  TARGET = "wasm32-unknown-unknown"
  # The stack is a part of the memory. Memory that code wants beyond this much is refused.
  FLAGS = "-Clink-arg=-zstack-size=#{2 << 20} -Clink-arg=--max-memory=#{1 << 30}".freeze

  module_function

  # Returns the version of wasm-bindgen that the crate is built with.
  def version
    File.read("Cargo.lock")[/^name = "wasm-bindgen"\nversion = "([^"]+)"/, 1]
  end

  # Stops if the command wasm-bindgen is missing or does not fit to the crate.
  def check_command
    installed, = Open3.capture2e("wasm-bindgen", "--version")
    return if installed.split[1] == version

    abort "wasm-bindgen #{version} is needed: `cargo install wasm-bindgen-cli --version #{version}` installs it"
  rescue Errno::ENOENT
    abort "wasm-bindgen is missing: `cargo install wasm-bindgen-cli --version #{version}` installs it"
  end

  # Returns the library for browsers.
  def build
    installed, = Open3.capture2("rustup", "target", "list", "--installed")
    installed.split.include?(TARGET) || system("rustup", "target", "add", TARGET, exception: true)
    environment = {"CARGO_TARGET_DIR" => TARGET_DIR, "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS" => FLAGS}
    system(environment, "cargo", "build", "--quiet", "--profile", "playground", "--locked", "--target", TARGET,
           "--package", "puppetfn-playground", exception: true)
    File.join(TARGET_DIR, TARGET, "playground", "puppetfn_playground.wasm")
  end

  # Makes the page in a directory.
  def fill(directory)
    FileUtils.rm_rf(directory)
    FileUtils.mkdir_p(directory)
    FileUtils.cp(Dir[File.join(CRATE, "www", "*")], directory)
    system("wasm-bindgen", "--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section",
           "--out-dir", directory, build, exception: true)
    Dir[File.join(directory, "*.wasm")].first
  end
end

desc "Build the playground, a page that runs the core as WebAssembly, below Cargo's target directory; needs rustup and wasm-bindgen"
task :playground do
  Playground.check_command
  directory = File.join(TARGET_DIR, "playground-page")
  library = Playground.fill(directory)
  compressed = Zlib.gzip(File.binread(library), level: 9).bytesize
  puts format("%s: %.1f MB, %.1f MB compressed", directory, File.size(library) / 1e6, compressed / 1e6)
end

desc "Try the playground in Chromium, with a server on this machine"
task playground_test: :playground do
  sh "rspec", "--options", "crates/playground/.rspec", "crates/playground/spec" # without the library of Ruby
end
