# frozen_string_literal: true

require "rbconfig"

desc "Build the native extension into lib/puppetfn/, or copy the one of the same sources that PUPPETFN_LIBRARY names"
task :compile do
  built = ENV.fetch("PUPPETFN_LIBRARY") do
    sh "cargo", "build", "--quiet", "--release", "--package", "puppetfn-ext"
    "#{TARGET_DIR}/release/libpuppetfn_ext.#{RbConfig::CONFIG["SOEXT"]}"
  end
  loaded = "lib/puppetfn/puppetfn.#{RbConfig::CONFIG["DLEXT"]}"

  mkdir_p File.dirname(loaded), verbose: false
  # Replaces the file only when it differs, and never writes into one that a process has mapped.
  install built, loaded, mode: 0o755, verbose: false
end
