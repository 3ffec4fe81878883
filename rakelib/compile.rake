# frozen_string_literal: true

require "rbconfig"

desc "Build the native extension into lib/puppetfn/"
task :compile do
  built = "#{TARGET_DIR}/release/libpuppetfn_ext.#{RbConfig::CONFIG["SOEXT"]}"
  loaded = "lib/puppetfn/puppetfn.#{RbConfig::CONFIG["DLEXT"]}"

  sh "cargo", "build", "--quiet", "--release", "--package", "puppetfn-ext"
  mkdir_p File.dirname(loaded), verbose: false
  # Replaces the file only when it differs, and never writes into one that a process has mapped.
  install built, loaded, mode: 0o755, verbose: false
end
