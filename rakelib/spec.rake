# frozen_string_literal: true

require "rspec/core/rake_task"

desc "Run the core's Rust tests"
task :cargo_test do
  # The extension needs a Ruby around it, and is tested from there; the runner is run.
  sh "cargo", "test", "--workspace", "--exclude", "puppetfn-ext", "--exclude", "puppetfn-vectors"
end

RSpec::Core::RakeTask.new(:spec)
task spec: :compile
