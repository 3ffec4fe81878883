# frozen_string_literal: true

desc "Write the rules of the checker, from crates/check/rules, to docs/check.md"
task :rules do
  sh({"PUPPETFN_WRITE" => "1"}, "cargo", "test", "--locked", "--package", "puppetfn-check", "--test", "document")
end
