# frozen_string_literal: true

require "rspec/core/rake_task"

desc "Run the core's Rust tests"
task :cargo_test do
  sh "cargo", "test", "--package", "puppetfn"
end

RSpec::Core::RakeTask.new(:spec)
task spec: :compile
